// What a close considers: the part of a difference that arose by its cut-off, and the postings of a clearing account before it.
import { beforeEach, describe, expect, test } from 'vitest';
import { obstaclesTo } from '../../src/close/readiness.ts';
import { adjustment, type Night, type Nights, openNights, wallet, walletSide } from '../reconcile/stage.ts';

const on = (day: string) => `${day}T12:00:00.000Z`;
const SEPTEMBER_ENDS = '2026-10-01T00:00:00Z';
const OCTOBER_ENDS = '2026-11-01T00:00:00Z';

let books: Nights;
beforeEach(async () => {
  books = await openNights();
  await books.rows("update run.entities set timezone = 'UTC', currency = 'EUR'");
  return () => books.close();
});

/** Reads balances at noon of a day, with everything proved up to then. */
const readOn = async (day: string, night: Night) => {
  await books.night(night);
  await books.rows('update land.snapshots set taken_at = $1 where run_id = $2', [on(day), books.run().id]);
  await books.rows('update run.runs set started_at = $1 where run_id = $2', [on(day), books.run().id]);
  await books.rows(
    "update land.coverage set covered = tstzmultirange(tstzrange('-infinity', $1::timestamptz))",
    [on(day)],
  );
  await books.again();
};

/** A night that reads one trading balance at noon of a day; `booked` are movements of that night. */
const night = (day: string, balance: string, ...booked: ReturnType<typeof adjustment>[]) =>
  readOn(day, { records: { movements: booked }, after: { trading: [wallet('w1', 'EUR', balance)] } });
const paid = (id: string, amount: string, day: string) => adjustment(id, amount, { createdAt: on(day) });

const closing = async (to: string) =>
  books.rows(
    `select account, rolled_back::text, difference::text, status from books.closing_balances($1) where currency = 'EUR' order by 1`,
    [to],
  );

/** Everything that blocks a close. */
const allObstacles = async (period: string, to: string) => {
  const from = `${period}-01T00:00:00Z`;
  const session = await books.pool.connect();
  try {
    return await obstaclesTo(session, {
      entity: 'main',
      period,
      from,
      to,
      currency: 'EUR',
      unknown_limit: '',
    });
  } finally {
    session.release();
  }
};
/** The balances and breaks that block a close, each as printed. */
const obstacles = async (period: string, to: string) =>
  (await allObstacles(period, to)).filter(({ need }) => need === 'balances' || need === 'breaks');
const inTheWay = async (period: string, to: string): Promise<string[]> =>
  (await obstacles(period, to)).map(({ need }) => need);

test('a difference that arose in October blocks October but not September', async () => {
  await night('2026-09-20', '10', paid('m1', '10', '2026-09-10'));
  await night('2026-10-26', '10');
  await night('2026-10-27', '17');
  await night('2026-11-02', '17');
  expect(await closing(SEPTEMBER_ENDS)).toMatchObject([{ difference: '0', status: 'tied' }]);
  expect(await inTheWay('2026-09', SEPTEMBER_ENDS)).toEqual([]);
  expect(await closing(OCTOBER_ENDS)).toMatchObject([
    { rolled_back: '17', difference: '7', status: 'break' },
  ]);
  expect(await inTheWay('2026-10', OCTOBER_ENDS)).toEqual(['balances', 'breaks']);
});

test('a month that is not read to its end names the times as everywhere else', async () => {
  await night('2026-10-26', '10', paid('m1', '10', '2026-09-10'));
  await books.rows(
    "update land.coverage set covered = covered + '{[2026-10-28, 2026-10-29)}'::tstzmultirange",
  );
  const found = await allObstacles('2026-10', OCTOBER_ENDS);
  expect(found.find(({ need }) => need === 'balances')?.detail).toBe(
    `holds 10, and no balance of it was read after ${OCTOBER_ENDS}: run npx tieout nightly`,
  );
  expect(found.find(({ need }) => need === 'coverage')?.detail).toBe(
    `is not proved complete from the beginning to ${OCTOBER_ENDS}, only from the beginning to ${on('2026-10-26')}, ` +
      'and from 2026-10-28T00:00:00.000Z to 2026-10-29T00:00:00.000Z: run npx tieout nightly',
  );
});

