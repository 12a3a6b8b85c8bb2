// What several hosts write has the time of the database, whatever the clock of the host: records, and requests to the webhook.
import { afterEach, expect, test, vi } from 'vitest';
import { HOUR_MS } from '../../src/base/time.ts';
import { openStageAfterNight } from '../jobs/stage.ts';
import { deliver, serve } from '../webhook/serving.ts';
import { movement, openStage } from './stage.ts';

afterEach(() => void vi.restoreAllMocks());

const setClock = (offMs: number): void => {
  const clock = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => clock() + offMs);
};

const isNow = (column: string): string =>
  `abs(extract(epoch from clock_timestamp() - ${column})) < 60 as is_now`;

test.each([-HOUR_MS, HOUR_MS])('a record that lands on a host whose clock is %s ms off', async (offMs) => {
  const stage = await openStage();
  setClock(offMs);
  await stage.tell('movements', movement('m1'));
  const found = await stage.rows(`select ${isNow('landed_at')} from land.records`);
  await stage.close();
  expect(found).toEqual([{ is_now: true }]);
});

test('a request that such a host answers', async () => {
  const stage = await openStageAfterNight();
  const served = await serve(stage.settings());
  setClock(-HOUR_MS);
  const terms = { transactionId: 't1', userId: 'u1', type: 'withdrawal', amount: '10.50', currency: 'EUR' };
  const { status } = await deliver(served, terms);
  await served.end();
  const found = await stage.rows(`select ${isNow('received_at')} from land.authorizations`);
  expect([status, found]).toEqual([200, [{ is_now: true }]]);
});
