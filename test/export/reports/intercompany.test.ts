// Our own entities together: what they sent each other cancels, and the rest is the sum of their trial balances.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sum } from '../../../src/base/money.ts';
import { openStage, type Stage } from '../../jobs/stage.ts';
import { cellOf, negated, type Read, type Row, readerOf, summed } from './ties.ts';

const ends: (() => Promise<void>)[] = [];
let stage: Stage;
let read: Read;
/** The sender and the receiver of every transfer. */
let sender: string;
let receiver: string;
beforeAll(async () => {
  stage = await openStage({ entities: 3, faults: ['own-transfers:4'] }, (end) => void ends.push(end));
  await stage.night();
  read = readerOf(stage);
  const [pair] = await stage.rows(
    'select distinct from_entity, to_entity from books.own_transfers where from_entity <> to_entity',
  );
  [sender = '', receiver = ''] = [pair?.from_entity, pair?.to_entity];
}, 60_000);
afterAll(async () => {
  for (const end of ends) await end();
});

const SPAN = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
/** An instant between the two sides of a transfer. */
const between = async (): Promise<string> => {
  const [row] = await stage.rows(
    'select (from_at + (to_at - from_at) / 2)::text as at from books.own_transfers where from_entity <> to_entity and from_at < to_at order by from_at limit 1',
  );
  return new Date(row?.at ?? '').toISOString();
};
const difference = (row: Row): string =>
  sum([cellOf('closing_value')(row), negated('eliminated_value')(row)]);

const expectTies = async (span: typeof SPAN): Promise<void> => {
  const [balance, group, matrix] = await Promise.all(
    ['trial_balance', 'consolidated_trial_balance', 'intercompany'].map((report) => read(report, span)),
  );
  const byCode = ['entity_id', 'account_code', 'asset_class'];
  expect(summed(group ?? [], byCode, cellOf('closing_value'))).toEqual(
    summed(balance ?? [], byCode, cellOf('closing_value')),
  );
  expect(summed(group ?? [], byCode, cellOf('consolidated_value'))).toEqual(
    summed(group ?? [], byCode, difference),
  );
  for (const name of ['eliminated_value', 'consolidated_value']) // without unvalued lines, all entities sum to zero
    expect(summed(group ?? [], ['value_currency'], cellOf(name))).toEqual({});
  expect(summed(matrix ?? [], ['currency'], cellOf('eliminated'))).toEqual({});
  for (const name of ['eliminated_value', 'in_transit_value', 'difference_value'])
    expect(summed(matrix ?? [], ['entity_id'], cellOf(name))).toEqual(
      summed(group ?? [], ['entity_id'], cellOf(name)),
    );
};

describe('four transfers from one entity to another', () => {
  test('are in the matrix of both, once each way, and cancel', async () => {
    const rows = await read('intercompany', SPAN);
    const total = sum(['40.5', '41.5', '42.5', '43.5']);
    expect(rows).toHaveLength(2);
    expect(rows.find((row) => row.entity_id === sender)).toMatchObject({
      partner_id: receiver,
      currency: 'EUR',
      transfers: '4',
      sent: total,
      received: '0',
      eliminated: total,
      in_transit: '0',
      unpaired: '0',
      sent_value: '168.00',
      eliminated_value: '168.00',
      unvalued: '0',
    });
    expect(rows.find((row) => row.entity_id === receiver)).toMatchObject({
      partner_id: sender,
      transfers: '4',
      sent: '0',
      received: total,
      eliminated: `-${total}`,
      received_value: '168.00',
      eliminated_value: '-168.00',
      difference_value: '0.00',
    });
  });

  test('tie to the trial balances', () => expectTies(SPAN));

  test('no row of the group mixes cash and coins, and the function of the views has the sum of its rows', async () => {
    const group = await read('consolidated_trial_balance', SPAN);
    const keys = group.map((row) => [row.entity_id, row.account_code, row.asset_class].join(' '));
    expect(new Set(keys).size).toBe(group.length);
    const conversion = group.filter((row) => row.entity_id === sender && row.account_name === 'Conversion');
    expect(conversion.map(({ asset_class }) => asset_class)).toEqual(['coin', 'e-money token', 'fiat']);
    const together = await stage.rows(
      `select * from books.consolidated_trial_balance('${SPAN.from}', '${SPAN.to}')`,
    );
    const byCode = ['account_code', 'asset_class', 'value_currency'];
    expect(together.length).toBe(new Set(group.map((row) => `${row.account_code} ${row.asset_class}`)).size);
    for (const name of [
      'closing_value',
      'eliminated_value',
      'consolidated_value',
      'unvalued',
      'missing_value',
    ])
      expect(summed(together, byCode, cellOf(name))).toEqual(summed(group, byCode, cellOf(name)));
  });

  test('one whose other side is not booked at the end is in transit, and not eliminated', async () => {
    const span = { from: SPAN.from, to: await between() };
    const rows = await read('intercompany', span);
    const amounts = rows.map((row) => [row.entity_id === sender, row.in_transit === '0']);
    expect(amounts).toContainEqual([true, false]);
    await expectTies(span);
  });
});

test('the receiver without its record is unpaired, and a client is left out', async () => {
  await stage.rows(`update reconcile.own_days set lone = 0`);
  const [{ units = '' } = {}] = await stage.rows(
    `select amount_out::text as units from books.own_transfers where grounds = 'pocket' order by from_at limit 1`,
  );
  await stage.rows(`delete from reconcile.own_transfers o using (
      select from_entry_id from books.own_transfers where grounds = 'pocket' order by from_at limit 1
    ) as first where o.from_entry_id = first.from_entry_id`);
  await stage.rows(`update reconcile.own_days set lone = 1 where currency = 'EUR'`);
  const rows = await read('intercompany', SPAN);
  expect(rows.find((row) => row.entity_id === sender)).toMatchObject({ transfers: '3', unpaired: units });
  await expectTies(SPAN);
  await stage.rows(`insert into decide.profiles (entity_id, version, owner, by_name, at, proposal_entity, proposal_id)
    select '${receiver}', 1, 'client', 'Ada', now(), null, null`);
  expect(await read('intercompany', SPAN)).toEqual([]);
  const left = await read('consolidated_trial_balance', SPAN);
  expect(left.length).toBeGreaterThan(5);
  expect(left.filter((row) => row.entity_id === receiver)).toEqual([]);
});
