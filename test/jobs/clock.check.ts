// Wrong clocks: the gateway's may delay a proof and never advance it; runs follow one another by number.
import { hostname } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { statusOf } from '../../src/run/status.ts';
import { booked, exported, night, openStage, type Stage, truth } from './stage.ts';
import { tampered } from './tampered.ts';

const SMALL = { entities: 1, days: 3, perDay: 8 };
const DATE = 'Fri, 31 Dec 9999 23:59:59 GMT';

test('an answer dated 9999 proves nothing beyond now, and is a finding', async () => {
  const stage = await openStage(SMALL);
  let answers = 0;
  stage.sandbox = await tampered(stage.sandbox, (_, { headers }) => {
    answers += 1;
    if (answers % 4 === 0) headers.date = DATE;
  });
  expect(await stage.night()).toMatchObject({ exitCode: 1 });
  expect(
    await stage.rows(`select 'coverage' from books.coverage where covered_to > now()
      union all select 'tie-out' from books.tie_outs where as_of > now()
      union all select 'reading' from books.readings where taken_at > now()
      union all select 'full read' from run.entities where full_read_at > now()`),
  ).toEqual([]);
  const [finding] = await stage.rows("select detail from books.findings where subject = 'clock'");
  expect(finding?.detail).toMatch(
    /^the gateway's clock is \d+ days ahead of that of the host \S+; proofs reach only to the earliest clock/,
  );
});

test('a gateway whose clock is an hour behind delays the proof', async () => {
  const stage = await openStage(SMALL);
  stage.sandbox = await tampered(stage.sandbox, (_, { headers }) => {
    headers.date = new Date(Date.now() - 3_600_000).toUTCString();
  });
  expect(await stage.night()).toMatchObject({ exitCode: 1 });
  expect(await stage.rows("select from books.coverage where covered_to > now() - interval '59 min'")).toEqual(
    [],
  );
  expect(await stage.rows("select detail from books.findings where subject = 'clock'")).toEqual([
    expect.objectContaining({
      detail: expect.stringContaining(`60 minutes behind that of the host ${hostname()}; `),
    }),
  ]);
});

const isGateways = (): boolean => new Error('whose clock').stack?.includes('/src/sandbox/') ?? false;

/** This machine's clock, and not the gateway's, is set by so much in the middle of a night, as the first answer of a list leaves the gateway. */
const steppedNight = async (stage: Stage, { stepMs, list }: { stepMs: number; list: string }) => {
  const real = Date.now;
  let offsetMs = 0;
  const { sandbox } = stage;
  stage.sandbox = await tampered(sandbox, (target) => {
    if (target.startsWith(list)) offsetMs = stepMs;
  });
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + (isGateways() ? 0 : offsetMs));
  onTestFinished(() => clock.mockRestore());
  const result = await stage.night();
  clock.mockRestore();
  stage.sandbox = sandbox;
  return result;
};

test.each(
  [600_000, -600_000].flatMap((stepMs) =>
    ['/v1/trading/wallet/balance', '/v1/wallet/pocket', '/v1/trading/movement', '/v1/trading/trade'].map(
      (list) => ({
        stepMs,
        list,
      }),
    ),
  ),
)(
  'a clock that is set by $stepMs ms at $list carries no proof beyond now, and loses nothing',
  async (step) => {
    const stage = await openStage(SMALL);
    const real = await truth(stage);
    expect(await steppedNight(stage, step)).toMatchObject({
      exitCode: 1,
      summary: expect.not.stringContaining('failed'),
    });
    expect(
      await stage.rows('select stream, covered_to from books.coverage where covered_to > clock_timestamp()'),
    ).toEqual([]);
    await stage.night();
    expect(await booked(stage)).toEqual(real);
    expect(await stage.rows('select from books.coverage_gaps')).toEqual([]);
  },
);

test('months that begin at another instant by the timezone data of the database are a finding', async () => {
  const stage = await openStage(SMALL);
  expect(await stage.night()).toMatchObject({ exitCode: 0 });
  await stage.rows(`create or replace function books_internal.local_start(local timestamp, timezone text) returns timestamptz
    language sql immutable parallel safe as $$ select local at time zone timezone - interval '1 hour' $$`);
  expect(await stage.night()).toMatchObject({ exitCode: 1 });
  expect(await stage.rows("select detail from books.findings where subject = 'timezone'")).toEqual([
    {
      detail: expect.stringMatching(
        /^\d{4}-\d\d begins in UTC at \S+T23:00:00\.000Z by the timezone data of PostgreSQL, and at another instant by those of Node/,
      ),
    },
  ]);
});

test('a night whose clock was set back exports what it booked, and is listed as the last', async () => {
  const stage = await openStage(SMALL);
  await stage.nightWithFiles();
  const before = exported(stage.home);
  await stage.rows("update run.runs set started_at = started_at + interval '2 h'"); // by a clock that ran ahead
  await stage.backdate('2026-10-29T10:00:00Z', 3);
  const second = await night(stage.settings(), { isFull: true });
  expect(second.summary).toMatch(/^3 entries booked/);
  expect(exported(stage.home)['2026-10/journal.csv']).not.toBe(before['2026-10/journal.csv']);
  const { runs } = await statusOf(stage.database);
  expect(runs[0]?.summary).toBe(second.summary);
});
