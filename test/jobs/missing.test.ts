// An entity without any balance is no clean one.
import { expect, test } from 'vitest';
import { openStage } from './stage.ts';

const MISSING = ['trading-balance', 'pockets', 'earn-wallets', 'movements', 'trades', 'wallet-transactions'];

test('an entity for which every list and balance answers 404 is a finding, not a clean night', async () => {
  const faults = MISSING.map((operation) => `missing:${operation}`);
  const stage = await openStage({ entities: 1, days: 3, faults });
  expect((await stage.night()).exitCode).toBe(1);
  expect(await stage.rows("select subject, detail from books.findings where severity = 'finding'")).toEqual([
    {
      subject: 'balances',
      detail:
        'every list of balances answers 404, so nothing of this entity is compared: check GATEWAY_BASE_URL, and its id in GATEWAY_ENTITIES',
    },
  ]);
});
