// A linter of Holded's journal file: UTF-8 with a mark, semicolons, the template's columns in their places, and what
// help.holded.com asks of each.
import { amountOf, type Booked, isDay, judged, type Layout, linesOf, recordsOf } from './lint.ts';
import type { Lint } from './package.ts';
import { HOLDED_LIMITS as LIMITS } from './package-limits.ts';

const NAME = 'Name of the accounting account';
const CODE = 'Number of the accounting account';
const MARK = [0xef, 0xbb, 0xbf];

const LAYOUT: Layout = { charset: 'utf-8', delimiter: ';', limits: LIMITS, above: 0 };

export const lintHolded = (bytes: Uint8Array): Lint => {
  const isMarked = MARK.every((byte, i) => bytes[i] === byte);
  const { lines, faults } = linesOf(isMarked ? bytes.subarray(MARK.length) : bytes, LAYOUT);
  if (!isMarked) faults.push('does not begin with a byte order mark');
  const booked: Booked[] = [];
  const digits = new Set<number>();
  for (const { number, text } of recordsOf(lines, LAYOUT, faults)) {
    if (!/^[1-9]\d*$/.test(text('Entry number'))) faults.push(`line ${number}: Entry number is not a number`);
    const [day = '', month = '', year = ''] = text('Date').split('/');
    if (!/^\d{2}\/\d{2}\/\d{4}$/.test(text('Date')) || !isDay(year, month, day))
      faults.push(`line ${number}: Date is not dd/mm/yyyy`);
    if (text(NAME) === '' || !/^\d+$/.test(text(CODE))) faults.push(`line ${number}: not an account`);
    digits.add(text(CODE).length);
    const [debit, credit] = [text('Debit'), text('Credit')];
    const cents = amountOf(debit || credit, ',', LIMITS.wholeDigits);
    if ((debit === '') === (credit === '') || cents === null || cents <= 0n)
      faults.push(`line ${number}: not one amount, in Debit or in Credit`);
    booked.push({
      ...{ journal: text('Entry number'), day: text('Date'), key: text(CODE) },
      cents: debit === '' ? -(cents ?? 0n) : (cents ?? 0n),
    });
  }
  if (digits.size > 1) faults.push('has account numbers of several lengths');
  return judged(booked, faults);
};
