// Closing a month: its preconditions, what it freezes, and where late records are posted.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolveOne } from '../../src/actions/breaks.ts';
import { approveMonths, reopenMonths } from '../../src/actions/close.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { budgetChange } from '../../src/approvals/approvals.ts';
import { restateMonth } from '../../src/close/close.ts';
import { exportReports } from '../../src/export/export.ts';
import { byBoth } from '../approvals/both.ts';
import { openStage, type Stage } from '../jobs/stage.ts';
import { as, balancesIn, close, faultsIn, SEPTEMBER, septemberClosed } from './month.ts';

/** The files of a period, by name, as digests. */
const files = async (stage: Stage, period: string, entity?: string): Promise<Record<string, string>> => {
  const dir = join(stage.home, `${period}-${entity ?? 'all'}`);
  const entities = entity === undefined ? {} : { entities: [entity] };
  await exportReports({
    pool: stage.database.pool,
    period,
    outDir: dir,
    timezone: 'UTC',
    currency: 'EUR',
    ...entities,
  });
  return Object.fromEntries(
    readdirSync(dir).map((name) => [
      name,
      createHash('sha256')
        .update(readFileSync(join(dir, name)))
        .digest('hex'),
    ]),
  );
};

test('September closes, ten late records are posted in October, October closes: nothing sealed changes', async () => {
  const { stage, closed } = await septemberClosed();
  expect(closed.map(({ sealed, obstacles }) => [sealed !== null, obstacles])).toEqual([
    [true, []],
    [true, []],
  ]);
  const sealed = await files(stage, '2026-09');
  const mains = await files(stage, '2026-09', 'main');

  await stage.backdate('2026-09-29T10:00:00Z', 10);
  await stage.advance(31);
  expect((await stage.fullNight()).exitCode).toBe(0);

  expect(
    await stage.rows("select subject, detail from books.findings where subject like 'late for %'"),
  ).toEqual([
    {
      subject: 'late for 2026-09',
      detail:
        '10 entries came too late for 2026-09 and count in 2026-10: npx tieout restate 2026-09 shows them',
    },
  ]);

  const restated = await restateMonth(stage.database.pool, { entity: 'main', ...SEPTEMBER });
  expect(restated.late.map(({ period, stream }) => `${stream} in ${period}`)).toEqual(
    Array(10).fill('movements in 2026-10'),
  );
  const ofJournal = restated.reports.find(({ report }) => report === 'journal');
  expect([ofJournal?.removed.length, ofJournal?.added.length]).toEqual([0, 20]);
  const balance = restated.reports.find(({ report }) => report === 'trial_balance');
  const touched = ['main assets:trading EUR', 'main equity:external:platform EUR'];
  expect(balance?.added.map((row) => row.split(',').slice(0, 3).join(' '))).toEqual(touched);

  const dir = join(stage.home, '2026-10-all');
  await files(stage, '2026-10');
  expect(balancesIn(dir, 'opening')).toEqual(balancesIn(join(stage.home, '2026-09-all'), 'closing'));
  expect(Object.keys(balancesIn(dir, 'prior_period'))).toEqual(touched);
  const october = (await close(stage, '2026-10')).closed;
  expect(october.map(({ sealed: done, obstacles }) => [done !== null, obstacles])).toEqual([
    [true, []],
    [true, []],
  ]);
  expect(await files(stage, '2026-09')).toEqual(sealed);
  expect(await files(stage, '2026-09', 'main')).toEqual(mains);
  const roots = [...closed, ...october].map((it) => it.sealed?.root ?? '');
  expect(await faultsIn(stage, roots)).toEqual([]);

  const { isEqual } = await as(stage, rebuild, 'owner');
  expect(isEqual).toBe(true);
  expect(await files(stage, '2026-09')).toEqual(sealed);
  expect(await faultsIn(stage, roots)).toEqual([]);
});

test('each blocker is one line, and the month stays open', async () => {
  const stage = await openStage({
    until: '2026-10-03T00:00:00Z',
    defects: ['unknown-class', 'unlisted-movement'],
  });
  await stage.night();
  const wayOf = async (period: string, more = {}) =>
    (await close(stage, period, { only: 'main', ...more })).closed.flatMap(({ obstacles }) =>
      obstacles.map(({ need, subject, detail }) => `${need}: ${subject}: ${detail}`),
    );
  const found = await wayOf('2026-09');
  expect(found.map((line) => line.replace(/:.*/, ''))).toEqual([
    'balances',
    'balances',
    'breaks',
    'breaks',
    'rejects',
  ]);
  expect(found.join('\n')).toContain('a difference of 250.5 that is not waived for 2026-09');
  expect(found.join('\n')).toMatch(
    /reject wallet-transactions \S+: .*settle or dismiss it, with npx tieout rejects settle STREAM/,
  );
  const typed = found.flatMap(
    (line) => /breaks waive (\w+) --period 2026-09 --by NAME --reason TEXT accepts it$/.exec(line)?.[1] ?? [],
  );
  const open = await stage.rows(
    "select break_id from books.breaks where entity_id = 'main' and status = 'open' order by 1",
  );
  expect([...new Set(typed)].sort()).toEqual(open.map(({ break_id }) => break_id));
  expect(await wayOf('2026-10')).toEqual(
    expect.arrayContaining(['months: 2026-09: has entries and is not closed: close 2026-09 --by NAME first']),
  );
  await expect(wayOf('2030-01')).rejects.toThrow('2030-01 ends at 2030-02-01T00:00:00.000Z');
  await expect(wayOf('2026-Q3')).rejects.toThrow('is not a month');
  expect(await stage.rows('select * from books.seals')).toEqual([]);
});

