// Earn movements whose figures contradict each other: booked as reported, and a finding that names the record.
import { expect, onTestFinished, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { reportChecks } from '../../src/reconcile/checks.ts';
import { instantAt, openStage } from '../land/stage.ts';

const rewardOf = (movementId: string, withholdingAmount: string) => ({
  movementId,
  type: 'reward',
  createdAt: instantAt(5),
  walletId: 'w1',
  amount: { value: '10', currency: 'ETH' },
  netAmount: { value: '8.1', currency: 'ETH' },
  withholdingAmount,
});

test('earn_amounts: net amount and tax withheld that do not sum to the gross amount', async () => {
  const stage = await openStage();
  onTestFinished(() => stage.close());
  await stage.tell('earn-movements', rewardOf('e1', '1.90'), rewardOf('e2', '2'));
  await normalize(stage.db, { entity: 'main', timezone: 'UTC', currency: 'EUR' });
  const { text, values } = loadSql('checks/earn_amounts.sql', { run: stage.run.id });
  expect(await stage.rows(text, values)).toEqual([
    {
      entity_id: 'main',
      subject: 'earn-movements e2',
      account: 'assets:tax-withheld',
      currency: 'ETH',
      reported: '10',
      booked: '10.1',
      difference: '-0.1',
      reason: 'net 8.1 and tax withheld 2 are 10.1, but the gross amount is 10',
    },
  ]);
  await reportChecks(stage.db, stage.run, { entities: ['main'] });
  const found = "select subject from books.findings where run_id = $1 and severity = 'finding'";
  expect(await stage.rows(found, [stage.run.id])).toEqual([{ subject: 'earn-movements e2' }]);
});
