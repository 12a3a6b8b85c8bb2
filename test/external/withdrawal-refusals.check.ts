// A withdrawal that would leave a gap, or take what a closed month rests on: one clear error, and nothing withdrawn.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { type Nights, openNights } from '../reconcile/stage.ts';
import { camtOf, csvOf, paymentsOf, type StatedPayment, statedOf, statementOf } from './bank.ts';
import { commandsOn, MAIN } from './commands.ts';

let nights: Nights;
const { importText, tieout, withdraw } = commandsOn(() => nights);
beforeEach(async () => {
  nights = await openNights();
});
afterEach(() => nights?.close());

const rows = (sql: string, values: unknown[] = []) => nights.rows(sql, values);

describe('refused', () => {
  const [one, two] = paymentsOf(26, 2, ['bank']).map(statedOf) as [StatedPayment, StatedPayment];
  const february = statementOf([one], { to: '2026-02-28' });
  const march = statementOf([two], { number: 3, from: '2026-03-01', opening: february.opening + one.units });
  const [first, second] = [camtOf(february), camtOf(march)];

  const seal = (period: string, sealedAt: string) =>
    rows(
      `insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values ('main', $1, 1, 0, 0, repeat('0', 64), repeat('0', 64), 'Ada', $2)`,
      [period, sealedAt],
    );

  beforeEach(async () => {
    await nights.night({});
    await importText(first, ...MAIN);
    await importText(second, ...MAIN);
  });

  const refusal = async (wanted: Promise<{ exitCode: number | undefined; stderr: string }>) => {
    const { exitCode, stderr } = await wanted;
    expect(exitCode).toBe(64);
    expect(await rows('select count(*)::int as n from land.external_withdrawals')).toEqual([{ n: 0 }]);
    return stderr;
  };

  test('one that others follow names them, newest first', async () => {
    expect(await refusal(withdraw(first))).toContain(
      `later statements of Main follow from it: withdraw them first, newest first: npx tieout bank withdraw ${sha256(second).slice(0, 12)} (statement)`,
    );
    await withdraw(second);
    expect((await withdraw(first)).exitCode).toBe(0);
  });

  test('what is no SHA-256, of no import, of another kind or account', async () => {
    const ask = (text: string, ...args: readonly string[]) =>
      refusal(tieout('bank', 'withdraw', text, '--reason', 'r', '--by', 'Grace', ...args));
    expect(await ask('october.xml')).toContain(
      'october.xml: write the SHA-256 of the imported file, or its first 8',
    );
    expect(await ask('0123456789')).toContain(
      '0123456789: no import of a file with this SHA-256: npx tieout bank list',
    );
    expect(await ask(sha256(second), '--account', 'Other')).toContain(
      'no import of a file with this SHA-256',
    );
    expect(await refusal(withdraw(second, 'chain'))).toContain(
      'no import of a file with this SHA-256: npx tieout chain list',
    );
  });

  test('twice', async () => {
    await withdraw(second);
    const { exitCode, stderr } = await withdraw(second);
    expect(stderr).toContain(
      'Grace Hopper withdrew this import of statement before: nothing is left to withdraw',
    );
    expect(exitCode).toBe(64);
  });

  test('a file that two accounts have needs the name of one', async () => {
    const file = csvOf(february);
    await importText(file, 'bank', '--account', 'Left');
    await importText(file, 'bank', '--account', 'Right');
    expect(await refusal(withdraw(file))).toContain(
      'is imported for Left and Right: name one with --account',
    );
    const { stdout } = await withdraw(file, 'bank', '--account', 'Right');
    expect(stdout).toContain('bank account Right in EUR');
  });

  test('a month that was closed with it must be reopened first', async () => {
    await seal('2026-02', '2099-03-05T00:00:00Z'); // with what the first days of March explain
    expect(await refusal(withdraw(second))).toContain(
      'statement: 2026-02 was closed with this statement in its reconciliation: reopen 2026-02 first with npx tieout reopen',
    );
    await seal('2026-03', '2099-04-05T00:00:00Z');
    expect(await refusal(withdraw(second))).toContain(
      'statement: 2026-02 was closed with this statement in its reconciliation: reopen 2026-02 first (closed through 2026-03, the last month first) with npx tieout reopen',
    );
    await rows(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
      select entity_id, period, seal_number, 0, 'Ada', 'a wrong file', now() from decide.seals`);
    expect((await withdraw(second)).stdout).toContain('1 withdrawn');
  });

  test('a month that was closed before the import rests on nothing of it', async () => {
    await seal('2026-03', '2026-04-05T00:00:00Z');
    expect((await withdraw(second)).stdout).toContain('1 withdrawn');
  });
});
