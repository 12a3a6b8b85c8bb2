// What commands say of a proposal whose content the owner of the database altered so that nobody can read it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOfStored, namingAltered } from '../../src/run/run.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { typed } from './played.ts';
import { complaint, type Env } from './tieout.ts';

let books: TestDatabase;
let env: Env;
beforeAll(async () => {
  books = await freshDatabase();
  env = { DATABASE_URL: books.url };
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', now())`);
});
afterAll(() => books?.close());

const OPENING = JSON.stringify({
  action: 'open',
  description: 'opening balances',
  effective_at: '2026-10-01T00:00:00.000Z',
  legs: [['assets:trading', 'equity:opening', 'BTC', '1']],
  lots: [],
});

/** Only the proposal, with this content in place of what its digest covers. */
const alterTo = async (content: string, digested = OPENING): Promise<void> => {
  await books.pool.query('delete from decide.proposals');
  await books.pool.query(
    `insert into decide.proposals (entity_id, proposal_id, action, content, content_sha256, reason, prepared_by, prepared_at)
     values ('main', '0123456789ab', 'open', $1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), 'because', 'Ada', now())`,
    [content, digested],
  );
};

const NAMED =
  /the content of proposal 0123456789ab of main was altered in the database and cannot be read \(.+\): restore a dump/;
const CUT = OPENING.slice(0, 60);

test.each([
  ['status', ['status'], CUT],
  ['a list of what awaits approval', ['approve'], CUT],
  ['a query', ['query', 'select content, effective_at from proposals'], CUT],
  ['a run', ['reconcile'], CUT],
  ['a run that reads lots', ['reconcile'], OPENING.replace('[]', '"none"')],
])('%s names the proposal', async (_, args, content) => {
  await alterTo(content);
  const ended = await typed(args, env);
  expect([ended.exitCode, complaint(ended)]).toEqual([2, [expect.stringMatching(NAMED)]]);
  if (args[0] !== 'reconcile') return;
  const { rows } = await books.pool.query('select summary from books.runs order by run_number desc limit 1');
  expect(rows).toEqual([{ summary: expect.stringMatching(NAMED) }]);
});

test.each([
  ['its end is missing', ['status'], CUT],
  ['it only looks like JSON', ['status'], '{"action": open}'],
  ['it has other types', ['reconcile'], OPENING.replace('[]', '"none"')],
])('so it is if the digest was written anew: %s', async (_, args, content) => {
  await alterTo(content, content);
  expect(complaint(await typed(args, env))).toEqual([expect.stringMatching(NAMED)]);
});

test('so it is if the id was written anew too', async () => {
  const content = '{"action": open}';
  const id = idOfStored({
    entity_id: 'main',
    content,
    reason: 'because',
    evidence_sha256: null,
    prepared_by: 'Ada',
  });
  await alterTo(content, content);
  await books.pool.query('update decide.proposals set proposal_id = $1', [id]);
  expect(complaint(await typed(['status'], env))).toEqual([
    expect.stringContaining(`the content of proposal ${id} of main was altered`),
  ]);
});

test('a mistake in a query is its own, whatever else is there', async () => {
  await alterTo(OPENING, CUT);
  const ended = await typed(['query', "select 'one'::int"], env);
  expect([ended.exitCode, complaint(ended)]).toEqual([
    64,
    [expect.stringMatching(/cannot be answered: invalid input syntax for type integer: "one"$/)],
  ]);
});

test("a lost connection is no proposal's fault, and nobody asks the database that it lost", async () => {
  await alterTo(CUT);
  const lost = new Error('Connection terminated unexpectedly');
  expect(await namingAltered(books.url, lost)).toBe(lost);
});