test('of a difference in two parts, a month counts the part that arose by its end', async () => {
  await night('2026-09-10', '10', paid('m1', '10', '2026-09-01'));
  await night('2026-09-20', '15');
  await night('2026-10-05', '15');
  await night('2026-10-26', '25');
  expect(await closing(SEPTEMBER_ENDS)).toMatchObject([{ difference: '5', status: 'break' }]);
  expect(await books.rows('select difference::text, since from books.breaks')).toMatchObject([
    { difference: '15', since: on('2026-09-20') }, // its age does not restart with its newest part
  ]);
  expect(
    await books.rows("select difference::text from books_internal.breaks_at($1, '')", [SEPTEMBER_ENDS]),
  ).toEqual([{ difference: '5' }]);
});

test('without an earlier reading, a record booked twice dates the difference', async () => {
  const twins = [paid('t1', '7', '2026-10-26'), paid('t2', '7', '2026-10-26')];
  await night('2026-11-02', '17', paid('m1', '10', '2026-09-10'), ...twins);
  expect(await books.rows('select since, diverged_after from books.breaks')).toEqual([
    { since: on('2026-10-26'), diverged_after: on('2026-10-26') },
  ]);
  expect(await closing(SEPTEMBER_ENDS)).toMatchObject([
    { rolled_back: '10', difference: '0', status: 'tied' },
  ]);
  expect(await inTheWay('2026-09', SEPTEMBER_ENDS)).toEqual([]);
  expect(await inTheWay('2026-10', OCTOBER_ENDS)).toEqual(['balances', 'breaks']);
});

describe('an account that never tied', () => {
  const october = () =>
    books.rows(
      `select read_at, reported::text, moved_after::text, rolled_back::text, difference::text from books.closing_balances($1)`,
      [OCTOBER_ENDS],
    );

  test('a reading is not rolled back by a later record that it does not contain', async () => {
    await night('2026-11-02', '17', paid('m1', '10', '2026-09-10'));
    await night('2026-11-03', '47', paid('m2', '30', '2026-11-01')); // dated before the first reading, but not part of it
    await night('2026-11-04', '50');
    expect(await october()).toEqual([
      { read_at: on('2026-11-03'), reported: '47', moved_after: '30', rolled_back: '17', difference: '7' },
    ]);
  });

  test('a reading is rolled back by a record that it contains, however late it landed', async () => {
    await night('2026-11-02', '47', paid('m1', '10', '2026-09-10'));
    await night('2026-11-03', '47', paid('m2', '30', '2026-11-01'));
    await night('2026-11-04', '50');
    expect(await october()).toEqual([
      { read_at: on('2026-11-02'), reported: '47', moved_after: '30', rolled_back: '17', difference: '7' },
    ]);
  });

  test('an unexplained difference counts in every earlier month, and the blocker says why and what to do', async () => {
    await night('2026-11-02', '17', paid('m1', '10', '2026-09-10'));
    const [balances, breaks] = await obstacles('2026-10', OCTOBER_ENDS);
    const [row] = await books.rows('select break_id, diverged_after from books.breaks');
    expect(row?.diverged_after).toBeNull();
    const why =
      'it may have arisen by the end of 2026-10, since no earlier balance of the account ties and no record explains the difference';
    const what = `breaks waive ${row?.break_id} --period 2026-10 --by NAME --reason TEXT accepts it`;
    for (const obstacle of [balances, breaks])
      for (const part of [why, `breaks show ${row?.break_id}`, what])
        expect(obstacle?.detail).toContain(part);
    expect(await inTheWay('2026-09', SEPTEMBER_ENDS)).toEqual(['balances', 'breaks']);
  });

  test('a record that equals the difference dates it, however uncertain the record is', async () => {
    await night('2026-11-10', '10', paid('m1', '10', '2026-09-10'), paid('m2', '25', '2026-11-05'));
    const [cause] = await books.rows(
      'select kind, confidence < 0.85 as is_uncertain from books.break_candidates',
    );
    expect(cause).toEqual({ kind: 'surplus', is_uncertain: true });
    expect(await october()).toMatchObject([{ rolled_back: '10', difference: '0' }]);
    expect(await inTheWay('2026-10', OCTOBER_ENDS)).toEqual([]);
    const NOVEMBER_ENDS = '2026-11-09T00:00:00Z';
    expect(await inTheWay('2026-11', NOVEMBER_ENDS)).toEqual(['balances', 'breaks']);
  });

  test('of several records that equal the difference, the earliest dates it', async () => {
    const alike = [paid('m2', '25', '2026-10-05'), paid('m3', '25', '2026-11-05')];
    await night('2026-11-10', '35', paid('m1', '10', '2026-09-10'), ...alike);
    expect(await books.rows('select since from books.breaks')).toEqual([{ since: on('2026-10-05') }]);
    expect(await inTheWay('2026-10', OCTOBER_ENDS)).toEqual(['balances', 'breaks']);
    expect(await inTheWay('2026-09', SEPTEMBER_ENDS)).toEqual([]);
  });

  test('records that only suggest a cause do not date the difference', async () => {
    const fine = paid('m2', '3.000000000000000001', '2026-11-05');
    await night('2026-11-10', '13', paid('m1', '10', '2026-09-10'), fine);
    const [cause] = await books.rows('select kind, records from books.break_candidates where rank = 1');
    expect(cause).toEqual({ kind: 'rounding', records: ['movements m2'] });
    expect(await inTheWay('2026-10', OCTOBER_ENDS)).toEqual(['balances', 'breaks']);
  });
});