test('a break waived for this period and this difference, under a stated budget, lets a month close; another difference does not', async () => {
  const stage = await openStage({ until: '2026-10-03T00:00:00Z', defects: ['one-sided-transfer'] });
  await stage.night();
  const [found] = await stage.rows(
    "select entity_id, break_id, difference::text from books.breaks where status = 'open'",
  );
  const only = found?.entity_id ?? '';
  const waive = (difference: string) =>
    stage.rows(`insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
      values ('${only}', '${found?.break_id}', '2026-09', ${difference}, 'Linus', 'the platform promised it', now())`);
  const { db } = stage.database;
  await byBoth(db, await budgetChange(db, only, { ceiling: '1000', currency: 'EUR' }), { entity: only });
  const way = async (budget: string, by = 'Grace') =>
    (await close(stage, '2026-09', { only, budget, by })).closed.flatMap(({ obstacles }) =>
      obstacles.map(({ need }) => need),
    );
  const word = { id: found?.break_id ?? '', by: 'Ada', reason: 'it came' };
  await as(stage, (work) => resolveOne(work, word));
  expect(await way('1000')).toEqual(['balances', 'breaks']); // a break that a person resolved does not tie until a comparison confirms it
  await waive('1');
  expect(await way('1000')).toEqual(['balances', 'breaks']);
  await waive(found?.difference ?? '0');
  expect(await way('700')).toEqual(['budget']);
  expect(await way('1000.01')).toEqual(['budget']); // more than the budget
  expect(await way('731.25', 'Ada')).toEqual(['budget']); // Ada set it
  expect(await way('731.25')).toEqual([]);
  const approve = (by: string) => as(stage, (work) => approveMonths(work, { period: '2026-09', by, only }));
  await expect(approve('Linus')).rejects.toThrow('Linus waived break');
  const [seal] = await stage.rows("select seal::jsonb -> 'waived' ->> 'gross' as gross from books.seals");
  expect(seal?.gross).toBe('731.25');
});

test('a seal names its preparer and, once approved, its approver', async () => {
  const { stage } = await septemberClosed();
  const names = () => stage.rows("select prepared_by, approved_by from books.seals where entity_id = 'main'");
  expect(await names()).toEqual([{ prepared_by: 'Ada', approved_by: 'no segregation of duties' }]);
  const approve = (by: string) => as(stage, (work) => approveMonths(work, { period: '2026-09', by }));
  await expect(approve(' ada')).rejects.toThrow('another person approves it');
  await approve('Grace');
  expect(await names()).toEqual([{ prepared_by: 'Ada', approved_by: 'Grace' }]);
  await expect(approve('Edsger')).rejects.toThrow('was approved by Grace');
});

test('an action applies to all its entities or none: a month closed for one of two is neither approved nor reopened for both', async () => {
  const { stage } = await septemberClosed();
  const [other] = await stage.rows("select entity_id from books.seals where entity_id <> 'main'");
  const reopen = (only?: string) =>
    as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction', only }));
  await reopen('main');
  await expect(reopen()).rejects.toThrow(
    '2026-09 cannot be reopened: it was reopened for main and is not closed again',
  );
  await expect(as(stage, (work) => approveMonths(work, { period: '2026-09', by: 'Grace' }))).rejects.toThrow(
    '2026-09 of main is not closed',
  );
  expect(
    await stage.rows(`select status, approved_by from books.seals where entity_id = '${other?.entity_id}'`),
  ).toEqual([{ status: 'closed', approved_by: 'no segregation of duties' }]);
});

test('only the last closed month can be reopened, with a name and a reason, and is closed again under another seal', async () => {
  const { stage, closed } = await septemberClosed();
  const seals = closed.flatMap(({ sealed }) => sealed?.sealSha256 ?? []);
  const reopen = (period: string) =>
    as(stage, (work) => reopenMonths(work, { period, by: 'Grace', reason: 'the bank corrected itself' }));
  await expect(reopen('2026-08')).rejects.toThrow('the last closed month of');
  expect(await faultsIn(stage, seals)).toEqual([]);
  expect((await reopen('2026-09')).summary).toContain(
    '2026-09 REOPENED by Grace (the bank corrected itself)',
  );
  expect(await faultsIn(stage, seals)).toEqual([
    expect.stringMatching(/ belongs to seal 1 of 2026-09 of \S+, which was reopened$/),
  ]);
  await stage.backdate('2026-09-29T10:00:00Z', 1);
  await stage.advance(1);
  await stage.fullNight();
  expect(await stage.rows("select distinct detail from books.findings where subject = 'reopened'")).toEqual([
    { detail: '2026-09 was reopened by Grace (the bank corrected itself) and is not closed again' },
  ]);
  expect(await stage.rows('select entry_id from books.entries where original_period is not null')).toEqual(
    [],
  );
  await close(stage, '2026-09', { by: 'Edsger' });
  expect(
    await stage.rows(
      "select seal_number, status, prepared_by from books.seals where entity_id = 'main' order by 1",
    ),
  ).toEqual([
    { seal_number: 1, status: 'reopened', prepared_by: 'Ada' },
    { seal_number: 2, status: 'closed', prepared_by: 'Edsger' },
  ]);
  expect(await faultsIn(stage)).toEqual([]);
  expect((await as(stage, rebuild, 'owner')).isEqual).toBe(true);
});
