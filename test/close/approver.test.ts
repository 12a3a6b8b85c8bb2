// Who may approve the close of a month: not a preparer of anything in it. Approvers of that, or of the budget, may.
import { beforeAll, expect, test } from 'vitest';
import {
  acceptance,
  approve,
  budgetChange,
  type Change,
  type Content,
  propose,
} from '../../src/approvals/approvals.ts';
import { approveMonth } from '../../src/close/close.ts';
import { proveTwoPeople } from '../../src/verify/ledger/two-people.ts';
import { BANK_RULE, chartFrom, lotsOf, profileOf, ratesOf, rulesOf, waiverOf } from '../approvals/changes.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
const rows = async (sql: string, values: unknown[] = []) => (await books.pool.query(sql, values)).rows;

/** Prepared by a person named after the content, and approved by Grace. */
const decide = async (by: string, content: Content | Change) => {
  const desk = { db: books.db, decider: books.db, settings: { timezone: 'UTC', currency: 'EUR' } };
  const evidence = { name: 'mail.eml', sha256: 'c'.repeat(64) };
  const { proposal } = await propose(desk, { entity: 'main', content, reason: 'as agreed', by, evidence });
  await approve(desk, { id: proposal.proposal_id, entity: 'main', by: 'Grace' });
};

const entry = (effectiveAt: string): Content => ({
  action: 'adjust',
  effective_at: effectiveAt,
  description: 'a correction',
  legs: [['assets:trading', 'equity:external:platform', 'EUR', '1']],
});
const accepting = (period: string) => acceptance(books.db, 'main', { period, findingsMax: 2 });
const dismissal = (record_id: string): Change => ({
  action: 'dismiss',
  description: 'dismissal',
  stream: 'movements',
  record_id,
  version: '1',
});
const RULES = rulesOf(BANK_RULE);

const RATES = ratesOf('2026-09-01');
const PROFILES = profileOf({ legal_name: 'Acme' });
const CHART = chartFrom('2027-01');

const rejected = (id: string, recordAt: string) =>
  rows(
    `with record as (
      insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
      values ('main', 'movements', $1, 1, '\\x00', '{}', $2, now(), 1) returning *
    ) insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
      select entity_id, stream, record_id, version, 'rejected', 'unknown', true, 1 from record`,
    [id, recordAt],
  );

/** A choice of lots, prepared by Chooser: what it names is of no matter here. */
const chosen = () =>
  rows(
    `with proposal as (
      insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
      values ('main', 'c0ffee000000', 'choose', '{}', 'as agreed', 'Chooser', now()) returning *
    ) insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at)
      select entity_id, proposal_id, 'approved', prepared_by, 'Grace', clock_timestamp() from proposal`,
  );

/** A statement of September, withdrawn by somebody. */
const withdrawn = (file: string, by: string) =>
  rows(
    `with account as (
      insert into land.external_accounts (entity_id, account_name, kind, currency, number_marks, by_name, at)
      values ('main', $1, 'bank', 'EUR', '{}', 'Ada', now()) returning *
    ), statement as (
      insert into land.external_statements (entity_id, account_name, statement_number, format, file_name, file_sha256, starts_on, ends_on,
        opening, closing, lines, by_name, at)
      select entity_id, account_name, 1, 'camt.053', $1, repeat('a', 64), '2026-09-10', '2026-09-30', 0, 0, 0, 'Ada', now() from account returning *
    ) insert into land.external_withdrawals (entity_id, account_name, statement_number, reason, by_name, at)
      select entity_id, account_name, 1, 'the wrong file', $2, clock_timestamp() from statement`,
    [file, by],
  );

