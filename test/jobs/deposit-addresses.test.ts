// When the deposit addresses of a pocket are requested: it may get another address at any time.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, readRows } from '../../src/database/database.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

const DAY = 86_400;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.rows(
    `insert into land.pockets (entity_id, pocket_id, currency, first_listed_at) values ('main', 'P1', 'ETH', '${instantAt(0)}')`,
  );
});
afterAll(() => stage.close());

const pocket = { class: 'pocket', pocketId: 'p1', amount: '1', currency: 'ETH', addressNetwork: 'ethereum' };

/** Lands a deposit, and returns what is requested for it on a day. */
const requestedFor = async (id: string, day: number, address?: string) => {
  const [before] = await stage.rows('select coalesce(max(request_id), 0)::text as last from land.requests');
  await stage.tell('wallet-transactions', {
    id,
    date: instantAt(day * DAY),
    status: 'completed',
    origin: { class: 'blockchain', addressNetwork: 'ethereum' },
    destination: { ...pocket, address },
  });
  const weekly = instantAt((day - 7) * DAY);
  const names = await readRows<{ stream: string; name: string }>(
    stage.db,
    loadSql('references/named.sql', { entity: 'main', since: String(before?.last), weekly }),
  );
  return names.filter(({ stream }) => stream === 'deposit-addresses').map(({ name }) => name);
};

const listed = (day: number, ...addresses: readonly string[]) =>
  stage.land(
    [
      {
        rows: addresses.map((address) => ({
          pocketId: 'P1',
          network: 'ethereum',
          address,
          status: 'enabled',
        })),
        covers: { from: null, to: instantAt(day * DAY), proof: 'list', total: addresses.length },
      },
    ],
    { stream: 'deposit-addresses', scope: 'P1 ethereum' },
  );

test('the deposit addresses of a pocket are read again for an address that they lack, and after a week', async () => {
  const list = ['P1 ethereum'];
  expect(await requestedFor('first', 0, '0xAA')).toEqual(list);
  await listed(0, '0xAA');
  expect(await requestedFor('same address', 1, '0xaa')).toEqual([]);
  expect(await requestedFor('no address', 2)).toEqual([]);
  expect(await requestedFor('newer address', 3, '0xBB')).toEqual(list);
  await listed(3, '0xAA', '0xBB');
  expect(await requestedFor('newer address again', 4, '0xBB')).toEqual([]);
  expect(await requestedFor('no address after a week', 11)).toEqual(list);
});
