// A reopening books what returns to the month anew: it is in the pairs of what it replaces at once, because a close may seal the reports
// before the next comparison.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { typed } from '../cli/played.ts';
import { folder } from '../cli/tieout.ts';
import { openNights, tradingSide, wallet, walletSide } from '../reconcile/stage.ts';
import { camtOf, type Payment, paymentsOf, recordOf, statedOf } from './bank.ts';

const POCKETS = { pocket: [wallet('p1', 'EUR', '0')], trading: [wallet('t', 'EUR', '0')] };

const payments = paymentsOf(1, 12, ['bank']);
const late: Payment = { ...(paymentsOf(98, 1, ['bank'])[0] as Payment), day: '2026-02-16', units: 44_400 };
const LATE_AT = '2026-02-17T10:00:00.000Z';

/** A payment and a transfer into trading of February that are booked once it is closed. */
const LATE = {
  'wallet-transactions': [recordOf(late), walletSide('w1', '7.5', { date: LATE_AT, completedAt: LATE_AT })],
  movements: [tradingSide('m1', '7.5', { createdAt: LATE_AT })],
};

const statement = (): string => {
  const lines = [...payments, late].map(statedOf).sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : 1));
  const path = join(folder, 'returned.xml');
  writeFileSync(path, camtOf({ opening: 5_000_000, lines, number: 1, from: '2026-01-31', to: '2026-03-12' }));
  return path;
};

test('late entries that return to a reopened month match their lines, and are not in transit', async () => {
  const nights = await openNights();
  onTestFinished(() => nights.close());
  const accepted = async (...args: readonly string[]) => {
    const { exitCode, stderr } = await typed(args, { DATABASE_URL: nights.url });
    expect([exitCode, stderr]).toEqual([0, '']);
  };
  await nights.night({ records: { 'wallet-transactions': payments.map(recordOf) }, after: POCKETS });
  await nights.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    values ('main', '2026-02', 1, 0, 0, repeat('0', 64), '{}', 'Ada', '2026-03-05T00:00:00Z')`);
  await nights.night({ records: LATE, after: POCKETS });
  await accepted('bank', 'import', statement(), '--account', 'Main', '--by', 'Ana');
  await accepted('reopen', '2026-02', '--by', 'Grace', '--reason', 'late records');

  const report = async (name: string) => {
    const { text, values } = loadSql(`reports/${name}.sql`, { to: '2026-03-01T00:00:00Z', entity: 'main' });
    return nights.rows(text, values);
  };
  const across = (await report('reconciliation')).filter(({ account }) => account === 'equity:external:bank');
  expect(across.map(({ item, amount, lines }) => `${item} ${amount} ${lines}`)).toEqual([
    'stated 30901.38 12',
    'booked -30901.38 12',
    'left 0 null',
  ]);
  expect(await report('in_transit')).toEqual([]);
});
