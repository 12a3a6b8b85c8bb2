// What each list explains, after one night: the counts of the cookbook query against the world's own statement, and none without
// the records of the lists.
import { expect, test } from 'vitest';
import { REFERENCE_NAMES } from '../../src/base/streams.ts';
import { readSql } from '../../src/database/sql.ts';
import { openStage, type Stage } from './stage.ts';

/** Two entities with a row of every kind, and Earn movements that name their pocket. */
const EXPLAINED = { seed: 9, perDay: 15, references: true };

/** Unexplained: the payment to an address that is in no book, and two receipts whose records name no network. */
const WITH_LISTS = [
  'other address-book: sent on a chain 1, 0',
  'other deposit-addresses: received on a chain 15, 0',
  'other deposit-addresses: sent on a chain 0, 0',
  'other pocket-references: received from a bank 10, 0',
  'other trading-orders: trade 14, 0',
  'main address-book: sent on a chain 0, 1',
  'main deposit-addresses: received on a chain 15, 0',
  'main deposit-addresses: sent on a chain 1, 1',
  'main pocket-references: received from a bank 12, 0',
  'main social-pay-orders: social pay 3, 0',
  'main teller-orders: teller order, not final 1, 0',
  'main trading-orders: trade 19, 0',
  'main wallet-transactions: Earn transfer 3, 0',
];

const WITHOUT_LISTS = [
  'other address-book: sent on a chain 0, 1',
  'other deposit-addresses: received on a chain 0, 15',
  'other deposit-addresses: sent on a chain 0, 1',
  'other pocket-references: received from a bank 0, 10',
  'other trading-orders: trade 0, 14',
  'main address-book: sent on a chain 0, 2',
  'main deposit-addresses: received on a chain 0, 15',
  'main deposit-addresses: sent on a chain 0, 2',
  'main pocket-references: received from a bank 0, 12',
  'main social-pay-orders: social pay 0, 3',
  'main teller-orders: teller order, not final 0, 1',
  'main trading-orders: trade 0, 19',
  'main wallet-transactions: Earn transfer 3, 0',
];

type Row = Readonly<Record<string, string>>;
type Statement = Readonly<Record<string, Readonly<Record<string, readonly Row[]>>>>;

const world = async <T>(stage: Stage, page: string): Promise<T> =>
  (await fetch(`${stage.sandbox.url}/__world/${page}`)).json() as T;

/** A line for each list, entity and kind of record: explained, unexplained. */
const counted = async (stage: Stage): Promise<string[]> => {
  const rows = await stage.rows(readSql('cookbook/explained.sql').text);
  return rows.map(
    ({ entity_id, by_stream, kind, explained, unexplained }) =>
      `${entity_id === 'main' ? 'main' : 'other'} ${by_stream}: ${kind} ${explained}, ${unexplained}`,
  );
};

/** `record by-record` of the explanations of some kinds, in order. */
const pairs = async (stage: Stage, entity: string, ...what: readonly string[]): Promise<string[]> => {
  const rows = await stage.rows(
    `select record_id, by_record_id from books.explanations
    where entity_id = '${entity}' and what like any ('{${what.join(',')}}')`,
  );
  return rows.map(({ record_id, by_record_id }) => `${record_id} ${by_record_id}`).sort();
};

const firsts = (lines: readonly string[]) => lines.map((line) => line.split(' ')[0]);
const ids = (rows: readonly Row[] = []) => rows.map(({ record_id }) => record_id).sort();
const withOrders = (rows: readonly Row[] = []) =>
  rows.map(({ record_id, order_id }) => `${record_id} ${order_id}`).sort();

test("the lists explain what the world's own statement says, and every record of their kind but a stranger; without them, only Earn movements are explained", async () => {
  const stage = await openStage(EXPLAINED);
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  const statement = await world<Statement>(stage, 'explanations');
  const listed = await world<Record<string, { trades: string[] }>>(stage, 'ids');
  for (const [entity, says] of Object.entries(statement)) {
    expect(await pairs(stage, entity, 'paid to%', 'received from%')).toEqual(
      withOrders(says.social_payments),
    );
    const returned = says.unpaid_social_orders?.filter(({ status }) => status === 'expired') ?? [];
    expect((await pairs(stage, entity, 'returned%')).map((line) => line.split(' ')[1])).toEqual(
      returned.map(({ order_id }) => order_id),
    );
    expect(firsts(await pairs(stage, entity, 'own deposit address'))).toEqual(
      ids(says.transfers_to_own_addresses),
    );
    expect(firsts(await pairs(stage, entity, 'same transfer'))).toEqual(ids(says.earn_partners));
    const waited = await stage.rows(
      `select record_id from books.wallet_transactions where entity_id = '${entity}' and status <> 'completed'`,
    );
    expect(await pairs(stage, entity, 'teller order%')).toEqual(
      withOrders(says.teller_orders?.filter((row) => ids(waited).includes(row.record_id))),
    );
    expect(firsts(await pairs(stage, entity, 'fill%'))).toEqual(listed[entity]?.trades.toSorted());
    const references = await stage.rows(`
      select distinct w.destination_pocket_id as pocket_id, f.pocket_reference as reference
      from books.cash_flows f join books.wallet_transactions w using (entity_id, record_id)
      where f.entity_id = '${entity}' and f.channel = 'bank' and f.amount > 0`);
    expect(references.length).toBeGreaterThan(0);
    expect(says.pocket_references).toEqual(expect.arrayContaining(references));
  }
  expect(await counted(stage)).toEqual(WITH_LISTS);
  const open = await stage.rows(readSql('cookbook/social_payments_open.sql').text);
  expect(open).toMatchObject([
    { entity_id: 'main', currency: 'EUR', orders: '1', amount: '27.25', without_record: '0' },
  ]);

  await stage.rows(`delete from land.records where stream = any('{${REFERENCE_NAMES}}')`);
  expect(await counted(stage)).toEqual(WITHOUT_LISTS);
});
