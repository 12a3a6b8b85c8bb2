// The linter for the journal file that QuickBooks Online imports: UTF-8 without a byte order mark, commas, its columns, and
// the rules of Intuit's "Import journal entries" for each.
import { QUICKBOOKS_LIMITS as LIMITS } from '../../../src/export/packages/package-limits.ts';
import {
  type BookedSide,
  type Layout,
  type Lint,
  linesOf,
  lintResult,
  recordsOf,
  sidedCents,
  slashedDayFaults,
} from './lint.ts';

const LAYOUT: Layout = { charset: 'utf-8', delimiter: ',', limits: LIMITS, above: 0 };

export const lintQuickbooks = (bytes: Uint8Array): Lint => {
  const { lines, faults } = linesOf(bytes, LAYOUT);
  const booked: BookedSide[] = [];
  for (const record of recordsOf(lines, LAYOUT, faults)) {
    const { number, text } = record;
    for (const name of ['JournalNo', 'AccountName'])
      if (text(name) === '') faults.push(`line ${number}: ${name} is empty`);
    if (/(?:^|:)\s|\s(?::|$)|::|^:|:$/.test(text('AccountName')))
      faults.push(`line ${number}: AccountName is not written Parent:Sub`);
    for (const fault of slashedDayFaults(record, 'JournalDate', 'mm/dd/yyyy'))
      faults.push(`line ${number}: ${fault}`);
    const { cents, isOne } = sidedCents(record, ['Debits', 'Credits'], {
      sign: '.',
      wholeDigits: LIMITS.wholeDigits,
    });
    if (!isOne) faults.push(`line ${number}: not one amount, in Debits or in Credits`);
    booked.push({
      journal: text('JournalNo'),
      day: text('JournalDate'),
      key: text('AccountName'),
      cents,
    });
  }
  return lintResult(booked, faults);
};
