// Books that an interrupted run left unfinished: they are not exported, status reports it, and the next normalize completes them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bookLanded } from '../../jobs/book.ts';
import { extractOnly } from '../../jobs/nightly.ts';
import { PACKAGE_NAMES, type PackageName } from '../../src/export/packages/packages.ts';
import { bookedEntities } from '../../src/run/entities.ts';
import type { Work } from '../../src/run/work.ts';
import { valueAll } from '../../src/valuation/value-all.ts';
import { AUTUMN, as, close } from '../close/month.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';
import { played } from './played.ts';
import { complaint } from './tieout.ts';

type Leave = (work: Work, stage: Stage) => Promise<unknown>;

/** Where a night may be killed, one after the other; the last as a long one is between its work ahead and its comparisons. */
const LEFT: Readonly<Record<string, { leave: Leave; said: RegExp; left: object }>> = {
  'landed and not booked': {
    leave: (work, stage) => extractOnly(work, stage.settings(), { isFull: false }),
    said: /^tieout: landed records are not booked yet \(.*\d+ of main\b.*: run npx tieout normalize/,
    left: { entity_id: 'main', undecided: expect.any(Number) },
  },
  'booked and not valued': {
    leave: async (work) => {
      for (const entity of await bookedEntities(work)) await bookLanded(work, entity);
    },
    said: /^tieout: own transfers are not paired yet \(.*\bmain\b.*\); values are out of date \(.*\bmain from 2026-1\d on.*\): run npx tieout normalize/,
    left: {
      entity_id: 'main',
      undecided: 0,
      is_unpaired: true,
      values_from: expect.stringMatching(/^2026-1\d$/),
    },
  },
  'booked and valued, but not paired': {
    leave: valueAll,
    said: /^tieout: own transfers are not paired yet \(.*\bmain\b.*\): run npx tieout normalize/,
    left: { entity_id: 'main', undecided: 0, is_unpaired: true, values_from: null },
  },
};

/** An account map that takes every entry, so that only the unfinished records block. */
const mapFor = (name: PackageName): string => {
  const path = join(newFolder(), `${name}.csv`);
  const places = ['assets', 'liabilities', 'equity', 'income', 'expenses'];
  const lines = places.map((place) => `${place}:*,,,1200,${place},${name === 'xero' ? 'Tax Exempt' : ''}`);
  writeFileSync(path, `account,currency,counterparty_type,code,name,tax\n${lines.join('\n')}\n`);
  return path;
};

test('wherever a night was killed, export and verify report refuse, until normalize', async () => {
  const stage = await openStageAfterNight({ days: 2 });
  const env = { TIEOUT_HOME: stage.home, DATABASE_URL: stage.database.url };
  const exporting = ['export', '--period', '2026-11'];
  const verifying = ['verify', 'report', `${stage.home}/exports/2026-11`];
  const unfinished = async () => JSON.parse((await played(['status', '--json'], env)).stdout).unfinished;
  const forPackage = ['--entity', 'main', '--by', 'Ada', '--datev', '29098/55003'];
  const packages = PACKAGE_NAMES.map((name) => [
    ...exporting,
    ...forPackage,
    '--format',
    name,
    '--map',
    mapFor(name),
  ]);
  expect((await played(exporting, env)).exitCode).toBe(0);
  expect(await unfinished()).toEqual([]);
  await stage.advance(1);
  for (const [where, { leave, said: message, left }] of Object.entries(LEFT)) {
    await as(stage, async (work) => void (await leave(work, stage)));
    for (const args of [exporting, [...exporting, '--format', 'hledger'], ...packages, verifying]) {
      const ended = await played(args, env);
      const refusal = [2, [expect.stringMatching(message)]];
      expect([ended.exitCode, complaint(ended)], `${where}: ${args.join(' ')}`).toEqual(refusal);
    }
    expect(await stage.rows('select count(*) from books.batches')).toEqual([{ count: '0' }]);
    expect(await unfinished()).toContainEqual(expect.objectContaining(left));
    expect((await played(['status', '--all'], env)).stdout).toMatch(
      /^UNFINISHED\n.*entity_id +undecided +is_unpaired +values_from.*\n(.*\n)*?.*main/m,
    );
  }
  await played(['normalize'], env);
  expect(await unfinished()).toEqual([]);
  expect((await played(exporting, env)).exitCode).toBe(0);
});

test('records without an outcome of another entity with the same taxpayer block export and close', async () => {
  const stage = await openStageAfterNight(AUTUMN);
  await stage.rows(`insert into decide.profiles (entity_id, version, taxpayer, by_name, at)
    select entity_id, 1, 'one company', 'Ada', now() from run.entities`);
  const env = { TIEOUT_HOME: stage.home, DATABASE_URL: stage.database.url };
  await played(['normalize'], env);
  await stage.rows(`insert into land.inbox (entity_id, stream, record_id, version, request_id)
    select entity_id, stream, record_id, version, request_id from land.records where entity_id <> 'main' limit 1`);
  const ended = await played(['export', '--period', '2026-09', '--entity', 'main'], env);
  expect([ended.exitCode, complaint(ended)]).toEqual([2, [expect.stringContaining('not booked yet (1 of ')]]);
  const { closed } = await close(stage, '2026-09', { only: 'main' });
  expect(closed[0]?.obstacles.map(({ need }) => need)).toContain('undecided');
});
