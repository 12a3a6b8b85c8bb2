// The booking of an entity whose worker was killed: whoever takes its job proves what that one had booked.
import { expect, test } from 'vitest';
import { book, bookLanded, bookRest, prove } from '../../jobs/book.ts';
import { readConfig } from '../../src/config/environment.ts';
import type { Work } from '../../src/run/work.ts';
import { movement } from '../land/stage.ts';
import { openBooks } from '../normalize/books.ts';

const books = openBooks();

const workOn = (): Work => {
  const { db, run } = books.stage();
  return { db, run, config: readConfig({}), tell: () => {} } as unknown as Work;
};

/** The last proof of the run, and the check that reads it. */
const proved = async (stream: string) => {
  const { run, check, rows } = books.stage();
  const [last] = await rows(
    'select landed, booked, set_aside from books_internal.run_conservation where run_id = $1 and stream = $2',
    [run.id, stream],
  );
  return { last, breaks: (await check('conservation')).map(({ reason }) => reason) };
};

test.each([
  ['before it had booked them', async (work: Work) => prove(work, 'main')],
  ['before they had landed', async () => {}],
])('records that a worker booked after its proof, %s, are proved by the next one', async (_, proof) => {
  const work = workOn();
  await books.tell('movements', movement('m1'));
  await book(work, 'main');
  await books.tell('movements', movement('m2'));
  await proof(work);
  await bookLanded(work, 'main'); // and it is killed
  await book(work, 'main');
  expect(await proved('movements')).toEqual({ last: { landed: 2, booked: 2, set_aside: 0 }, breaks: [] });
});

test('the list of assets, which lands last, is proved by the next one, if a worker had booked it', async () => {
  const work = workOn();
  await books.tell('movements', movement('m1'));
  await book(work, 'main');
  await books.tell('assets', { symbol: 'EUR' });
  await bookLanded(work, 'main'); // and it is killed
  await bookRest(work, ['main']);
  expect(await proved('assets')).toEqual({ last: { landed: 1, booked: 0, set_aside: 1 }, breaks: [] });
});
