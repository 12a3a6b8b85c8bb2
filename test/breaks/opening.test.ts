// Breaks of one check in batches: the same rows and events as one by one, and a number of statements that does not grow with them.
import type { KyselyPlugin } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CheckRow, settleBreaks } from '../../src/breaks/breaks.ts';
import { assignBreak, explainBreak, findBreak, resolveBreak } from '../../src/breaks/life.ts';
import { openBreaks } from '../../src/breaks/opening.ts';
import { openStage, type Stage } from '../land/stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const row = (subject: string, difference: string): CheckRow => ({
  entity_id: 'main',
  subject,
  account: null,
  currency: 'EUR',
  reported: difference,
  booked: '0',
  difference,
  reason: `${subject} differs by ${difference}`,
  since: '2026-03-01T00:00:00.123456Z',
});

const ROWS = 30;
const CAUSES = new Map();

/** A night in which most subjects differ, some by another amount than before, and some not at all. */
const nightRows = (night: number): CheckRow[] =>
  Array.from({ length: ROWS }, (_, index) => index)
    .filter((index) => (index + night) % 5 > 0)
    .map((index) => row(`line ${index}`, index % 3 === 0 ? `${night}.50` : '7'));

/** Resolves those without a row, then opens row by row, or all at once. */
const settle = async (check: string, rows: readonly CheckRow[], isOneByOne: boolean) => {
  const found = { entity: 'main', check, causes: CAUSES };
  if (!isOneByOne) return settleBreaks(stage.db, stage.run, { ...found, rows });
  for (const one of rows) await openBreaks(stage.db, stage.run, { ...found, rows: [one] });
  return settleBreaks(stage.db, stage.run, { ...found, rows });
};

/** Some are assigned, some explained, some resolved, whatever allows it. */
const takeSteps = async (check: string) => {
  const open = await stage.rows(
    "select break_id, subject from books.breaks where check_name = $1 and status <> 'resolved' order by subject",
    [check],
  );
  for (const [nth, { break_id }] of open.entries()) {
    const found = await findBreak(stage.db, String(break_id), 'main');
    const step = { found, by: 'Ada', reason: 'by mail' };
    if (nth % 7 === 1 && found.assigned_to === null)
      await assignBreak(stage.db, stage.run, { ...step, to: 'Grace' });
    if (nth % 7 === 2) await explainBreak(stage.db, stage.run, { ...step, records: ['movements m1'] });
    if (nth % 7 === 3) await resolveBreak(stage.db, stage.run, step);
  }
};

/** All columns but what differs from check to check. */
const stored = (check: string) =>
  stage.rows(
    `select to_jsonb(b) - '{break_id,check_name,position}'::text[] as break from reconcile.breaks b
    where check_name = $1 order by position`,
    [check],
  );
const events = (check: string) =>
  stage.rows(
    `select b.subject, to_jsonb(e) - '{break_id,event_id}'::text[] as event from reconcile.break_events e
    join reconcile.breaks b using (entity_id, break_id)
    where check_name = $1 order by event_id`,
    [check],
  );

describe('breaks in batches', () => {
  test('have the rows and events of breaks that are opened one by one', async () => {
    for (let night = 1; night <= 6; night += 1) {
      stage = await stage.nextRun();
      await settle('single', nightRows(night), true);
      await settle('batch', nightRows(night), false);
      expect(await stored('batch')).toEqual(await stored('single'));
      expect(await events('batch')).toEqual(await events('single'));
      await takeSteps('single');
      await takeSteps('batch');
    }
    const reached = await stage.rows(`select distinct regexp_replace(reason, ':? .*', '') as event
      from reconcile.break_events order by 1`);
    expect(reached.map(({ event }) => event)).toEqual([
      'assigned',
      'by',
      'it',
      'marked',
      'opened',
      'reopened',
      'the',
    ]);
  });

  test('take as many statements for 200 rows as for 2', async () => {
    const statements = async (check: string, rows: number) => {
      let count = 0;
      const counter: KyselyPlugin = {
        transformQuery: ({ node }) => {
          count += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const db = stage.db.withPlugin(counter);
      const found = { entity: 'main', check, causes: CAUSES };
      const all = Array.from({ length: rows }, (_, index) => row(`line ${index}`, '1'));
      await settleBreaks(db, stage.run, { ...found, rows: all });
      await settleBreaks(db, stage.run, { ...found, rows: [] });
      return count;
    };
    expect(await statements('many', 200)).toBe(await statements('few', 2));
    const rows = await stage.rows(`select check_name, count(*)::int as breaks from reconcile.breaks
      where status = 'resolved' group by 1 order by 1`);
    expect(rows).toEqual([
      { check_name: 'few', breaks: 2 },
      { check_name: 'many', breaks: 200 },
    ]);
  });

  test('are stored whole when there are more rows than one statement takes', async () => {
    const rows = Array.from({ length: 12_001 }, (_, index) => row(`line ${index}`, '1'));
    await settleBreaks(stage.db, stage.run, { entity: 'main', check: 'large', rows, causes: CAUSES });
    const counts = `select (select count(*)::int from reconcile.breaks) as breaks, (select count(*)::int from reconcile.break_events) as events`;
    expect(await stage.rows(counts)).toEqual([{ breaks: 12_001, events: 12_001 }]);
  });

  test('are one break where two rows have one subject, with the later row and both events', async () => {
    const rows = [row('line 1', '1'), row('line 2', '2'), row('line 1', '3')];
    await settleBreaks(stage.db, stage.run, { entity: 'main', check: 'twice', rows, causes: CAUSES });
    expect(await stage.rows('select subject, difference from reconcile.breaks order by position')).toEqual([
      { subject: 'line 1', difference: '3' },
      { subject: 'line 2', difference: '2' },
    ]);
    const reasons = await stage.rows('select reason from reconcile.break_events order by event_id');
    expect(reasons.map(({ reason }) => reason)).toEqual([
      'opened: line 1 differs by 1',
      'opened: line 2 differs by 2',
      'the difference was 1',
    ]);
  });
});
