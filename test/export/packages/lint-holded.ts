// The linter for Holded's journal file: UTF-8 with a byte order mark, semicolons, the columns of the template in their
// places, and the rules of help.holded.com for each.
import { HOLDED_LIMITS as LIMITS } from '../../../src/export/packages/package-limits.ts';
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

const NAME = 'Name of the accounting account';
const CODE = 'Number of the accounting account';
const MARK = [0xef, 0xbb, 0xbf];

const LAYOUT: Layout = { charset: 'utf-8', delimiter: ';', limits: LIMITS, above: 0 };

export const lintHolded = (bytes: Uint8Array): Lint => {
  const isMarked = MARK.every((byte, i) => bytes[i] === byte);
  const { lines, faults } = linesOf(isMarked ? bytes.subarray(MARK.length) : bytes, LAYOUT);
  if (!isMarked) faults.push('does not begin with a byte order mark');
  const booked: BookedSide[] = [];
  const digits = new Set<number>();
  for (const record of recordsOf(lines, LAYOUT, faults)) {
    const { number, text } = record;
    if (!/^[1-9]\d*$/.test(text('Entry number'))) faults.push(`line ${number}: Entry number is not a number`);
    for (const fault of slashedDayFaults(record, 'Date', 'dd/mm/yyyy'))
      faults.push(`line ${number}: ${fault}`);
    if (text(NAME) === '' || !/^[1-9]\d*$/.test(text(CODE))) faults.push(`line ${number}: not an account`);
    digits.add(text(CODE).length);
    const { cents, isOne } = sidedCents(record, ['Debit', 'Credit'], {
      sign: ',',
      wholeDigits: LIMITS.wholeDigits,
    });
    if (!isOne) faults.push(`line ${number}: not one amount, in Debit or in Credit`);
    booked.push({
      journal: text('Entry number'),
      day: text('Date'),
      key: text(CODE),
      cents,
    });
  }
  if (digits.size > 1) faults.push('has account numbers of several lengths');
  return lintResult(booked, faults);
};
