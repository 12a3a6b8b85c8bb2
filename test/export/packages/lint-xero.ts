// The linter for Xero's manual journal file: UTF-8 without a byte order mark, commas, the columns of the template, and
// the rules of help.xero.com/int/ManualJournalsImport for each.
import { XERO_LIMITS as LIMITS } from '../../../src/export/packages/package-limits.ts';
import {
  amountOf,
  type BookedSide,
  type Layout,
  type Lint,
  linesOf,
  lintResult,
  recordsOf,
  slashedDayFaults,
} from './lint.ts';

const MANDATORY = ['*Narration', '*Date', '*AccountCode', '*TaxRate', '*Amount'];

const LAYOUT: Layout = { charset: 'utf-8', delimiter: ',', limits: LIMITS, above: 0 };

export const lintXero = (bytes: Uint8Array): Lint => {
  const { lines, faults } = linesOf(bytes, LAYOUT);
  const booked: BookedSide[] = [];
  for (const record of recordsOf(lines, LAYOUT, faults)) {
    const { number, text } = record;
    for (const name of MANDATORY) if (text(name) === '') faults.push(`line ${number}: ${name} is empty`);
    for (const fault of slashedDayFaults(record, '*Date', 'dd/mm/yyyy'))
      faults.push(`line ${number}: ${fault}`);
    const cents = amountOf(text('*Amount'), '.', LIMITS.wholeDigits);
    if (cents === null || cents === 0n) faults.push(`line ${number}: *Amount is not an amount`);
    booked.push({
      journal: text('*Narration'),
      day: text('*Date'),
      key: text('*AccountCode'),
      cents: cents ?? 0n,
    });
  }
  return lintResult(booked, faults);
};
