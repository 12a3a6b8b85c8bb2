// Streams that move no money: read when a record names something new, not again on a quiet night, and never a reason to fail.
import { expect, test } from 'vitest';
import { REFERENCE_NAMES } from '../../src/base/streams.ts';
import { reconcileAcross } from '../../src/reconcile/reconcile.ts';
import { openRun } from '../../src/run/job-run.ts';
import { unitsOf } from '../../src/sandbox/amount.ts';
import { derive, forgetValues } from '../../src/valuation/valuation.ts';
import { firstNight, openStage, openStageAfter, openStageAfterNight, type Stage } from './stage.ts';

const PATHS =
  /address-book|blockchain-manager\/address|social-pay|pocket\/reference|trading\/order|teller\/order|assets/;

/** The requests for reference streams since the last call. */
const requestsOf = (stage: Stage) => {
  let seen = 0;
  return async (): Promise<string[]> => {
    const log = await stage.log();
    const fresh = log.slice(seen).map(({ target }) => target);
    seen = log.length;
    return fresh.filter((target) => PATHS.test(target));
  };
};

const records = (stage: Stage, stream: string) =>
  stage.rows(
    `select entity_id, record_id, outcome from books.records where stream = '${stream}' order by 1, 2`,
  );

test('a first night reads what its records name; a quiet night reads none of it again', async () => {
  const stage = await openStageAfterNight();
  const requested = requestsOf(stage);
  const unknown = await stage.rows(`
    select t.order_id from books.trades t
    where not exists (select from books.trading_orders o where (o.entity_id, o.record_id) = (t.entity_id, t.order_id))`);
  expect(unknown).toEqual([]);
  const outside = await stage.rows(`
    select distinct t.destination_pocket_id from books.wallet_transactions t
    where t.origin_class like 'bank%' and not exists (
      select from books.pocket_references p where (p.entity_id, p.pocket_id) = (t.entity_id, lower(t.destination_pocket_id)))`);
  expect(outside).toEqual([]);
  const outcomes = await stage.rows(
    `select distinct outcome from books.records where stream = any('{${REFERENCE_NAMES}}')`,
  );
  expect(outcomes).toEqual([{ outcome: 'set aside: reference' }]);

  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  expect((await requested()).filter((target) => !target.startsWith('/v1/social-pay'))).toEqual([]);
  await stage.rows("update land.requests set sent_at = sent_at - interval '8 days'");
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  const weekly = (await requested()).map((target) => target.split('?')[0]).sort();
  expect(weekly).toEqual([
    '/v1/blockchain-manager/address-book',
    '/v1/blockchain-manager/address-book',
    '/v1/social-pay/order',
    '/v1/social-pay/order',
    '/v2/currency/assets',
  ]);
});

test('an operation that the gateway lacks is a note, and is not requested again on a quiet night', async () => {
  const lacking = [
    'address-book',
    'social-pay-orders',
    'orders',
    'deposit-addresses',
    'pocket-reference',
    'assets',
  ];
  const stage = await openStage({ entities: 1, faults: lacking.map((name) => `missing:${name}`) });
  const requested = requestsOf(stage);
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  const notes = await stage.rows(
    `select distinct subject, severity from books.findings where subject = any('{${REFERENCE_NAMES}}') order by 1`,
  );
  expect(notes).toEqual(
    [
      'address-book',
      'assets',
      'deposit-addresses',
      'pocket-references',
      'social-pay-orders',
      'trading-orders',
    ].map((subject) => ({ subject, severity: 'note' })),
  );
  const perStream = (await requested()).filter((target) => target.includes('pocket/reference'));
  expect(perStream.length).toBeLessThanOrEqual(3);
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  expect(await requested()).toEqual(['/v2/currency/assets']);
});

test('an operation refused to the key is a finding, every night until it is allowed', async () => {
  const stage = await openStage({ entities: 1, faults: ['forbid:address-book'] });
  expect(await stage.night()).toMatchObject({ exitCode: 1 });
  expect(await stage.night()).toMatchObject({ exitCode: 1 });
  const findings = await stage.rows(
    "select subject, severity from books.findings where severity = 'finding'",
  );
  expect(findings).toEqual(Array(2).fill({ subject: 'address-book', severity: 'finding' }));
  expect(await records(stage, 'trading-orders')).not.toEqual([]);
});

test('records are requested by name several at once, after a first answer', async () => {
  const answerMs = 200; // several times what a busy machine takes for a request
  const stage = await openStage({ entities: 1, references: true, faults: [`slow:${answerMs}`] });
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  const arrivals = (await stage.log())
    .filter(({ target }) => target.includes('pocket/reference'))
    .map((request) => request.at)
    .sort((a, b) => a - b);
  const pauses = arrivals.slice(1).map((arrivedMs, index) => arrivedMs - (arrivals[index] ?? 0));
  expect(pauses[0]).toBeGreaterThanOrEqual(answerMs);
  expect(Math.min(...pauses.slice(1))).toBeLessThan(answerMs);
});

