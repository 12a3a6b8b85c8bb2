// The life of a break over several nights: assignment, explanation, and the effect of each comparison.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  assignBreak,
  type BreakStep,
  explainBreak,
  findBreak,
  resolveBreak,
  waiveBreak,
} from '../../src/breaks/life.ts';
import { loadSql } from '../../src/database/database.ts';
import { openRun } from '../../src/run/job-run.ts';
import { adjustment, type Nights, openNights, wallet } from '../reconcile/stage.ts';

let books: Nights;
beforeEach(async () => {
  books = await openNights();
});
afterEach(() => books.close());

const landed = { records: { movements: [adjustment('m1', '100')] } };
const reporting = (balance: string) => ({ ...landed, after: { trading: [wallet('w1', 'EUR', balance)] } });

/** Takes a step on the only break as Ada, in a run of its own. */
const by = async (take: (step: BreakStep, run: Awaited<ReturnType<typeof openRun>>) => Promise<void>) => {
  const [row] = await books.rows('select break_id from books.breaks');
  const found = await findBreak(books.db, String(row?.break_id), undefined);
  await take({ found, by: 'Ada', reason: 'by mail' }, await openRun(books.db, 'test'));
};
const assign = (to = 'Grace') => by((step, run) => assignBreak(books.db, run, { ...step, to }));
const explain = (...records: string[]) =>
  by((step, run) => explainBreak(books.db, run, { ...step, reason: 'a gift', records }));
/** Waives it for the month of the last comparison, at its present difference. */
const waive = () =>
  by(async (step, run) => {
    await waiveBreak(books.db, run, step);
    await books.rows(`insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
      select entity_id, break_id, to_char(c.compared_at at time zone 'UTC', 'YYYY-MM'), difference, 'Ada', 'by mail', now()
      from books.breaks join books_internal.last_compared c using (entity_id)`);
  });
const resolve = () => by((step, run) => resolveBreak(books.db, run, step));

const standing = async () =>
  (
    await books.rows(`select status, assigned_to, explanation, explained_by, explained_records, resolved_by,
      tied_run_id is not null as is_tied from books.breaks`)
  )[0];
const nothing = { assigned_to: null, explanation: null, explained_by: null, explained_records: null };
const events = async () =>
  (await books.rows('select status, changed_by, reason from books.break_events order by event_id')).map(
    ({ status, changed_by, reason }) =>
      `${changed_by ?? '-'} ${status}: ${String(reason).replace(/: no record.*/, '')}`,
  );

/** What contradicts the steps of a break, whatever its life was. */
const fault = async () => (await books.pool.query(loadSql('proofs/break_states.sql'))).rows[0]?.first;

describe('a break', () => {
  afterEach(async () => expect(await fault()).toBeNull());

  test('is assigned, explained and resolved automatically, and each step has a person and a reason', async () => {
    await books.night(reporting('90'));
    await assign();
    await books.night(reporting('90'));
    await explain('movements m1');
    await assign('Edsger'); // reassigned: the explanation stays
    await books.night(reporting('90'));
    expect(await standing()).toEqual({
      status: 'explained',
      assigned_to: 'Edsger',
      explanation: 'a gift',
      explained_by: 'Ada',
      explained_records: 'movements m1',
      resolved_by: null,
      is_tied: false,
    });
    await books.night(reporting('100'));
    expect(await standing()).toMatchObject({ status: 'resolved', resolved_by: null, is_tied: true });
    expect(await events()).toEqual([
      '- open: opened',
      'Ada assigned: assigned to Grace: by mail',
      'Ada explained: a gift (movements m1)',
      'Ada explained: assigned to Edsger: by mail',
      '- resolved: it ties again',
    ]);
    const [seen] = await books.rows('select tied_run_id from books.breaks');
    expect(seen?.tied_run_id).toBe(books.run().id);
  });

  test('starts again after a tie: unassigned, unexplained, and as old as the night that found it', async () => {
    await books.night(reporting('90'));
    await assign();
    await explain();
    await books.night(reporting('100'));
    await books.night(reporting('90'));
    expect(await standing()).toEqual({ status: 'open', ...nothing, resolved_by: null, is_tied: false });
    const [age] = await books.rows(
      'select found_at, opened_at, found_at > opened_at as is_younger from books.breaks',
    );
    expect(age).toMatchObject({ found_at: books.run().startedAt, is_younger: true });
  });

  test('applies an explanation only to its difference, and stays assigned', async () => {
    await books.night(reporting('90'));
    await explain();
    await books.night(reporting('80'));
    expect(await standing()).toMatchObject({ status: 'open', ...nothing });
    await assign();
    await explain();
    await books.night({ ...landed, after: { pocket: [] } }); // no comparison: nothing changes
    expect(await standing()).toMatchObject({ status: 'explained' });
    await books.night(reporting('70'));
    expect(await standing()).toMatchObject({ status: 'assigned', assigned_to: 'Grace', explanation: null });
  });

  test('that was waived reopens when its difference changes, and stays assigned', async () => {
    await books.night(reporting('90'));
    await assign();
    await waive();
    await books.night(reporting('90'));
    expect(await standing()).toMatchObject({ status: 'waived' });
    await books.night(reporting('80'));
    expect(await standing()).toMatchObject({ status: 'assigned', assigned_to: 'Grace' });
  });

  test('is waived by a waiver alone, not by its row', async () => {
    await books.night(reporting('90'));
    await books.rows("update reconcile.breaks set status = 'waived'"); // as a preparer may
    expect(await standing()).toMatchObject({ status: 'open' });
    await assign();
    expect(await standing()).toMatchObject({ status: 'assigned', assigned_to: 'Grace' });
  });
});

