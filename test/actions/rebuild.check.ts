// Rebuild: the same records give the same books, and it reports books that were altered by hand.
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { rebuild } from '../../src/actions/rebuild.ts';
import { unfinished } from '../../src/valuation/valuation.ts';
import { main } from '../cli/tieout.ts';
import { as } from '../close/month.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';

/** Enough records for a rebuild that takes its time. */
const FEW_DAYS = { entities: 1, days: 4 };

const rebuilt = (stage: Stage) => as(stage, rebuild, 'owner');

const paired = async (stage: Stage) => [
  await stage.rows('select * from reconcile.paired_totals order by entity_id, account, currency'),
  await stage.rows(
    'select * from reconcile.clearing_days order by entity_id, account, currency, effective_day',
  ),
  await stage.rows('select * from reconcile.own_days order by entity_id, currency, effective_day'),
  await stage.rows(
    'select * from reconcile.clearing_matches order by entity_id, debit_entry_id, credit_entry_id',
  ),
  await stage.rows('select * from reconcile.own_transfers order by from_entity, from_entry_id, to_entry_id'),
];

test('a rebuild after two nights, with changed and cancelled records, gives equal hashes, an equal journal and the same pairs', async () => {
  const stage = await openStageAfterNight();
  await stage.advance(1);
  await stage.night();
  const journal = await stage.journal();
  const numbers = () =>
    stage.rows('select entry_id, entry_number from ledger.entries order by entity_id, entry_id');
  const [numbered, pairs] = [await numbers(), await paired(stage)];
  expect(pairs[0]).not.toEqual([]);
  const { before, after, isEqual, result } = await rebuilt(stage);
  expect(after).toEqual(before);
  expect(Number(after['ledger.entries']?.rows)).toBeGreaterThan(100);
  expect({ isEqual, exitCode: result.exitCode }).toEqual({ isEqual: true, exitCode: 0 });
  expect(await stage.journal()).toBe(journal);
  expect(await numbers()).toEqual(numbered); // a past run knows its entries by their numbers
  expect(await paired(stage)).toEqual(pairs);
  const left = await as(stage, ({ db, config }) => unfinished(db, config), 'owner');
  expect(left).toEqual([]); // so files can be written
});

test('a rebuild drops a leg, and then replaces a daily summary, that was altered by hand, and reports the difference', async () => {
  const stage = await openStageAfterNight(FEW_DAYS);
  await stage.rows(`update ledger.transfers set amount = amount + 1e-18 where (entity_id, entry_id, leg) in
    (select entity_id, entry_id, leg from ledger.transfers limit 1)`);
  const ofLeg = await rebuilt(stage);
  expect({ isEqual: ofLeg.isEqual, exitCode: ofLeg.result.exitCode }).toEqual({
    isEqual: false,
    exitCode: 2,
  });
  expect(ofLeg.result.summary).toMatch(/^ledger.transfers, .*journal.csv.* differ from before/);
  await stage.rows('update ledger.daily set credit = credit + 1');
  const ofDay = await rebuilt(stage);
  expect({ isEqual: ofDay.isEqual, exitCode: ofDay.result.exitCode }).toEqual({
    isEqual: false,
    exitCode: 2,
  });
  expect(ofDay.result.summary).toMatch(/^ledger\.daily(, \w+\.csv)+ differ from before/); // and no other table: the leg is as it was
  expect(await stage.rows('(table ledger.daily except table ledger.daily_sums)')).toEqual([]);
  expect(await stage.rows('(table ledger.totals except table ledger.total_sums)')).toEqual([]);
});

const program = (stage: Stage, args: readonly string[]) => {
  const env = { PATH: process.env.PATH ?? '', TIEOUT_HOME: stage.home, DATABASE_URL: stage.database.url };
  return execa(process.execPath, [main(), ...args], {
    env,
    extendEnv: false,
    reject: false,
    cwd: stage.home,
  });
};

/** Whether one open transaction has written into all of these tables. */
const writes = async (stage: Stage, tables: readonly string[]): Promise<boolean> => {
  const [row] = await stage.rows(`
    select 1 from pg_locks l
    where database = (select oid from pg_database where datname = current_database()) and mode = 'RowExclusiveLock'
      and relation = any ('{${tables.join(',')}}'::regclass[]::oid[])
    group by pid having count(distinct relation) = ${tables.length}`);
  return row !== undefined;
};

/** Starts a rebuild as a program, and kills it once its transaction has written into these tables. */
const killedRebuild = async (stage: Stage, tables: readonly string[]) => {
  const child = program(stage, ['rebuild']);
  let isOver = false;
  void child.then(() => {
    isOver = true;
  });
  while (!isOver && !(await writes(stage, tables))) await pause(1);
  child.kill('SIGKILL');
  const { signal } = await child;
  while (await writes(stage, tables)) await pause(1); // the server notices the death of its client
  return signal;
};

const DERIVED = ['ledger.entries', 'ledger.transfers', 'ledger.daily', 'ledger.totals', 'ledger.outcomes'];
const VALUED = [
  'value.postings',
  'value.monthly',
  'value.lots',
  'value.open_lots',
  'value.uses',
  'value.findings',
];
/** A digest of each table of entries and of values that a rebuild writes, the pairs, and the breaks. */
const digests = async (stage: Stage) => {
  const all: unknown[] = [
    await paired(stage),
    await stage.rows('select break_id, status, difference from books.breaks order by 1'),
  ];
  for (const table of [...DERIVED, ...VALUED])
    all.push(
      await stage.rows(
        `select '${table}' as name, count(*), md5(string_agg(t::text, ',' order by t::text)) from ${table} as t`,
      ),
    );
  return all;
};

const MOMENTS = [
  ['ledger.transfers', 'value.months', 'ledger.outcomes'],
  ['ledger.transfers', 'reconcile.tie_outs'],
];

test('a rebuild that is killed while it books, or while it compares, leaves the books unchanged', async () => {
  const stage = await openStageAfterNight(FEW_DAYS);
  const before = await digests(stage);
  for (const tables of MOMENTS) {
    expect(await killedRebuild(stage, tables)).toBe('SIGKILL');
    expect(await digests(stage)).toEqual(before);
  }
  expect(
    await stage.rows("select job from books.runs where finished_at is null and job = 'rebuild'"),
  ).toHaveLength(MOMENTS.length);
  const again = await program(stage, ['rebuild', '--json']);
  expect([again.exitCode, JSON.parse(again.stdout).is_equal]).toEqual([0, true]);
});
