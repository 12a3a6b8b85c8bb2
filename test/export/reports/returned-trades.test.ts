// A late trade counts in the open month; once a reopening has returned it, only the file of its own month lists it.
import { expect, test } from 'vitest';
import { cutSql } from '../../../src/export/reports/report.ts';
import { inSnapshot, rowsOf } from '../../../src/export/reports/snapshot.ts';
import { returnLate } from '../../../src/ledger/ledger.ts';
import { instantAt } from '../../land/stage.ts';
import { openBooks } from '../../normalize/books.ts';
import type { Row } from './ties.ts';

const books = openBooks();

const MONTHS = ['2026-03', '2026-04', '2026-05'];

/** The trades of March and of April, as their files list them. */
const listed = () =>
  inSnapshot(books.stage().pool, async (snapshot) => {
    const lines: string[] = [];
    for (const [index, month] of MONTHS.slice(0, 2).entries()) {
      const [from, to] = [`${month}-01T00:00:00Z`, `${MONTHS[index + 1]}-01T00:00:00Z`];
      const query = cutSql('reports/trades.sql', { from, to, by: 'posted_at', entity: '' });
      const rows: Row[] = await rowsOf(snapshot, query);
      lines.push(
        ...rows.map(
          ({ record_id, original_period }) => `${month} ${record_id} ${original_period ?? 'on time'}`,
        ),
      );
    }
    return lines;
  });

const trade = (id: string, seconds: number) => ({
  id,
  orderId: 'o1',
  symbol: 'BTC/EUR',
  side: 'buy',
  amount: '1',
  cost: '40000',
  feeAmount: '0',
  feeCurrency: 'EUR',
  createdAt: instantAt(seconds),
});

test('a trade that a reopening returned to its own month is listed there alone', async () => {
  await books.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    values ('main', '2026-03', 1, 0, 0, repeat('0', 64), '{}', 'Ada', now())`);
  await books.tell('trades', trade('late', 60), trade('on time', 40 * 86_400));
  await books.book();
  expect(await listed()).toEqual(['2026-04 late 2026-03', '2026-04 on time on time']);
  await books.rows(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    select 'main', '2026-03', 1, max(request_id), 'Grace', 'r', now() from land.requests`);
  expect(await returnLate(books.stage().db, { entity: 'main', whose: 'records' })).toBe(1);
  expect(await listed()).toEqual(['2026-03 late on time', '2026-04 on time on time']);
});
