// erase as run from a shell: its output and exit code, and that no personal value is ever printed.
import { execa } from 'execa';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { DAY_MS } from '../../src/base/time.ts';
import { lockBooks } from '../../src/database/writer-lock.ts';
import { openStage, type Stage } from '../land/stage.ts';
import { typed } from './played.ts';
import { bare, complaint, type Env, folder, main } from './tieout.ts';

let stage: Stage;
let env: Env;
beforeAll(async () => {
  stage = await openStage();
  env = { DATABASE_URL: stage.url };
  await stage.tell(
    'wallet-transactions',
    payment('w1', 'luz', '2018-05-01'),
    payment('w2', 'luz', '2031-05-01'),
  );
  await stage.rows("update land.records set landed_at = record_at where record_id = 'w2'");
  await stage.tell('wallet-transactions', payment('w3', 'ben', '2018-05-01'));
  await stage.tell('movements', { ...payment('m1', 'luz', '2018-05-01'), createdAt: '2018-05-01T00:00:00Z' });
});
afterAll(() => stage?.close());

const payment = (id: string, who: string, day: string): WireRecord => ({
  id,
  date: `${day}T00:00:00Z`,
  email: `${who}@example.org`,
  note: `of ${who}`,
});

const DECIDED = ['--by', 'Ana Ruiz', '--reason', 'case 17'];
const erase = (...args: readonly string[]) => typed(['erase', ...DECIDED, ...args], env);
const left = async () =>
  (await stage.rows('select distinct record_id from land.people order by 1')).map((row) => row.record_id);

test('a dry run shows, by stream, counts of what would be erased and what stays until when, and nothing else', async () => {
  const { exitCode, stdout, stderr } = await erase('--person', 'LUZ@example.org', '--dry-run');
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toBe(`entity  stream               records would be erased  fields
main    movements                                  1       2
main    wallet-transactions                        1       2

main: 1 record retained, younger than 6 years: the first can be erased from 2037-05-01T00:00:00.000Z, the last from 2037-05-01T00:00:00.000Z
dry run: nothing was changed
`);
  expect(await left()).toEqual(['m1', 'w1', 'w2', 'w3']);
});

test('a hold, its release, and the log of both; the text comes from standard input', async () => {
  const run = { cwd: folder, env: { ...bare(), ...env }, extendEnv: false, input: ' ben@example.org\n' };
  const placed = await execa(process.execPath, [main(), 'erase', '--hold', '-', ...DECIDED, '--json'], run);
  const [hold] = JSON.parse(placed.stdout);
  expect(hold).toEqual({
    entity_id: 'main',
    hold_id: expect.stringMatching(/^[0-9a-f]{12}$/),
    new: true,
    records: 1,
  });

  const ended = await erase('--expired');
  expect([ended.exitCode, ended.stdout]).toEqual([
    0,
    expect.stringMatching(
      /main: 1 record protected by a hold: npx tieout erase --list\nFiles of before stay as they are: dumps contain the erased fields, /,
    ),
  ]);
  expect(await left()).toEqual(['w2', 'w3']);

  const released = await erase('--release', hold.hold_id);
  expect([released.exitCode, released.stdout]).toEqual([
    0,
    `hold ${hold.hold_id} was released in the books of main\n`,
  ]);
  const { erasures, holds } = JSON.parse((await typed(['erase', '--list', '--json'], env)).stdout);
  expect(erasures).toMatchObject([
    { ground: 'expired', erased_by: 'Ana Ruiz', records_erased: 2, fields_erased: 4, kept_by_hold: 1 },
  ]);
  expect(holds).toMatchObject([{ hold_id: hold.hold_id, reason: 'case 17', released_by: 'Ana Ruiz' }]);
  const { stdout } = await typed(['erase', '--list'], env);
  expect(stdout).toMatch(/^ERASURES\n.*\nmain .*\n\nHOLDS\n/);
  expect(stdout).not.toMatch(/@example/);
});

test('json has the same content; a second time nothing is left; an unknown person is exit 1', async () => {
  const first = await erase('--person', 'ben@example.org', '--json');
  expect(JSON.parse(first.stdout)).toMatchObject({
    dry_run: false,
    entities: [
      {
        entity_id: 'main',
        kept_by_retention: 0,
        kept_by_hold: 0,
        erased_before: null,
        streams: [{ stream: 'wallet-transactions', records: 1, fields: 2 }],
      },
    ],
  });
  const second = await erase('--person', 'ben@example.org');
  expect([second.exitCode, second.stdout]).toEqual([
    0,
    expect.stringMatching(/^main: already erased at 20\d\d-.*Z\n$/),
  ]);
  const unknown = await erase('--person', 'zoe@example.org');
  expect([unknown.exitCode, unknown.stdout]).toEqual([
    1,
    'no personal field equals that text in the books of main\n',
  ]);
});

test('the retention comes from the environment', async () => {
  const ended = await erase('--expired');
  expect([ended.exitCode, ended.stdout]).toEqual([0, 'no erasable record is older than 6 years\n']);
  expect(await left()).toEqual(['w2']);
  const { stdout } = await typed(['erase', ...DECIDED, '--person', 'luz@example.org'], {
    ...env,
    TIEOUT_RETENTION_YEARS: '100',
  });
  expect(stdout).toContain('younger than 100 years: the first can be erased from 2131-05-01');
});

test('what may go is decided by the clock of the database, not by that of this host', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 366 * DAY_MS });
  onTestFinished(() => void vi.useRealTimers());
  const ended = await erase('--expired', '--dry-run');
  expect([ended.exitCode, ended.stdout]).toEqual([
    0,
    'no erasable record is older than 6 years\ndry run: nothing was changed\n',
  ]);
});

test('nothing is erased while a night runs', async () => {
  const lock = await lockBooks(stage.url, 'nightly');
  const ended = await erase('--expired').finally(lock.release);
  expect([ended.exitCode, complaint(ended)]).toEqual([75, [expect.stringMatching(/another run is writing/)]]);
});
