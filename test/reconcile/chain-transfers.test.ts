// Transfers over a chain between our own pockets: paired where the address or the hash shows it, never by amount and time.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { LandedStream, WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';
import { reconcileAcross } from '../../src/reconcile/reconcile.ts';
import { derive, forgetValues } from '../../src/valuation/valuation.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

const [HOUR, DAY] = [3_600, 86_400];
const BOOKS = { timezone: 'UTC', currency: 'EUR' };
const ADDRESS = '0xAbCdEf0000000000000000000000000000000002';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.rows(
    `insert into run.entities (entity_id, name, subaccount_id, first_seen_at) values ('sub', 'sub', 'sub', '${instantAt(0)}')`,
  );
  await stage.rows(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select e, 1, 'T', 'own', 'fifo', 'Ada', now() from unnest(array['main', 'sub']) e`);
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.rows(`truncate land.records, land.inbox, land.people, land.coverage, land.pages, land.leaves, land.pockets,
    ledger.outcomes, ledger.entries, ledger.transfers, ledger.daily, ledger.totals, reconcile.own_transfers, reconcile.own_days,
    reconcile.paired_totals,
    reconcile.breaks, reconcile.break_events cascade`);
  await stage.rows(`insert into land.pockets (entity_id, pocket_id, currency, first_listed_at)
    select e, p, 'ETH', '${instantAt(0)}' from (values ('main', 'P1'), ('main', 'P2'), ('sub', 'Q1')) as t (e, p)`);
  await forgetValues(stage.db, BOOKS);
});

const land = async (entity: string, stream: LandedStream, ...rows: readonly WireRecord[]) => {
  const key = await peopleKey(stage.db, entity);
  const covers = { from: null, to: instantAt(2 * DAY), proof: 'cursor' } as const;
  await stage.land([{ rows, covers }], { entity, key, stream });
  await normalize(stage.db, { entity, ...BOOKS });
};
const receives = (entity: string, pocketId: string, rest: WireRecord = {}) =>
  land(entity, 'deposit-addresses', {
    pocketId,
    network: 'ethereum',
    address: ADDRESS,
    status: 'enabled',
    createdAt: instantAt(0),
    ...rest,
  });

const pocket = (pocketId: string, amount: string) => ({ class: 'pocket', pocketId, amount, currency: 'ETH' });
const chain = (amount: string, rest: WireRecord = {}) => ({
  class: 'blockchain',
  amount,
  currency: 'ETH',
  ...rest,
});
const completed = (seconds: number) => ({
  date: instantAt(seconds),
  completedAt: instantAt(seconds),
  status: 'completed',
});
const sent = (id: string, rest: WireRecord = {}, address = ADDRESS.toLowerCase()): WireRecord => ({
  id,
  ...completed(HOUR),
  origin: pocket('p1', '2.01'),
  destination: chain('2', { address, addressNetwork: 'Ethereum' }),
  ...rest,
});
const arrived = (id: string, pocketId: string, rest: WireRecord = {}): WireRecord => ({
  id,
  ...completed(2 * HOUR),
  origin: chain('2'),
  destination: pocket(pocketId, '2'),
  ...rest,
});
const hash = (name: string) => ({ transaction: { hash: name } });

const across = async () => {
  stage = await stage.nextRun();
  await reconcileAcross(stage.db, stage.run, { transitMs: DAY * 1_000, entities: ['main', 'sub'] });
};
const pairs = async () =>
  (
    await stage.rows(`select concat_ws(' ', from_record_id, to_record_id, trim_scale(amount_out), grounds, stands) as pair
      from books.own_transfers order by matched_at, from_record_id`)
  ).map(({ pair }) => pair);
const outside = async () =>
  (
    await stage.rows(
      "select concat_ws(' | ', record_id, counterparty_type, counterparty, rule) as line from books.outside order by record_id",
    )
  ).map(({ line }) => line);
const disposals = async () => {
  await derive(stage.db, BOOKS);
  return (
    await stage.rows(
      'select distinct record_id, exchanged_for from books.disposals d join books.entries e using (entity_id, entry_id) order by 1, 2',
    )
  ).map((it) => Object.values(it).join(' '));
};

test('the list of deposit addresses makes a withdrawal an own transfer, and its disposal is none; a reversal undoes the pair', async () => {
  await land('main', 'wallet-transactions', arrived('a0', 'p1', completed(0)), sent('w1'));
  await land('sub', 'wallet-transactions', arrived('d1', 'q1'));
  await across();
  expect(await pairs()).toEqual([]);
  expect(await disposals()).toEqual(['w1 expenses:fees:network', 'w1 external']);
  await receives('sub', 'Q1');
  await across();
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 address t']);
  expect(await outside()).toEqual([
    'a0 | unknown',
    'd1 | own-entity | main | own transfer: address',
    'w1 | own-entity | sub | own transfer: address',
  ]);
  expect(await disposals()).toEqual(['w1 expenses:fees:network']);
  expect(await stage.rows('select own_transfers::int, person_outside from books.consolidated')).toEqual([
    { own_transfers: 1, person_outside: '0' },
  ]);
  await land(
    'sub',
    'wallet-transactions',
    arrived('d1', 'q1', { origin: chain('3'), destination: pocket('q1', '3') }),
  );
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 address f']);
  expect(await disposals()).toContain('w1 external');
});

test.each([
  ['of this transaction', { transaction: { hash: '0xA1' } }, '.cancelled'],
  ['without a hash', {}, '.cancelled'],
  ['of another transaction', { transaction: { hash: '0xB2' } }, ''],
])(
  'an arrival at our address that is cancelled is named as such if it may be the transfer: %s',
  async (_, rest, kind) => {
    await receives('sub', 'Q1');
    await land('main', 'wallet-transactions', sent('w1', hash('0xA1')));
    await land('sub', 'wallet-transactions', arrived('d1', 'q1', { status: 'canceled', ...rest }));
    await across();
    expect(await stage.check('own_transfers')).toMatchObject([
      {
        subject: 'wallet-transactions w1',
        reason_parts: expect.stringContaining(`"own_transfers.out${kind}"`),
      },
    ]);
  },
);

test('days that were paired with a new address are not read again each time something is posted later', async () => {
  await land('sub', 'wallet-transactions', arrived('d1', 'q1'));
  await across();
  await receives('sub', 'Q1');
  await across();
  expect(await stage.rows('select entity_id, addresses from reconcile.own_days')).toEqual([
    { entity_id: 'sub', addresses: 1 },
  ]);
  await land('sub', 'wallet-transactions', arrived('d2', 'q1', completed(20 * DAY)));
  const { text, values } = loadSql('reconcile/transfer_days.sql', { days_apart: '8' });
  expect((await stage.rows(text, values)).map(({ day }) => day)).toEqual([instantAt(20 * DAY).slice(0, 10)]);
});

test('one hash pairs without a list; two hashes, another pocket, a tag or a shared address do not', async () => {
  const stranger = '0x0000000000000000000000000000000000000009';
  await land('main', 'wallet-transactions', sent('w1', hash('0xAB'), stranger));
  await land('sub', 'wallet-transactions', arrived('d1', 'q1', hash('0xab')));
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 hash t']);
  const tagged = { destination: chain('2', { address: ADDRESS, addressTag: '7' }) };
  await land(
    'main',
    'wallet-transactions',
    sent('w2', hash('0xcd')),
    sent('w3', { origin: pocket('p1', '2'), ...tagged }),
  );
  await land(
    'sub',
    'wallet-transactions',
    arrived('d2', 'q1', hash('0xef')),
    arrived('d3', 'q2', hash('0xef')),
  );
  await receives('sub', 'Q1');
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 hash t']);
  await land('sub', 'wallet-transactions', arrived('d4', 'q1', hash('0xcd')));
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 hash t', 'w2 d4 2 address and hash t']);
  await receives('main', 'P2');
  await land('main', 'wallet-transactions', sent('w5'));
  await land('sub', 'wallet-transactions', arrived('d5', 'q1'));
  await across();
  expect(await pairs()).toHaveLength(2);
});

test('a hash that came later than what is booked pairs too', async () => {
  await land('main', 'wallet-transactions', sent('w1', {}, '0x01'));
  await land('main', 'wallet-transactions', sent('w1', hash('0xab'), '0x01'));
  await land('sub', 'wallet-transactions', arrived('d1', 'q1', hash('0xab')));
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 hash t']);
});

test('less may arrive of what went to our address in one transaction: the rest is in transit', async () => {
  await land('main', 'wallet-transactions', arrived('a0', 'p1', completed(0)), sent('w1', hash('0xab')));
  const less = { origin: chain('1.9'), destination: pocket('q1', '1.9') };
  await land('sub', 'wallet-transactions', arrived('d1', 'q1', { ...less, ...hash('0xab') }));
  await across();
  expect(await pairs()).toEqual([]);
  await receives('sub', 'Q1');
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 address and hash t']);
  expect(await disposals()).toEqual(['w1 expenses:fees:network']);
  const lots = "select trim_scale(sum(units_left)) as units from books.lots where pool = 'in-transit'";
  expect(await stage.rows(lots)).toEqual([{ units: '0.1' }]);
  const { text } = loadSql('proofs/lots_in_transit.sql');
  expect(await stage.rows(text)).toEqual([{ checked: '1', faults: '0', first: null }]);
});

test('amount and time alone never pair', async () => {
  await land('main', 'wallet-transactions', sent('w1', {}, '0x01'));
  await land('sub', 'wallet-transactions', arrived('d1', 'q1', completed(HOUR)));
  await receives('sub', 'Q1');
  await across();
  expect(await pairs()).toEqual([]);
});

test('a pocket that pays another one of its entity over a chain pays nobody else', async () => {
  await receives('main', 'P2');
  await land(
    'main',
    'wallet-transactions',
    arrived('a0', 'p1', completed(0)),
    sent('w1'),
    arrived('d1', 'p2'),
  );
  await across();
  expect(await pairs()).toEqual(['w1 d1 2 address t']);
  expect((await outside()).slice(1)).toEqual([
    'd1 | own | main | own transfer: address',
    'w1 | own | main | own transfer: address',
  ]);
  expect(await disposals()).toEqual(['w1 expenses:fees:network']);
});

test('what left for an own address and does not arrive within a day is a break of own_transfers', async () => {
  await receives('sub', 'Q1');
  await land('main', 'wallet-transactions', sent('w1'));
  await across();
  const { text, values } = loadSql('checks/own_transfers.sql', { run: stage.run.id });
  expect(await stage.rows(text, values)).toEqual([]); // nothing of the other was read
  await land('sub', 'wallet-transactions');
  await across();
  expect(await stage.rows(text, values)).toMatchObject([
    {
      entity_id: 'main',
      subject: 'wallet-transactions w1',
      booked: '2',
      reason:
        '2 ETH went to sub, whose books lack it: the record names its deposit address, and no record there matches',
    },
  ]);
  await land('sub', 'wallet-transactions', arrived('d1', 'q1'));
  await across();
  expect(await stage.rows('select check_name, status from books.breaks')).toEqual([
    { check_name: 'own_transfers', status: 'resolved' },
  ]);
});
