// What was in transit at an instant: the report finds it without reading all clearing moves, and yet shows what reading all of them
// shows, whatever was reversed, booked late, paired again, or lies far from its counterpart.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, isoOf, msOf } from '../../src/base/time.ts';
import { loadSql } from '../../src/database/sql.ts';
import { placeOf, type Seal } from '../../src/ledger/period.ts';
import { pairClearing } from '../../src/reconcile/clearing.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';
import { openStage, type Stage } from '../land/stage.ts';

const NIGHTS = 14;
const INSTANTS = 3;
const TIMEZONE = 'America/New_York';
const START = msOf('2026-01-28T00:00:00Z');
const END = START + NIGHTS * 2 * DAY_MS;

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.rows(`update run.entities set timezone = '${TIMEZONE}'`);
});
afterAll(() => stage.close());

type Booked = {
  entry_id: string;
  stream: string;
  record_id: string;
  ordinal: number;
  reverses: string | null;
  effective_at: string;
  period: string;
  original_period: string | null;
  legs: readonly (readonly [debit: string, credit: string, currency: string, amount: number])[];
};

const idAt = (random: Random, instant: string): string => {
  const time = msOf(instant).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-${random.uuid().slice(14)}`;
};

type Chained = Pick<Booked, 'stream' | 'record_id' | 'ordinal' | 'reverses' | 'legs'>;

/** An entry that takes effect at an instant, as one night books it. */
const bookedAt = (random: Random, like: Chained, atMs: number, seals: readonly Seal[]): Booked => {
  const instant = isoOf(atMs);
  const { period, originalPeriod } = placeOf(instant, { timezone: TIMEZONE, seals, request: null });
  return {
    ...like,
    entry_id: idAt(random, instant),
    effective_at: instant,
    period,
    original_period: originalPeriod,
  };
};

const PLACES = ['assets:clearing:trading', 'assets:clearing:earn'];

/** The two records of a transfer, of which one is sometimes missing. Rarely an entry also moves something else. */
const transferOf = (random: Random, name: string): Chained[] => {
  const [place, holding] = [random.pick(PLACES), random.pick(['assets:pocket:p1', 'assets:trading'])];
  const [currency, amount] = [
    random.pick(['EUR', 'BTC']),
    random.chance(20) ? 7 : 10 + random.below(1_000_000),
  ];
  const other = ['assets:clearing:earn', 'assets:clearing:trading', 'EUR', 2] as const;
  const records = [
    { stream: 'wallet-transactions', legs: [[place, holding, currency, amount] as const] },
    {
      stream: 'movements',
      legs: [[holding, place, currency, amount] as const, ...(random.chance(2) ? [other] : [])],
    },
  ].map((record) => ({ ...record, record_id: name, ordinal: 1, reverses: null }));
  return random.chance(6) ? [random.pick(records)] : records;
};

/** What reverses an entry: where that took effect, or later; rarely earlier. */
const reversalOf = (random: Random, entry: Booked, nowMs: number, seals: readonly Seal[]): Booked => {
  const { stream, record_id, ordinal, entry_id } = entry;
  const legs = entry.legs.map(([debit, credit, ...rest]) => [credit, debit, ...rest] as const);
  const effectiveMs = random.pick([
    msOf(entry.effective_at),
    msOf(entry.effective_at),
    nowMs,
    msOf(entry.effective_at) - DAY_MS,
  ]);
  return bookedAt(
    random,
    { stream, record_id, ordinal: ordinal + 1, reverses: entry_id, legs },
    effectiveMs,
    seals,
  );
};

/** How long ago a record of a night took effect: mostly in the last days, sometimes in a month that is closed. */
const agoMs = (random: Random): number =>
  random.chance(15) ? random.below(70 * 24) * HOUR_MS : random.below(2 * DAY_MS);

/** How far apart the two records of a transfer are: mostly seconds. */
const apartMs = (random: Random): number =>
  random.below(random.pick([30_000, 30_000, 20 * HOUR_MS, 60 * HOUR_MS]));

const sealsAt = (nowMs: number): Seal[] => {
  const period = isoOf(nowMs - 36 * DAY_MS).slice(0, 7);
  return [{ period, after: 0n, until: null }];
};

/** What stands, and records that a later night lands: by then their month is closed. */
type World = {
  readonly standing: Booked[];
  readonly delayed: { night: number; record: Chained; effectiveMs: number }[];
};

/** The records of new transfers, and those that have waited. */
const postingsOf = (
  random: Random,
  night: number,
  { delayed }: World,
): { record: Chained; effectiveMs: number }[] => {
  const due = delayed.filter((waiting) => waiting.night === night);
  for (let nth = random.below(6); nth > 0; nth -= 1) {
    const latestMs = START + night * 2 * DAY_MS - agoMs(random);
    for (const record of transferOf(random, `r${night}-${nth}`)) {
      const effective = { record, effectiveMs: latestMs - apartMs(random) };
      if (random.chance(12)) delayed.push({ ...effective, night: night + 6 });
      else due.push({ ...effective, night });
    }
  }
  return due;
};

/** What a night books: records, and reversals of some entries that stood, which may be booked again. */
const entriesOf = (random: Random, night: number, world: World): Booked[] => {
  const { standing } = world;
  const nowMs = START + night * 2 * DAY_MS;
  const seals = sealsAt(nowMs);
  const posted = postingsOf(random, night, world).map(({ record, effectiveMs }) =>
    bookedAt(random, record, effectiveMs, seals),
  );
  for (let nth = random.below(4) - 1; nth > 0 && standing.length > 0; nth -= 1) {
    const [entry] = standing.splice(random.below(standing.length), 1) as [Booked];
    const reversal = reversalOf(random, entry, nowMs, seals);
    posted.push(reversal);
    if (random.chance(40)) {
      const again = { ...entry, ordinal: reversal.ordinal + 1, reverses: null };
      posted.push(bookedAt(random, again, msOf(entry.effective_at) + random.below(3 * DAY_MS), seals));
    }
  }
  standing.push(...posted.filter(({ reverses }) => reverses === null));
  return posted;
};

const post = async (entries: readonly Booked[]): Promise<void> => {
  await stage.rows(
    `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
      reverses, rule_version, description, original_period)
    select 'main', entry_id, effective_at, now(), period, case when reverses is null then 'transfer' else 'reversal' end, stream, record_id, 1, ordinal,
      reverses, 1, '', original_period
    from json_to_recordset($1) as e (entry_id uuid, effective_at timestamptz, period text, stream text, record_id text, ordinal integer, reverses uuid,
      original_period text)`,
    [JSON.stringify(entries)],
  );
  await stage.rows(
    `insert into ledger.transfers
    select 'main', (e ->> 'entry_id')::uuid, nth, leg ->> 0, leg ->> 1, leg ->> 2, (leg ->> 3)::numeric
    from json_array_elements($1) as e cross join lateral json_array_elements(e -> 'legs') with ordinality as l (leg, nth)`,
    [JSON.stringify(entries)],
  );
  await stage.rows('truncate ledger.daily, ledger.totals');
  await stage.rows('insert into ledger.daily select * from ledger.daily_sums');
  await stage.rows('insert into ledger.totals select * from ledger.total_sums');
};

/** Every move of clearing before an instant, but those of which another one, not reversed by then either, is a counterpart. */
const PLAIN = `
  with moved as (
    select coalesce(e.reverses, e.entry_id) as entry_id, p.account, p.currency, e.stream, e.record_id, min(e.effective_at) as since,
      sum(p.amount) as amount
    from books.postings p join books.entries e using (entity_id, entry_id)
    where p.account like 'assets:clearing:%' and e.posted_at < $1
    group by 1, 2, 3, 4, 5
    having sum(p.amount) <> 0
  )
  select 'main' as entity_id, 'in transit' as status, account, currency, trim_scale(amount) as amount, since,
    books_internal.days_between(since, $1) as age_days, stream, record_id, entry_id
  from moved m
  where not exists (
    select from books.clearing_matches k join moved o using (account, currency)
    where (k.account, k.currency) = (m.account, m.currency)
      and ((k.debit_entry_id, k.credit_entry_id) = (m.entry_id, o.entry_id) or (k.credit_entry_id, k.debit_entry_id) = (m.entry_id, o.entry_id))
  )
  order by account collate "C", currency collate "C", since, stream collate "C", record_id collate "C", entry_id, amount`;

/** Starts of months, when something moved, and any other time. */
const instantsOf = async (random: Random): Promise<string[]> => {
  const moves = await stage.rows('select effective_at::text from ledger.entries order by entry_id');
  const edges = [
    '2026-02-01T05:00:00Z',
    '2026-03-01T05:00:00Z',
    '2026-04-01T04:00:00Z',
    '2026-04-01T00:00:00Z',
  ];
  return Array.from({ length: INSTANTS }, (_, nth) => {
    if (nth % 3 === 0 && moves.length > 0)
      return isoOf(msOf(`${random.pick(moves).effective_at}`) + random.below(2));
    return nth % 3 === 1
      ? random.pick(edges)
      : isoOf(START - 80 * DAY_MS + random.below(130) * DAY_MS + random.below(DAY_MS));
  });
};

/** How many rows the report has at some instants, each of which has to show what reading every move shows. */
const compareAt = async (instants: readonly string[]): Promise<number> => {
  let many = 0;
  for (const to of [...instants, isoOf(END)]) {
    const { text, values } = loadSql('reports/in_transit.sql', { to, entity: '' });
    const shown = await stage.rows(text, values);
    expect({ to, shown }).toEqual({ to, shown: await stage.rows(PLAIN, [to]) });
    many += shown.length;
  }
  return many;
};

test('is what every move of clearing before it shows', async () => {
  const random = randomOf('in transit');
  const world: World = { standing: [], delayed: [] };
  let many = 0;
  for (let night = 0; night < NIGHTS; night += 1) {
    await post(entriesOf(random, night, world));
    many += await compareAt(await instantsOf(random)); // before they are paired
    await stage.read('trading', 'after', [], isoOf(START + night * 2 * DAY_MS));
    await pairClearing(stage.db, stage.run, { entity: 'main', transitMs: DAY_MS });
    many += await compareAt(await instantsOf(random));
  }
  expect(many).toBeGreaterThan(500);
  const [odd] = await stage.rows(`select count(*) filter (where time_apart > interval '24:00:00') as apart,
    count(*) filter (where not stands) as fallen, (select count(*) from ledger.entries where original_period is not null) as late
    from books.clearing_matches`);
  for (const count of Object.values(odd ?? {})) expect(Number.parseInt(`${count}`, 10)).toBeGreaterThan(4);
});
