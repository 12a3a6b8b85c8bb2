// consolidate: its folder is looked at before its databases, and it says whose balances the figures are without.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { typed } from './played.ts';
import { complaint } from './tieout.ts';

const NOWHERE = 'postgresql://a:b@127.0.0.1:9/c';

test('a folder that cannot be written is refused before a database is opened', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'theirs'));
  writeFileSync(join(folder, 'theirs', 'notes.txt'), '');
  const ended = await typed(['consolidate', NOWHERE, '--out', join(folder, 'theirs')]);
  expect([ended.exitCode, complaint(ended).join()]).toEqual([
    64,
    expect.stringContaining('contains files that no export wrote (notes.txt)'),
  ]);
});

test('a database that cannot be reached leaves nothing in or beside the folder', async () => {
  const folder = newFolder();
  const ended = await typed(['consolidate', NOWHERE, '--out', join(folder, 'group')]);
  expect([ended.exitCode, complaint(ended).join()]).toEqual([
    2,
    expect.stringContaining('cannot be reached'),
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test('entities that were never compared, and those of clients, are counted', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    `insert into run.entities (entity_id, name, first_seen_at) select id, id, now() from unnest(array['main', 'sub', 'theirs']) as id`,
  );
  await books.pool.query(
    "insert into decide.profiles (entity_id, version, owner, by_name, at) values ('theirs', 1, 'client', 'Ada', now())",
  );
  await books.pool.query(
    "insert into ledger.totals (entity_id, account, currency, debit, credit) values ('sub', 'assets:trading', 'EUR', 7, 2)",
  );
  const run = '00000000-0000-4000-8000-000000000001';
  await books.pool.query("insert into run.runs (run_id, job, started_at) values ($1, 'reconcile', now())", [
    run,
  ]);
  await books.pool.query(
    `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
     values ('main', $1, 'assets:trading', 'EUR', now(), 10, 10, 0, 'tied')`,
    [run],
  );
  const { exitCode, stdout } = await typed(['consolidate', books.url]);
  expect([exitCode, stdout]).toEqual([0, expect.stringMatching(/ sub +own +never +never /)]);
  expect(stdout).toContain('1 entity never compared: all that they booked is in not_compared\n');
  expect(stdout).toContain('1 entity of clients: left out of these figures\n');
  expect(stdout).toMatch(/^EUR +1 +10 +10 +0 +5 /m);
});