describe('a break that a person resolved', () => {
  test('reopens with its old age when the next comparison finds it', async () => {
    await books.night(reporting('90'));
    const [{ since } = {}] = await books.rows('select since from books.breaks');
    await assign();
    await resolve();
    expect(await standing()).toMatchObject({ status: 'resolved', resolved_by: 'Ada', is_tied: false });
    await books.night(reporting('90'));
    expect(await standing()).toMatchObject({ status: 'assigned', resolved_by: null, is_tied: false });
    expect(await books.rows('select since, resolved_at from books.breaks')).toEqual([
      { since, resolved_at: null },
    ]);
    expect((await events()).slice(-2)).toEqual([
      'Ada resolved: marked as resolved: by mail',
      '- assigned: reopened',
    ]);
  });

  test('is confirmed by a run in which it ties, not by one that could not compare', async () => {
    await books.night(reporting('90'));
    await resolve();
    await books.night({ ...landed, after: { pocket: [] } });
    expect(await standing()).toMatchObject({ status: 'resolved', resolved_by: 'Ada', is_tied: false });
    await books.night(reporting('100'));
    expect(await standing()).toMatchObject({ status: 'resolved', resolved_by: 'Ada', is_tied: true });
    expect((await events()).at(-1)).toBe('- resolved: it ties, as Ada stated');
    await books.night(reporting('100'));
    expect(await events()).toHaveLength(3);
  });

  test('still has the explanation of the same difference', async () => {
    await books.night(reporting('90'));
    await explain();
    await resolve();
    await books.night(reporting('90'));
    expect(await standing()).toMatchObject({ status: 'explained', explanation: 'a gift' });
  });
});

describe('an invalid step', () => {
  const refused = async (step: () => Promise<void>, says: RegExp) => {
    const before = [await standing(), await events()];
    await expect(step()).rejects.toThrow(says);
    expect([await standing(), await events()]).toEqual(before);
  };

  test('is refused for a break that is resolved, waived, or assigned to the same person', async () => {
    await books.night(reporting('90'));
    await assign();
    await refused(() => assign(' grace '), /is assigned to Grace already/);
    await waive();
    await refused(() => assign(), /is waived, and opens again .*: there is nothing left to assign/);
    await refused(() => explain(), /there is nothing left to explain/);
    await resolve();
    for (const [name, step] of Object.entries({ assign, explain, waive, resolve }))
      await refused(() => step(), new RegExp(`is resolved, .*: there is nothing left to ${name}`));
  });

  test('is refused for an unknown id or an ambiguous prefix', async () => {
    await books.night({ after: { trading: ['BTC', 'ETH', 'SOL'].map((it) => wallet(it, it, '5')) } });
    await books.rows('delete from reconcile.candidates; delete from reconcile.break_events');
    await books.rows(
      `update reconcile.breaks set break_id = case currency when 'BTC' then 'ab12' when 'ETH' then 'ab34' else '_b' end`,
    );
    const find = (id: string, entity?: string) => findBreak(books.db, id, entity);
    expect((await find('ab1')).break_id).toBe('ab12');
    expect((await find('_', 'main')).break_id).toBe('_b'); // not a pattern
    await expect(find('ab')).rejects.toThrow(
      'several breaks start with ab: ab12 of main, ab34 of main: write more',
    );
    for (const wrong of ['', '%', 'ab123', 'AB12']) await expect(find(wrong)).rejects.toThrow('no break');
    await expect(find('ab12', 'sub-1')).rejects.toThrow('no break ab12');
  });
});

test.each([
  ["status = 'assigned'", 'is assigned, and its last step says explained'],
  ["status = 'resolved', resolved_at = now()", 'is resolved, and its last step says explained'],
  ["assigned_to = 'Edsger'", 'is assigned to Edsger, and no step of it says so'],
  ["explained_by = 'Edsger'", 'has an explanation by Edsger, and no step of it says that'],
  ["explanation = 'a loan'", 'has an explanation by Ada, and no step of it says that'],
  ["explained_records = '{movements m2}'", 'has an explanation by Ada, and no step of it says that'],
])('a state that no step led to is a fault: %s', async (change, sentence) => {
  await books.night(reporting('90'));
  await assign();
  await explain('movements m1');
  expect(await fault()).toBeNull();
  await books.rows(`update reconcile.breaks set ${change}`);
  expect(await fault()).toMatch(new RegExp(`^break \\w+ of main ${sentence}$`));
});

test('whoever resolved a break took that step', async () => {
  await books.night(reporting('90'));
  await resolve();
  await books.rows("update reconcile.breaks set resolved_by = 'Edsger'");
  expect(await fault()).toMatch(/^break \w+ of main is resolved by Edsger, and no step of it says so$/);
});
