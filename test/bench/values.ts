// Values of many entries: whether deriving them is linear, its time beside copying what it writes, and whether memory is
// constant.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { inSession, openDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { type BenchServer, onBooks } from './books.ts';
import { took } from './clock.ts';
import { copyTablesSeconds } from './copy.ts';
import type { Figure } from './figure.ts';

/** Ten times as many entries may take a little more than ten times as long. */
const GROWTH_MAX = 1.1;
const COPY_TIMES_MAX = 6;
const MEMORY_GROWTH_MAX = 1.5;
const ENTRIES = 1_000_000;
const LOOK_EVERY = 10;
const BOOKS = { timezone: 'UTC', currency: 'EUR' };

type ValuesOptions = { readonly records?: number; readonly server: BenchServer };

/** Derives the values of some entries, and of a tenth of them, from nothing, each on a server of its own. */
export const values = async ({ records = ENTRIES, server }: ValuesOptions): Promise<Figure[]> => {
  const small = await measured(server, Math.round(records / 10));
  const large = await measured(server, records);
  return [...times(small, large), memory(small, large)];
};

const measured = (server: BenchServer, entries: number): Promise<Measured> =>
  onBooks(server, async (_, url) => {
    await migrate(url);
    await build(url, entries);
    return { ...(await measure(url)), entries };
  });

const times = (small: Measured, large: Measured): Figure[] => {
  const growth = large.seconds / small.seconds;
  const growthMax = (large.entries / small.entries) * GROWTH_MAX;
  const ratio = large.seconds / large.copySeconds;
  return [
    {
      what: `values of ${large.entries} entries beside ${small.entries}, from nothing`,
      figure: `${large.seconds.toFixed(1)} s ÷ ${small.seconds.toFixed(1)} s = ${growth.toFixed(2)}`,
      limit: `at most ${growthMax.toFixed(1)}`,
      isKept: growth <= growthMax,
    },
    {
      what: `the same beside copying what they write (${large.lines} lines, ${large.disposals} disposals, ${large.openLots} open lots)`,
      figure: `${large.seconds.toFixed(1)} s ÷ ${large.copySeconds.toFixed(2)} s = ${ratio.toFixed(1)}`,
      limit: `COPY of the rows written, into the same tables; at most ${COPY_TIMES_MAX}`,
      isKept: ratio <= COPY_TIMES_MAX,
    },
    {
      what: `a month of them again: ${large.againEntries} entries; and nothing again`,
      figure: `${large.againSeconds.toFixed(1)} s; ${(1_000 * large.idleSeconds).toFixed(0)} ms`,
      limit: 'measured, no limit set',
      isKept: true,
    },
  ];
};

const memory = (small: Measured, large: Measured): Figure => {
  const grown = large.peakMb / small.peakMb;
  return {
    what: `memory for ${large.entries} entries beside ${small.entries}`,
    figure: `${large.peakMb.toFixed(0)} MB ÷ ${small.peakMb.toFixed(0)} MB = ${grown.toFixed(2)}`,
    limit: `at most ${MEMORY_GROWTH_MAX}`,
    isKept: grown <= MEMORY_GROWTH_MAX,
  };
};

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

type Measured = {
  readonly entries: number;
  readonly lines: number;
  readonly disposals: number;
  readonly openLots: number;
  readonly seconds: number;
  readonly copySeconds: number;
  readonly againSeconds: number;
  readonly againEntries: number;
  readonly idleSeconds: number;
  readonly peakMb: number;
};