test('a reading that tied in its own night still ties, except for earlier records landed after it', async () => {
  await night('2026-11-02', '10', paid('m1', '10', '2026-09-10'));
  await night('2026-11-03', '45', paid('m2', '30', '2026-11-01'));
  expect(await books.rows('select difference::text, diverged_after from books.breaks')).toEqual([
    { difference: '5', diverged_after: on('2026-11-01') },
  ]);
  expect(await closing(OCTOBER_ENDS)).toMatchObject([{ rolled_back: '10', difference: '0' }]);
  expect(await inTheWay('2026-10', OCTOBER_ENDS)).toEqual([]);
});

test('a record booked by the run of the last tie is not a likely cause, whatever the clock', async () => {
  const [first, second] = [paid('m1', '10', '2026-09-01'), paid('m2', '7', '2026-09-02')];
  await night('2026-09-20', '17', first, second); // landed by our clock after the balance was read by the gateway's
  await night('2026-10-05', '10');
  const cause = "select kind, records, confidence::float from books.break_candidates where kind = 'surplus'";
  expect(await books.rows(cause)).toEqual([{ kind: 'surplus', records: ['movements m2'], confidence: 0.36 }]);
});

test('a clearing account counts postings without a counterpart before the cut-off, and has no reading', async () => {
  const pocket = {
    pocket: [{ id: 'p1', currency: 'EUR', balance: '-50', blockedBalance: '0', blockedOutputBalance: '0' }],
  };
  const out = (id: string, amount: string, day: string) =>
    walletSide(id, amount, { date: on(day), completedAt: on(day) });
  await readOn('2026-11-02', {
    records: { 'wallet-transactions': [out('w1', '20', '2026-09-10'), out('w2', '30', '2026-10-26')] },
    after: { trading: [], ...pocket },
  });
  const clearing = async (to: string) =>
    books.rows(
      `select booked::text, read_at, reported, difference::text, status from books.closing_balances($1) where account = 'assets:clearing:trading'`,
      [to],
    );
  expect(await clearing('2026-09-05T00:00:00Z')).toEqual([]);
  const unread = { read_at: null, reported: null, status: 'break' };
  expect(await clearing(SEPTEMBER_ENDS)).toEqual([{ booked: '20', difference: '-20', ...unread }]);
  expect(await clearing(OCTOBER_ENDS)).toEqual([{ booked: '50', difference: '-50', ...unread }]);
  expect(
    await books.rows("select since from books.breaks where account = 'assets:clearing:trading'"),
  ).toEqual([{ since: on('2026-09-10') }]);
});
