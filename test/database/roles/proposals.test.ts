// A preparer adds only proposals that everybody can read: nobody but the owner of the database could take another one back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../database.ts';

let books: TestDatabase;

beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

/** Adds a proposal as a preparer, with the digest of its content or of another text, and takes it back. */
const add = async (action: string, content: string, digested = content): Promise<void> => {
  const session = await books.pool.connect();
  try {
    await session.query('begin');
    await session.query('set local role tieout_preparer');
    await session.query(
      `insert into decide.proposals (entity_id, proposal_id, action, content, content_sha256, reason, prepared_by, prepared_at)
       values ('main', '0123456789ab', $1, $2, encode(sha256(convert_to($3, 'UTF8')), 'hex'), 'so', 'Ada', clock_timestamp())`,
      [action, content, digested],
    );
  } finally {
    await session.query('rollback');
    session.release();
  }
};

const ADJUST = '{"action":"adjust","legs":[]}';

describe('a proposal of a preparer', () => {
  test('is added', () => expect(add('adjust', ADJUST)).resolves.toBeUndefined());

  test.each([
    ['adjust', '{"action":"adjust","legs":[["a","b","EUR","1"]]}'],
    ['open', '{"action":"open","legs":[],"lots":[{"account":"a","cost":null}]}'],
    ['lots', '{"action":"lots","lots":[["a","b","c","d","e","f"]]}'],
    ['profiles', '{"action":"profiles","wanted":[{"profile":{"tax":null}}]}'],
  ])('to %s is added with items', (action, content) => expect(add(action, content)).resolves.toBeUndefined());

  test.each([
    ['is no JSON', 'adjust', 'a note', /invalid input syntax for type json/],
    ['is of another action', 'settle', ADJUST, /policy "readable" for table "proposals"/],
    ['has no legs', 'adjust', '{"action":"adjust"}', /"readable"/],
    ['has lots that are no list', 'open', '{"action":"open","legs":[],"lots":"none"}', /"readable"/],
    ['has no profiles', 'profiles', '{"action":"profiles"}', /"readable"/],
    ['has a version that is no number', 'dismiss', '{"action":"dismiss","version":"x"}', /"readable"/],
    ['has a number', 'adjust', '{"action":"adjust","legs":[["a","b","EUR",1]]}', /"readable"/],
    ['has a leg of three', 'adjust', '{"action":"adjust","legs":[["a","b","EUR"]]}', /"readable"/],
    ['has a lot as a word', 'open', '{"action":"open","legs":[],"lots":["a"]}', /"readable"/],
    ['has a choice of nothing', 'choose', '{"action":"choose","choices":[[]]}', /"readable"/],
    ['has no profile', 'profiles', '{"action":"profiles","wanted":[{}]}', /"readable"/],
    ['has no action', 'waive', '[]', /"readable"/],
  ])('is refused if its content %s', async (_, action, content, message) => {
    await expect(add(action, content)).rejects.toThrow(message);
  });

  test('is refused if the digest is that of another content', async () => {
    await expect(add('adjust', ADJUST, '{}')).rejects.toThrow(/"readable"/);
  });
});
