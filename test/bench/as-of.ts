// Balances as of any instant over ten million postings, beside the sum of all postings in the same run.
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { FailedError } from '../../src/base/errors.ts';
import { isoOf, msOf } from '../../src/base/time.ts';
import type { Session } from '../../src/database/client.ts';
import { inSession } from '../../src/database/connection.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { onServer } from '../own-server.ts';
import { median, timed, took } from './clock.ts';
import type { Figure } from './figure.ts';
import { buildLedger } from './ledger.ts';

const DISK_BYTES_MIN = 8e9;
const RUNS = 7;
const RANDOM_INSTANTS = 20;
const LIMIT_MS = 1_000;

type Instant = { readonly what: string; readonly asOf: string; readonly knownAt: string };

const INSTANTS: readonly Instant[] = [
  { what: 'now', asOf: 'infinity', knownAt: 'infinity' },
  { what: 'end of a month', asOf: '2026-09-01T00:00:00Z', knownAt: 'infinity' },
  { what: 'late in a day', asOf: '2025-02-13T23:14:15.123456Z', knownAt: 'infinity' },
  {
    what: 'end of a month, known three nights later',
    asOf: '2026-09-01T00:00:00Z',
    knownAt: '2026-09-04T02:00:00.05Z',
  },
  {
    what: 'late in a day, known in the middle of the backfill',
    asOf: '2025-02-13T23:14:15.123456Z',
    knownAt: '2026-04-01T02:00:40.05Z',
  },
];

const KNOWN = 'select * from books.balances_known_at($1, $2) order by 1, 2, 3';
const SUMMED = `
  select entity_id, account, currency, trim_scale(sum(amount)) as balance from books.postings
  where effective_at < $1::timestamptz and recorded_at <= $2::timestamptz
  group by 1, 2, 3 having sum(amount) <> 0 order by 1, 2, 3`;

/** Builds the ledger in a server of its own, measures, and removes it. Takes minutes and gigabytes. */
export const asOf = async (): Promise<Figure[]> => {
  const { bavail, bsize } = statfsSync(tmpdir());
  if (bavail * bsize < DISK_BYTES_MIN)
    throw new FailedError(`${tmpdir()} needs ${DISK_BYTES_MIN / 1e9} GB free for ten million postings`);
  return onServer(async (url) => {
    const seconds = await took(() => buildLedger(url));
    return inSession(url, 'bench', (session) => ask(session, seconds));
  });
};

const ask = async (session: Session, buildSeconds: number): Promise<Figure[]> => {
  const { rows } = await session.query(SIZES);
  const built: Figure = {
    what: `a ledger of ${rows[0].postings} postings, built in ${buildSeconds.toFixed(0)} s`,
    figure: `${rows[0].days} rows of daily summary, ${rows[0].share} % of the ledger's size`,
    limit: 'measured, no limit set',
    isKept: true,
  };
  const figures = [built];
  for (const instant of INSTANTS) figures.push(await figureOf(session, instant));
  return [...figures, await anyInstant(session)];
};

const SIZES = `
  select (select 2 * count(*) from ledger.transfers)::text as postings, (select count(*) from ledger.daily)::text as days,
    round(100.0 * pg_total_relation_size('ledger.daily') /
      (pg_total_relation_size('ledger.entries') + pg_total_relation_size('ledger.transfers'))) as share`;

/** The median of some runs after a warm-up, and one sum of all postings, which must be equal. */
const figureOf = async (session: Session, { what, asOf, knownAt }: Instant): Promise<Figure> => {
  const values = [asOf, knownAt];
  const known = await session.query(KNOWN, values);
  const runs: number[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(1_000 * (await took(() => session.query(KNOWN, values))));
  const summed = await timed(() => session.query(SUMMED, values));
  const isSame = JSON.stringify(known.rows) === JSON.stringify(summed.result.rows);
  const ms = median(runs);
  return {
    what: `balances as of ${what}, ${known.rows.length} accounts`,
    figure: isSame ? ratio(ms, 1_000 * summed.seconds) : 'is not what the postings sum to',
    limit: `beside the sum of all postings; at most ${LIMIT_MS} ms`,
    isKept: isSame && ms <= LIMIT_MS,
  };
};

/** Random instants over the three years, each queried once, so that nothing is cached. */
const anyInstant = async (session: Session): Promise<Figure> => {
  const { below } = randomOf('as of');
  const runs: number[] = [];
  const drawn = () => isoOf(msOf('2023-10-01T00:00:00Z') + below(1_096 * 86_400) * 1_000 + below(1_000));
  for (let run = 0; run < RANDOM_INSTANTS; run += 1) {
    const values = [drawn(), run % 2 === 0 ? 'infinity' : drawn()];
    runs.push(1_000 * (await took(() => session.query(KNOWN, values))));
  }
  const most = Math.max(...runs);
  return {
    what: `balances as of ${RANDOM_INSTANTS} random instants, half of them as known at another`,
    figure: `median ${median(runs).toFixed(0)} ms, slowest ${most.toFixed(0)} ms`,
    limit: `at most ${LIMIT_MS} ms`,
    isKept: most <= LIMIT_MS,
  };
};

const ratio = (ms: number, allMs: number): string =>
  `${ms.toFixed(0)} ms ÷ ${allMs.toFixed(0)} ms = ${(ms / allMs).toFixed(3)}`;