/** A night over a world with every record that only another list explains. */
const explained = async (): Promise<Stage> => {
  const options = { entities: 2, references: true };
  const { stage, outcome } = await openStageAfter(firstNight(options));
  expect(outcome).toMatchObject({ exitCode: 0 });
  return stage;
};

type Reserved = { readonly currency: string; readonly orders: string; readonly bots: string };

test('what blocks the trading wallet, and each order with its fills, is what the world says', async () => {
  const stage = await explained();
  const answer = await fetch(`${stage.sandbox.url}/__world/explanations`);
  const truth = (await answer.json()) as Record<string, { reserved: Reserved[] }>;
  const expected = Object.entries(truth).flatMap(([entity, { reserved }]) =>
    reserved.map(({ currency, orders, bots }) => [entity, currency, unitsOf(orders), unitsOf(bots)]),
  );
  const rows = await stage.rows("select * from books.blocked_balances where account = 'assets:trading'");
  const found = rows.map(({ entity_id, currency, in_orders, unexplained, with_bots }) => [
    entity_id,
    currency,
    unitsOf(String(in_orders)) + unitsOf(String(unexplained)),
    unitsOf(String(with_bots)),
  ]);
  expect(found.sort()).toEqual(expected.sort());
  const unexplained = await stage.rows(`
    select entity_id, currency, unexplained, unexplained between 0 and in_orders * 0.0025 as is_fee
    from books.blocked_balances where unexplained <> 0 order by 1, 2`);
  expect(unexplained).toMatchObject([
    { currency: 'EUR', is_fee: true },
    { entity_id: 'main', currency: 'EUR', unexplained: '0.4491927', is_fee: true },
  ]);
  const notes = "select subject from books.findings where detail like '%unexplained' order by entity_id";
  expect(await stage.rows(notes)).toEqual([{ subject: 'blocked EUR' }, { subject: 'blocked EUR' }]);

  const orders = await stage.rows(`
    select count(*) > 15 as has_many, count(*) filter (where fills > 1) > 5 as has_parts,
      count(*) filter (where (amount, cost) is distinct from (filled_amount, order_cost)) as off
    from books.orders`);
  expect(orders).toEqual([{ has_many: true, has_parts: true, off: '0' }]);
  const classes = await stage.rows(
    `select class, count(*), string_agg(symbol, ' ' order by symbol) filter (where class <> 'coin') as symbols
    from books.assets group by 1 order by 1`,
  );
  expect(classes).toMatchObject([
    { class: 'coin', symbols: null },
    { class: 'fiat', symbols: 'EUR GBP USD' },
    { class: 'testnet', symbols: 'TBTC TETH' },
  ]);
});

type OwnPayment = { readonly record_id: string; readonly entity_id: string };

test('the list of deposit addresses or the hash shows that a payment on a chain went to ourselves: no disposal', async () => {
  const stage = await explained();
  const answer = await fetch(`${stage.sandbox.url}/__world/explanations`);
  const truth = (await answer.json()) as { main: { transfers_to_own_addresses: OwnPayment[] } };
  const [transfer] = truth.main.transfers_to_own_addresses as [OwnPayment];
  const pairs = () =>
    stage.rows(`select from_record_id, to_entity, amount_out = amount_in as is_equal from books.own_transfers
      where grounds in ('address', 'hash', 'address and hash') and stands`);
  const own = [{ from_record_id: transfer.record_id, to_entity: transfer.entity_id, is_equal: true }];
  const { db } = stage.database;
  const books = { timezone: 'UTC', currency: 'EUR' };
  const disposals = async () => {
    await forgetValues(db, books);
    await derive(db, books);
    return (
      await stage.rows(`select distinct d.exchanged_for from books.disposals d join books.entries e using (entity_id, entry_id)
        where e.record_id = '${transfer.record_id}'`)
    ).map(({ exchanged_for }) => exchanged_for);
  };
  await stage.rows(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select entity_id, 1, 'T', 'own', 'fifo', 'Ada', now() from run.entities`);
  expect([await pairs(), await disposals()]).toEqual([own, ['expenses:fees:network']]);

  const again = async (change: string) => {
    await stage.rows(change);
    await stage.rows('truncate reconcile.own_transfers, reconcile.own_days, reconcile.paired_totals');
    const entities = ['main', transfer.entity_id];
    await reconcileAcross(db, await openRun(db, 'test'), { transitMs: 86_400_000, entities });
    return [await pairs(), (await disposals()).sort()];
  };
  expect(await again("delete from land.records where stream = 'deposit-addresses'")).toEqual([
    own,
    ['expenses:fees:network'],
  ]);
  const withoutHash = `update land.records set payload = (payload::jsonb #- '{transaction,hash}')::text
    where stream = 'wallet-transactions'`;
  expect(await again(withoutHash)).toEqual([[], ['expenses:fees:network', 'external']]);
});
