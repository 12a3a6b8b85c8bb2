// A linter of the journal file that QuickBooks Online imports: UTF-8 without a mark, commas, its columns, and what Intuit's
// "Import journal entries" asks of each.
import { amountOf, type Booked, isDay, judged, type Layout, linesOf, recordsOf } from './lint.ts';
import type { Lint } from './package.ts';
import { QUICKBOOKS_LIMITS as LIMITS } from './package-limits.ts';

const LAYOUT: Layout = { charset: 'utf-8', delimiter: ',', limits: LIMITS, above: 0 };

export const lintQuickbooks = (bytes: Uint8Array): Lint => {
  const { lines, faults } = linesOf(bytes, LAYOUT);
  const booked: Booked[] = [];
  for (const { number, text } of recordsOf(lines, LAYOUT, faults)) {
    for (const name of ['JournalNo', 'AccountName'])
      if (text(name) === '') faults.push(`line ${number}: ${name} is empty`);
    if (/(?:^|:)\s|\s(?::|$)|::|^:|:$/.test(text('AccountName')))
      faults.push(`line ${number}: AccountName is not written Parent:Sub`);
    const [month = '', day = '', year = ''] = text('JournalDate').split('/');
    if (!/^\d{2}\/\d{2}\/\d{4}$/.test(text('JournalDate')) || !isDay(year, month, day))
      faults.push(`line ${number}: JournalDate is not mm/dd/yyyy`);
    const [debit, credit] = [text('Debits'), text('Credits')];
    const cents = amountOf(debit || credit, '.', LIMITS.wholeDigits);
    if ((debit === '') === (credit === '') || cents === null || cents <= 0n)
      faults.push(`line ${number}: not one amount, in Debits or in Credits`);
    booked.push({
      ...{ journal: text('JournalNo'), day: text('JournalDate'), key: text('AccountName') },
      cents: debit === '' ? -(cents ?? 0n) : (cents ?? 0n),
    });
  }
  return judged(booked, faults);
};