beforeAll(async () => {
  books = await freshDatabase();
  await rows(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', now())`);
  await rejected('m9', '2026-09-30T23:59:59Z');
  await rejected('m10', '2026-10-01T00:00:00Z');
  await rejected('m8', '2026-08-31T23:59:59Z');
  await rejected('m8-late', '2026-08-31T23:59:59Z');
  await decide('Dismissal before', dismissal('m8'));
  await decide('Lot before', lotsOf('before.csv'));
  const close = (period: string, by: string) =>
    rows(
      `insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values ('main', $1, 1, 0, 0, repeat('0', 64), '{}', $2, clock_timestamp())`,
      [period, by],
    );
  await close('2026-08', 'Edsger');
  await decide('Entry', entry('2026-09-30T23:59:59.000Z'));
  await decide('Entry later', entry('2026-10-01T00:00:00.000Z'));
  await decide('Waiver', waiverOf('2026-09'));
  await decide('Waiver later', waiverOf('2026-10'));
  await decide('Acceptance', await accepting('2026-09'));
  await decide('Acceptance later', await accepting('2026-10'));
  await decide('Dismissal', dismissal('m9'));
  await decide('Late dismissal', dismissal('m8-late'));
  await decide('Dismissal later', dismissal('m10'));
  await decide('Lots', lotsOf('in.csv'));
  await chosen();
  await withdrawn('september.xml', 'Withdrawer');
  await decide('Rates', RATES);
  await decide('Rules', RULES);
  await decide('Profiles', PROFILES);
  await decide('Chart', CHART);
  await decide('Ceiling', await budgetChange(books.db, 'main', { ceiling: '100', currency: 'EUR' }));
  await close('2026-09', 'Ada');
  await decide('Lots later', lotsOf('after.csv'));
  await withdrawn('again.xml', 'Withdrawer later');
  return () => books.close();
});

/** Tried, and rolled back. */
const approving = async (by: string): Promise<string> => {
  const undone = new Error('approved');
  const trial = books.db.transaction().execute(async (tx) => {
    await approveMonth(tx, 'main', { period: '2026-09', by });
    throw undone;
  });
  return trial.then(String, ({ message }) => String(message).split(':')[0] ?? '');
};

test.each([
  ['Ada', 'Ada prepared the seal of 2026-09 of main'],
  ['a-d.a', 'a-d.a prepared the seal of 2026-09 of main'],
  ['Entry', 'Entry prepared entry'],
  ['Entr\u00fd', 'Entr\u00fd prepared entry'],
  ['Waiver', 'Waiver waived break 3f9c21d07a44 in 2026-09 of main'],
  ['W.aiver', 'W.aiver waived break 3f9c21d07a44 in 2026-09 of main'],
  ['Acceptance', 'Acceptance accepted value findings in 2026-09 of main'],
  ['Dismissal', 'Dismissal dismissed movements m9 in 2026-09 of main'],
  ['Late dismissal', 'Late dismissal dismissed movements m8-late in 2026-09 of main'],
  ['Lots', 'Lots prepared the lots of proposal'],
  ['Withdrawer', 'Withdrawer withdrew september.xml of september.xml in 2026-09 of main'],
  ['Chooser', 'Chooser prepared the choice of lots of proposal c0ffee000000'],
  ['Rates', 'Rates prepared the rates of proposal'],
  ['Chart', 'Chart prepared the chart of proposal'],
  ['Rules', 'Rules prepared the counterparties of proposal'],
  ['Profiles', 'Profiles prepared the profiles of proposal'],
])('%s may not approve it: %s', async (by, message) => {
  expect((await approving(by)).slice(0, message.length)).toBe(message);
});

test.each([
  'Grace', // approved all of that
  'Ceiling', // set the budget before
  'Lot before',
  'Lots later',
  'Withdrawer later',
  'Entry later',
  'Waiver later',
  'Acceptance later',
  'Dismissal later',
  'Dismissal before', // of a record of the month before, by its close
  'Edsger', // closed the month before
  'Linus',
])('%s may approve it', async (by) => {
  expect(await approving(by)).toBe('approved');
});

test('an acceptance that was prepared before the close cannot be approved after it', async () => {
  await expect(decide('Acceptance', await accepting('2026-09'))).rejects.toThrow(
    '2026-09 of main is closed: only an open month can have accepted value findings',
  );
});

test('verify names a pair of lookalike names that a database client inserted', async () => {
  const proof = async () => {
    const { faults, first } = await proveTwoPeople(books.db);
    return [faults, first];
  };
  expect(await proof()).toEqual(['0', null]);
  await rows(
    "insert into decide.seal_approvals values ('main', '2026-09', 1, 'Ada', '\u0410d\u0430', now())",
  );
  expect(await proof()).toEqual([
    '1',
    'seal 1 of 2026-09 of main was prepared by Ada and approved by \u0410d\u0430: the names look the same',
  ]);
});

test('the database refuses the simplest lookalikes itself', async () => {
  const seal = (by: string) =>
    rows("insert into decide.seal_approvals values ('main', '2026-08', 1, 'Edsger', $1, now())", [by]);
  for (const by of [' edsger', 'Ed-sger', 'E d s g e r', 'Edsg\u00e9r', '\uff25dsger'])
    await expect(seal(by), by).rejects.toThrow('another_person');
});
