// The yearly check: what was bought and sold ties to the roll-forward, what left for wallets to the counterparties.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isFiat } from '../../../src/sandbox/world/coins.ts';
import type { Stage } from '../../jobs/stage.ts';
import { cellOf, type Read, type Row, readerOf, SPANS, summed, twoMonths } from './ties.ts';

const ends: (() => Promise<void>)[] = [];
let stage: Stage;
let read: Read;
beforeAll(async () => {
  stage = await twoMonths((end) => ends.push(end));
  read = readerOf(stage);
}, 60_000);
afterAll(async () => {
  for (const end of ends) await end();
});

const BY_ASSET = ['entity_id', 'currency'];

test('bought and swapped in ties to traded in of the roll-forward', async () => {
  const { 'the year': span } = SPANS;
  const events = (await read('dac8_check', span)).map(
    (row): Row => ({ ...row, currency: row.asset ?? null }),
  );
  const traded = (await read('asset_roll_forward', span)).filter((row) => !isFiat(row.currency ?? ''));
  const eventsOf = (...what: string[]) => events.filter((row) => what.includes(row.what ?? ''));
  expect(summed(eventsOf('bought', 'swapped in'), BY_ASSET, cellOf('units'))).toEqual(
    summed(traded, BY_ASSET, cellOf('traded_in')),
  );
  expect(summed(eventsOf('sold', 'swapped out'), BY_ASSET, cellOf('units'))).toEqual(
    summed(traded, BY_ASSET, cellOf('traded_out')),
  );
  expect([...new Set(eventsOf('bought', 'sold').map(({ year }) => year))]).toEqual(['2026']);
  const toWallets =
    await stage.rows(`select o.entity_id, o.currency, sum(o.amount)::text as units from books.outside o
    left join books.address_book b on (b.entity_id, 'address book: ' || b.record_id) = (o.entity_id, o.rule)
    where o.account = 'equity:external:blockchain' and o.amount > 0 and b.wallet_type is distinct from 'exchange' group by 1, 2`);
  const sent = summed(eventsOf('sent to wallets'), BY_ASSET, cellOf('units'));
  expect(sent).toEqual(summed(toWallets as Row[], BY_ASSET, cellOf('units')));
  expect(sent).not.toEqual({});
  const kinds = eventsOf('transferred in', 'transferred out').map(({ sub_type: kind }) => kind);
  expect([...new Set(kinds)].sort()).toEqual(['another provider', 'loan', 'other', 'unknown']);
  expect(events.filter(({ valuation }) => !valuation)).toEqual([]);
});
