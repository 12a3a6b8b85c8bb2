// A swap of a closed month whose stated value comes or changes later: its month stays, and the open one has the difference.
import { expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  made,
  proved,
  withBooks,
} from './month-stand.ts';

withBooks();

const swap = (ether: string, bitcoin: string) => [
  `assets:trading <- equity:conversion ${ether} ETH`,
  `equity:conversion <- assets:trading ${bitcoin} BTC`,
];

/** The record behind an entry, in a version that states a value. */
const stated = (version: number, costEuro: string | null) =>
  books.pool.query(
    `insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
    values ('main', 'trades', 'swap', $1::int, '\\x00', $2, '2026-01-20', now(), $1::int)`,
    [version, JSON.stringify({ costEuro })],
  );

test.each([
  [null, '30000', '2026-02: -0.5 of bought -20000'],
  ['24000', '30000', '2026-02: -0.5 of bought -24000 -20000 -4000'],
])('stated as %s, then as %s', async (before, after, reversal) => {
  await booked({ day: '2026-01-05', name: 'bought' }, buy('1', '40000'));
  await stated(1, before);
  const swapped = await booked({ day: '2026-01-20', name: 'swap' }, swap('10', '0.5'));
  await derived();
  const january = await disposals();
  await close('2026-01');
  await stated(2, after);
  const late = { period: '2026-02', originalPeriod: '2026-01' };
  await post(books.db, [
    reversalOf(swapped, swapped.effectiveAt, { ...swapped, ordinal: 2, version: 2, ...late }),
    {
      ...made({ day: '2026-01-20', period: '2026-02', name: 'swap', ordinal: 3 }, swap('10', '0.5')),
      version: 2,
    },
  ]);
  await derived();
  expect(await proved()).toEqual([]);
  await derivedAgain();
  const all = await disposals();
  expect(all.slice(0, january.length)).toEqual(january);
  expect(all.slice(january.length)).toEqual(['2026-02: 0.5 of bought 30000 20000 10000', reversal]);
  const { rows: lots } = await books.pool.query(
    `select concat_ws(' ', currency, sum(units_left), sum(cost_left)) as lot from books.lots group by currency order by currency`,
  );
  expect(lots.map(({ lot }) => lot)).toEqual(['BTC 0.5 20000', 'ETH 10 30000']);
});
