// verify --seal: the outermost seals are written once and compared later; books may grow, but nothing in them may change.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { typed } from '../cli/played.ts';
import { complaint, folder } from '../cli/tieout.ts';
import { septemberClosed } from '../close/month.ts';
import type { Stage } from '../jobs/stage.ts';

let stage: Stage;
beforeAll(async () => {
  ({ stage } = await septemberClosed(afterAll));
});

const file = join(folder, 'seals.json');
const seal = (path = file, ...args: string[]) =>
  typed(['verify', '--seal', path, ...args], { DATABASE_URL: stage.database.url });

test('is written once, and stays valid while books grow', async () => {
  const written = await seal();
  expect([written.exitCode, written.stdout]).toEqual([0, expect.stringMatching(/Written: .*seals\.json/)]);
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^\{"heads":\[\{"hash":"[0-9a-f]{64}","kind":"intervals"/);
  await stage.advance(1);
  await stage.night();
  const { exitCode, stdout } = await seal();
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/The books match every head in \S+\n/)]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test.skipIf(!existsSync('/sys/kernel'))('a disk that refuses is a failure, not a wrong name', async () => {
  const refused = await seal('/sys/seals.json');
  expect([refused.exitCode, refused.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--seal /sys/seals.json cannot be written: no permission; put that right, and run again',
    ),
  ]);
});

test('names removed rows, even if their links are removed too', async () => {
  const newer = join(folder, 'newer.json');
  await seal(newer);
  const client = await stage.database.pool.connect();
  await client.query(`set session_replication_role = replica`);
  await client.query(`
    create temporary table gone as select run_id from run.runs where position = (select max(position) from run.runs);
    delete from run.findings where run_id in (select run_id from gone);
    delete from run.conservation where run_id in (select run_id from gone);
    delete from run.links where run_id in (select run_id from gone);
    delete from run.runs where run_id in (select run_id from gone)`);
  await client.query('reset session_replication_role');
  client.release();
  const { exitCode, stdout } = await seal(newer);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(
    /what was sealed still follows +\d+ +DOES NOT HOLD \(\d+ faults?\), first: links of \S+.* is gone/,
  );
  expect(stdout).toMatch(/The books do not match every head in \S+\n/);
});

test('books with a fault are not sealed', async () => {
  const other = join(folder, 'other.json');
  const { exitCode, stdout } = await seal(other);
  expect([exitCode, existsSync(other), stdout]).toEqual([
    1,
    false,
    expect.stringMatching(/Nothing was written/),
  ]);
});

test.each([
  ['{"heads":[],"tieout_seals":"7"}', /is no file of seals: name a file written by verify --seal/],
  ['not json', /is no file of seals/],
  ['{"tieout_seals":"1","heads":[]}', /is not as verify --seal wrote it/],
])('%s is one clear line', async (text, says) => {
  const wrong = join(folder, 'wrong.json');
  writeFileSync(wrong, text);
  const ended = await seal(wrong);
  expect([ended.exitCode, complaint(ended)]).toEqual([64, [expect.stringMatching(says)]]);
});

test('a folder, and a file in a missing folder, are refused in one clear line', async () => {
  const ended = await seal(folder);
  expect([ended.exitCode, complaint(ended)]).toEqual([
    64,
    [expect.stringMatching(/is a folder, not a plain file/)],
  ]);
});
