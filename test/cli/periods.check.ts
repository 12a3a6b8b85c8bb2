// Months from a shell: the output for a closed month, and for an open one.
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { environmentOf, openStage, type Stage } from '../jobs/stage.ts';
import { typed } from './played.ts';
import { complaint, type Env } from './tieout.ts';

let stage: Stage;
let env: Env;

beforeAll(async () => {
  stage = await openStage(
    { seed: 4, days: 8, perDay: 10, entities: 2, until: '2026-10-03T00:00:00Z' },
    afterAll,
  );
  env = environmentOf(stage);
  await typed(['nightly'], env);
});

test('restate lists only closed months, and does not report a closed month as open', async () => {
  expect(complaint(await typed(['restate', '2026-09'], env))).toEqual([
    'tieout: 2026-09 is not closed, so there is nothing to restate: use npx tieout export for an open month',
  ]);
  const close = () => typed(['close', '2026-09', '--entity', 'main', '--by', 'Ada'], env);
  const first = (await close()).stdout.split('\n');
  expect(first[0]).toContain('2026-09 of main is closed');
  const { exitCode, stdout } = await typed(['restate', '2026-09'], env);
  expect([exitCode, stdout]).toEqual([
    0,
    '2026-09 of main: 0 entries arrived after the close, 0 reports would change\n',
  ]);
  const again = await close();
  expect([again.exitCode, again.stdout.split('\n')[0]]).toEqual([
    1,
    '2026-09 of main stays closed, its seal is unchanged:',
  ]);
  // Who runs a close again that was stopped between two entities needs what it would have printed.
  expect(again.stdout).toContain(first.slice(1).join('\n'));
  const reopen = ['reopen', '2026-09', '--entity', 'main', '--by', 'Grace', '--reason', 'a correction'];
  expect((await typed(reopen, env)).stdout).toContain(
    'After the correction, close it again: npx tieout close 2026-09 --entity main --by NAME\n',
  );
  expect(complaint(await typed(['restate', '2026-09', '--entity', 'main'], env))[0]).toContain(
    '2026-09 of main is not closed',
  );
});

test('an export to a package does not say of a month without entries that the package has received it', async () => {
  const words = ['--entity', 'main', '--format', 'holded', '--by', 'Ada', '--period'];
  const nothing = 'nothing exported: 2020-01 has no entries that holded has not received\n';
  expect(await typed(['export', ...words, '2020-01'], env)).toMatchObject({ exitCode: 0, stdout: nothing });
});

test('an export of a time that has not come is refused, not written as if nothing had happened in it', async () => {
  for (const format of ['csv', 'hledger'])
    expect(complaint(await typed(['export', '--period', '2090-Q1', '--format', format], env))).toEqual([
      'tieout: 2090-Q1 begins only at 2090-01-01T00:00:00.000Z, so nothing can be exported for it: write an earlier period with --period',
    ]);
  expect((await typed(['export', '--period', '2026-09..2090-01'], env)).exitCode).toBe(0);
});

test('restate says that a reopening values the month anew, and refuses other settings than those of the books', async () => {
  const signed = (name: string) => ['--by', name, '--entity', 'main'];
  expect((await typed(['close', '2026-09', ...signed('Ada')], env)).exitCode).toBe(0);
  const leg = 'assets:trading <- equity:external:platform 5 EUR';
  const words = [
    'adjust',
    '--leg',
    leg,
    '--at',
    '2026-09-28',
    '--reason',
    'late',
    '--evidence',
    fileURLToPath(import.meta.url),
  ];
  const { proposal_id } = JSON.parse((await typed([...words, ...signed('Ada'), '--json'], env)).stdout);
  expect((await typed(['approve', proposal_id, ...signed('Grace')], env)).exitCode).toBe(0);
  const { stdout } = await typed(['restate', '2026-09'], env);
  expect(stdout).toContain('2026-09 of main: 1 entry arrived after the close');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Units are those of a reopened month. Money is not: /);
  const elsewhere = await typed(['restate', '2026-09'], { ...env, TIEOUT_TIMEZONE: 'Europe/Madrid' });
  expect([elsewhere.exitCode, complaint(elsewhere)[0]]).toEqual([
    64,
    expect.stringContaining('TIEOUT_TIMEZONE is Europe/Madrid, but the books of main use UTC'),
  ]);
});

test('a budget without an entity applies to the same entities as a close without one; with one, to it alone', async () => {
  const set = async (...more: string[]) => {
    const words = ['budget', 'set', '100', '--by', 'Grace', '--reason', 'as agreed', ...more, '--json'];
    const { exitCode, stdout } = await typed(words, env);
    const { proposals } = JSON.parse(stdout);
    return [exitCode, proposals.map((proposal: { entity_id: string }) => proposal.entity_id)];
  };
  const closed = JSON.parse((await typed(['close', '2026-10', '--by', 'Ada', '--json'], env)).stdout);
  const entities = closed.entities.map(({ entity }: { entity: string }) => entity);
  expect(entities).toHaveLength(2);
  expect(await set()).toEqual([0, entities]);
  expect(await set('--entity', 'main')).toEqual([0, ['main']]);
  const shown = await typed(['budget', 'set', '7', '--by', 'Grace', '--reason', 'as agreed'], env);
  for (const entity of entities)
    expect(shown.stdout).toContain(`a budget of 7 EUR for each month of ${entity}`);
});
