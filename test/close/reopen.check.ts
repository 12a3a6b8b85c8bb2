import { expect, test } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { reopenMonths } from '../../src/actions/close.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { statusText } from '../../src/cli/status-page.ts';
import { reopenMonth, restateMonth } from '../../src/close/close.ts';
import { statusOf } from '../../src/run/status.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { verifyRows } from '../../src/verify/verify.ts';
import { deskOn, idOf } from '../approvals/desk.ts';
import { broken, readerOf, SPANS } from '../export/reports/ties.ts';
import type { Stage } from '../jobs/stage.ts';
import { as, close, faultsIn, SEPTEMBER, septemberClosed, trialBalance } from './month.ts';

/** The faults of the ledger, of its seals and of the rows that the runs linked. */
const faultsOf = async (stage: Stage): Promise<string[]> => {
  const ledger = await verifyLedger({ pool: stage.database.pool, timezone: 'UTC', programs: [] });
  const rows = await verifyRows(stage.database.db, { timezone: 'UTC', currency: 'EUR' });
  return [...[...ledger.proofs, ...rows].flatMap(({ first }) => first ?? []), ...(await faultsIn(stage))];
};

/** What the last night notes of months. */
const notesOfLast = async (stage: Stage): Promise<unknown[][]> => {
  const notes =
    await stage.rows(`select subject, detail from books.findings where subject in ('late', 'reopened')
    and run_id = (select run_id from books.runs order by run_number desc limit 1)`);
  return notes.map(({ subject, detail }) => [subject, detail]);
};

/** What the screen of status says of months. */
const monthLines = async (stage: Stage): Promise<string[]> => {
  const status = { ...(await statusOf(stage.database)), unfinished: [], breakRows: [] };
  return statusText(status)
    .split('\n')
    .filter((line) => line.includes('closed'));
};

test('a reopened month receives its late entries, closes with another root, and has nothing left to restate', async () => {
  const { stage, closed } = await septemberClosed();
  const desk = deskOn(stage);
  await stage.backdate('2026-09-29T10:00:00Z', 3);
  await stage.advance(1);
  await stage.fullNight();
  const late = await desk.adjust('assets:trading <- equity:external:platform 5 EUR', '2026-09-28T10:00:00Z');
  const approved = await desk.approve(idOf(late));
  const count = (where: string) => stage.rows(`select count(*) from books.entries where ${where}`);
  expect(await count('original_period is not null')).toEqual([{ count: '4' }]);
  const balances = await stage.rows('select * from books.balances order by 1, 2, 3');

  const reopen = () =>
    as(stage, (work) =>
      reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction', only: 'main' }),
    );
  expect((await reopen()).summary).toContain(
    '4 late entries moved back into it, and its values are recomputed',
  );
  expect(await stage.rows('select * from books.balances order by 1, 2, 3')).toEqual(balances);
  expect(
    await stage.rows(`select r.period, l.period as counted_in, u.reverses = l.entry_id as is_undone, d.period as stands_in,
        d.original_period, count(*)::int as count
      from ledger.returns r join books.entries l using (entity_id, entry_id)
      join books.entries u on (u.entity_id, u.entry_id) = (r.entity_id, r.undone_by)
      join books.entries d on (d.entity_id, d.entry_id) = (r.entity_id, r.redone_as) group by 1, 2, 3, 4, 5`),
  ).toEqual([
    {
      period: '2026-09',
      counted_in: '2026-10',
      is_undone: true,
      stands_in: '2026-09',
      original_period: null,
      count: 4,
    },
  ]);
  expect(Object.keys(await trialBalance(stage, '2026-10', 'prior_period'))).toEqual([]);

  const unapproved = await desk.adjust(
    'assets:trading <- equity:external:platform 5 EUR',
    '2026-09-28T10:00:00Z',
  );
  expect(idOf(unapproved)).toBe(idOf(late)); // it is listed once, under its only proposal
  const [manual] = await stage.rows('select entry_id, period, reversed_by from books.manual_entries');
  expect(manual).toMatchObject({ period: '2026-09', reversed_by: null });
  await expect(desk.reverse(/entry (\S+)/.exec(approved.summary)?.[1] ?? '')).rejects.toThrow(
    `was posted again as ${manual?.entry_id} when its month was reopened: reverse that entry`,
  );
  await desk.approve(idOf(await desk.reverse(manual?.entry_id ?? '')));
  await as(stage, (work) => nightly(work, stage.settings(), { isFull: false, writesFiles: false }));
  expect(await notesOfLast(stage)).toEqual([
    ['reopened', '2026-09 was reopened by Grace (a correction) and is not closed again'],
  ]);
  expect(await monthLines(stage)).toEqual([
    expect.not.stringContaining('main'),
    'reopened, and not closed again: main 2026-09',
  ]);

  for (const span of Object.values(SPANS)) expect(await broken(readerOf(stage), span)).toEqual([]);
  const again = (await close(stage, '2026-09', { only: 'main', by: 'Edsger' })).closed[0];
  expect(again?.obstacles).toEqual([]);
  expect(await monthLines(stage)).toEqual([expect.stringContaining('main to 2026-09')]);
  const before = closed.find(({ entity }) => entity === 'main')?.sealed;
  expect(again?.sealed?.root).not.toBe(before?.root);
  expect(again?.sealed?.entries).toBe((before?.entries ?? 0) + 5); // three records, an adjustment, its reversal
  const { late: left, reports } = await restateMonth(stage.database.pool, { entity: 'main', ...SEPTEMBER });
  expect([left, reports]).toEqual([[], []]);
  expect(await faultsOf(stage)).toEqual([]);
  expect((await as(stage, rebuild, 'owner')).isEqual).toBe(true);
  expect(await faultsOf(stage)).toEqual([]);
  expect((await reopen()).summary).toContain('0 late entries moved back');
  for (const column of ['entry_id', 'undone_by', 'redone_as'])
    expect(await faultsAfter(stage, column), column).not.toEqual([]);
});

