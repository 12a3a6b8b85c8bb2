// A restatement: the reports of one entity's month as if it were not closed; what others posted late stays where they posted it.
import { expect, test } from 'vitest';
import { restatable } from '../../src/export/reports/lines.ts';
import { reportName } from '../../src/export/reports/report.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  paired,
  reversed,
  sell,
  twoEntities,
  withBooks,
} from '../valuation/month-stand.ts';

withBooks(twoEntities);

const JANUARY = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const LATE = { day: '2026-01-20', period: '2026-02' };

/** The reports of January that differ if it is cut as if the month of an entity were not closed. */
const restated = async (entity: string, by: string): Promise<string[]> => {
  const names = restatable().map(reportName);
  const different: string[] = [];
  for (const name of names) {
    const [posted, open] = await Promise.all(
      ['posted_at', by].map((way) => reportRows(books.pool, name, { ...JANUARY, entity, by: way })),
    );
    if (JSON.stringify(posted) !== JSON.stringify(open)) different.push(name);
  }
  return different;
};

test('late entries of another entity, and what it reversed of a transfer, are no restatement of this one', async () => {
  await booked({ day: '2026-01-02', name: 'held' }, buy('1', '40000'));
  await booked({ day: '2026-01-02', name: 'other', entity: 'a' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-10', name: 'sent' }, [
    'equity:external:person <- assets:trading 0.01 BTC',
  ]);
  const arrived = await booked({ day: '2026-01-10', hour: '13', name: 'arrived', entity: 'a' }, [
    'assets:trading <- equity:external:person 0.01 BTC',
  ]);
  await paired(sent, arrived);
  await derive(books.db, BOOKS);
  await close('2026-01', 'a');
  await booked({ ...LATE, name: 'late', entity: 'a' }, buy('2', '90000'));
  await booked({ ...LATE, name: 'sold', entity: 'a', hour: '14' }, sell('0.5', '30000'));
  await reversed(arrived, '2026-01-10', '2026-02');
  await derive(books.db, BOOKS);

  expect(await restated('main', 'main 2026-01')).toEqual([]);
  expect(await restated('a', 'a 2026-01')).toEqual(
    expect.arrayContaining(['trial_balance', 'open_lots', 'journal', 'intercompany']),
  );
});