const measure = async (url: string): Promise<Omit<Measured, 'entries'>> => {
  const { db, pool, close } = openDatabase(url, { name: 'bench' });
  let peakMb = 0;
  let batches = 0;
  const watch = () => {
    batches += 1;
    if (batches % LOOK_EVERY !== 1) return;
    collect(); // measures what is in use, not garbage
    const { heapUsed, external } = process.memoryUsage();
    peakMb = Math.max(peakMb, (heapUsed + external) / 1_048_576);
  };
  try {
    const seconds = await took(() => derive(db, BOOKS, { onBatch: watch }));
    const count = async (from: string): Promise<number> =>
      Number((await pool.query(`select count(*) as n from ${from}`)).rows[0]?.n);
    const facts = {
      lines: await count('value.postings'),
      disposals: await count('books.disposals'),
      openLots: await count('books.lots where units_left > 0'),
    };
    await pool.query("delete from value.months where period = '2026-12'");
    let againEntries = 0;
    const againSeconds = await took(async () => {
      againEntries = (await derive(db, BOOKS)).reduce((sum, month) => sum + month.entries, 0);
    });
    const idleSeconds = await took(() => derive(db, BOOKS));
    const folder = mkdtempSync(join(tmpdir(), 'tieout-copy-'));
    const copySeconds = await copyTablesSeconds(url, { tables: WRITTEN, folder }).finally(() =>
      rmSync(folder, { recursive: true }),
    );
    return { ...facts, seconds, copySeconds, againSeconds, againEntries, idleSeconds, peakMb };
  } finally {
    await close();
  }
};

/** The tables that a derivation fills. */
const WRITTEN = [
  'value.postings',
  'value.lots',
  'value.uses',
  'value.findings',
  'value.months',
  'value.sources',
];

/** Trades of a year: buys and sells in turn, every fiftieth one coin for another, with fees in euro. */
const build = (url: string, entries: number): Promise<void> =>
  inSession(url, 'bench', async (session) => {
    for (const statement of statements(entries)) await session.query(statement);
  });

const statements = (entries: number): string[] => [
  `create unlogged table public.told as
   select n, at, (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '8' || substr(name, 1, 3) || '8' ||
       substr(name, 4, 15))::uuid as entry_id, name::uuid::text as record_id, n % 50 = 0 as is_swap, n % 2 = 1 as is_buy,
     case when n % 3 = 0 then 'ETH' else 'BTC' end as coin, case when n % 3 = 0 then 'BTC' else 'ETH' end as other,
     round((chance % 100000 + 1) / 1e6 * case when n % 2 = 1 then 1.05 else 1 end, 8) as amount, round((chance % 100000 + 1) / 1e6 * (900 + chance % 200), 2) + 0.01 as cost
   from (
     select n, md5('trade ' || n) as name, ('x' || left(md5('chance ' || n), 15))::bit(60)::bigint as chance,
       timestamptz '2026-01-01T01:00:00Z' + n * (interval '364 days' / ${entries}) as at
     from generate_series(1, ${entries}) as n
   ) as drawn`,
  `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('main', 'main', 'UTC', 'EUR', '2026-01-01')`,
  `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
     rule_version, description)
   select 'main', entry_id, at, at, to_char(at at time zone 'UTC', 'YYYY-MM'), 'trade', 'trades', record_id, 1, 1, 1, 'trade'
   from public.told`,
  `insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
   select 'main', entry_id, leg.leg, leg.debit, leg.credit, leg.currency, leg.amount
   from public.told
   cross join lateral (values
     (1, case when is_buy then 'assets:trading' else 'equity:conversion' end, case when is_buy then 'equity:conversion' else 'assets:trading' end, coin, amount),
     (2, case when is_buy then 'equity:conversion' else 'assets:trading' end, case when is_buy then 'assets:trading' else 'equity:conversion' end,
       case when is_swap then other else 'EUR' end, case when is_swap then amount * 2 else cost end),
     (3, 'expenses:fees:trading', 'assets:trading', 'EUR', round(cost * 0.0016 + 0.01, 2))
   ) as leg (leg, debit, credit, currency, amount)`,
  `with told as (
     insert into run.runs (run_id, job, started_at) values ('00000000-0000-4000-8000-000000000001', 'bench', '2026-01-01') returning run_id
   )
   insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
   select 'main', run_id, 'rates', 'GET', '/', 200, '', 0, '2026-01-01' from told`,
  `insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
   select entity_id, request_id, row_number() over (), 'rates', at, '{}', 3, 0
   from land.requests, generate_series(timestamptz '2026-01-01', '2026-12-31', '1 hour') as at`,
  `insert into land.rates (entity_id, currency, at, request_id, entry, rate)
   select entity_id, currency, at, request_id, entry, rate from land.rate_lists,
     (values ('EUR', 0.9), ('BTC', 0.0009), ('ETH', 0.0018)) as it (currency, rate)`,
  'analyze',
];
