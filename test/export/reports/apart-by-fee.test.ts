// A transfer between our own entities of which one side has a fee inside: what each eliminates cancels, and the month can close.
import { expect, test } from 'vitest';
import { derive } from '../../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  officialRates,
  paired,
  taxed,
  withBooks,
} from '../../valuation/month-stand.ts';
import { reportRows } from './report-rows.ts';

withBooks(async () => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
  );
  await officialRates('2026-01-31');
});

const JANUARY = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', entity: '' };
const SENT = ['equity:external:person <- assets:trading 0.5 BTC'];
const RECEIVED = ['assets:trading <- equity:external:person 0.5 BTC'];
const FEE = ['expenses:fees:unclassified <- assets:trading 0.1 BTC'];

test.each([
  ['the sender', ['equity:external:person <- assets:trading 0.4 BTC', ...FEE], RECEIVED, '0.5'],
  ['the receiver', SENT, ['assets:trading <- equity:external:person 0.6 BTC', ...FEE], '0.6'],
])('a fee of %s', async (_, out, arriving, eliminated) => {
  await taxed(['main', 'a'], { taxpayer: 'T' });
  await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '40000'));
  const sent = await booked({ day: '2026-01-10', name: 'sent' }, out);
  await paired(sent, await booked({ day: '2026-01-11', name: 'received', entity: 'a' }, arriving));
  await derive(books.db, BOOKS);
  const rows = await reportRows(books.pool, 'intercompany', JANUARY);
  expect(rows.map((row) => [row.entity_id, row.eliminated])).toEqual([
    ['a', `-${eliminated}`],
    ['main', eliminated],
  ]);
  const rules = await reportRows(books.pool, 'checks', JANUARY);
  expect(rules.filter(({ verdict }) => verdict !== 'holds')).toEqual([]);
});