/** The faults after the owner doubled an amount on one side of a record's reposting. */
const faultsAfter = async (stage: Stage, column: string): Promise<string[]> => {
  const scale = (by: string) =>
    stage.rows(`update ledger.transfers set amount = amount ${by} where (entity_id, entry_id) = (
      select r.entity_id, r.${column} from ledger.returns r join ledger.entries using (entity_id, entry_id)
      where stream <> 'manual' order by 2 limit 1)`);
  await scale('* 2');
  const faults = await faultsOf(stage);
  await scale('/ 2');
  return faults;
};

test('a month whose reopening was killed once it took effect is closed with its late entries', async () => {
  const { stage, closed } = await septemberClosed();
  await stage.backdate('2026-09-29T10:00:00Z', 3);
  await stage.advance(1);
  await stage.fullNight();
  const request = { period: '2026-09', by: 'Grace', reason: 'a correction' };
  await as(stage, async (work) => reopenMonth(await work.as('approver'), 'main', request));
  await expect(as(stage, (work) => reopenMonths(work, { ...request, only: 'main' }))).rejects.toThrow(
    '2026-09 cannot be reopened: it was reopened for main and is not closed again',
  );

  const again = await close(stage, '2026-09', { only: 'main', by: 'Edsger' });
  expect(again.closed[0]?.obstacles).toEqual([]);
  expect(again.result.summary).toContain('3 late entries moved back into reopened months');
  const counted = again.closed[0]?.sealed?.entries;
  expect(counted).toBe((closed.find(({ entity }) => entity === 'main')?.sealed?.entries ?? 0) + 3);
  expect(await faultsOf(stage)).toEqual([]);
});

test('a reopening that fails at a write stands only if all of its months are valued anew', async () => {
  const { stage } = await septemberClosed();
  await stage.backdate('2026-09-29T10:00:00Z', 3);
  await stage.advance(1);
  await stage.fullNight();
  await stage.rows(
    `create function public.fail() returns trigger language plpgsql as $$ begin raise 'it failed'; end $$`,
  );
  const reopen = () =>
    as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction' }));
  const standing = () =>
    stage.rows(`select entity_id, period in (select m.period from value.months m where m.entity_id = o.entity_id) as stays
      from decide.reopenings o order by 1`);
  for (const [write, stands] of [
    ['delete on value.months', 0],
    ['insert on ledger.returns', 2],
  ] as const) {
    await stage.rows(`create trigger fails before ${write} execute function public.fail()`);
    await expect(reopen()).rejects.toThrow('it failed');
    expect(await standing(), write).toEqual(Array(stands).fill(expect.objectContaining({ stays: false })));
    await stage.rows(`drop trigger fails on ${write.split(' ').at(-1)}`);
  }
});

test('the reversal of an entry that a reopening posted again cannot be approved, and names the entry to reverse', async () => {
  const { stage } = await septemberClosed();
  const desk = deskOn(stage);
  const late = await desk.adjust('assets:trading <- equity:external:platform 5 EUR', '2026-09-28T10:00:00Z');
  await desk.approve(idOf(late));
  const standing = async () => (await stage.rows('select entry_id from books.manual_entries'))[0]?.entry_id;
  const before = await standing();
  const reversal = await desk.reverse(before ?? '');
  await as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction' }));

  await expect(desk.approve(idOf(reversal))).rejects.toThrow(
    `cannot be approved, only refused: entry ${before} was posted again as ${await standing()} when its month was reopened`,
  );
  await desk.refuse(idOf(reversal));
  await desk.approve(idOf(await desk.reverse((await standing()) ?? '')));
  expect(
    await stage.rows(
      'select action, reversed_by is not null as is_reversed from books.manual_entries order by 1',
    ),
  ).toEqual([
    { action: 'adjust', is_reversed: true },
    { action: 'reverse', is_reversed: false },
  ]);
});
