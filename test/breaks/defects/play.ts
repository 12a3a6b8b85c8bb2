// One seed: a night that ties, then one with false answers, through the client, the stand-in over
// HTTP, landing, booking and reconciling; then the breaks are compared with the planted faults.

import { sql } from 'kysely';
import { STREAM_NAMES } from '../../../src/base/streams.ts';
import { isoOf } from '../../../src/base/time.ts';
import type { Database } from '../../../src/database/connection.ts';
import { textOf } from '../../../src/sandbox/amount.ts';
import { randomOf } from '../../../src/sandbox/random.ts';
import { worldOf } from '../../../src/sandbox/sandbox.ts';
import { add, figure, plus, type Row, type Sums, word } from './effects.ts';
import type { Fault, Stage } from './fault.ts';
import { PLANTS } from './faults.ts';
import { differenceOf, type Liar, type Lie, liarOf } from './liar.ts';
import { openNights } from './nights.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Days between the night that ties and the one that breaks: anything a day old by then is no longer in transit. */
const NIGHTS_APART = 2;

/** One account that broke: its true causes, and the causes found, the likeliest first. */
export type Broken = {
  readonly place: string;
  readonly expected: string;
  readonly found: string;
  readonly causes: readonly { readonly kind: string; readonly records: readonly string[] }[];
};

export type Played = {
  readonly seed: number;
  readonly records: number;
  readonly faults: readonly (Fault & { readonly name: string; readonly places: readonly string[] })[];
  readonly broken: readonly Broken[];
};

/** Plays a seed in an entity of its own. Every tenth world is clean; the others have one to three faults. */
export const play = async (seed: number, database: Database): Promise<Played> => {
  const world = liarOf(worldOf({ seed, entities: 1, days: 9, perDay: 14, until: '2026-06-10T00:00:00Z' }));
  const stage = stageOf(seed, world);
  const faults = faultsOf(seed, stage);
  const entity = `defects-${seed}`;
  const nights = await openNights(database, { seed, entity, world });
  try {
    world.tell(faults.flatMap(({ before }) => before ?? []));
    await nights.night();
    world.advance(NIGHTS_APART * DAY);
    world.tell(faults.map(({ lie }) => lie));
    await nights.night();
    return {
      seed,
      records: await landed(database, entity),
      faults: faults.map((fault) => ({ ...fault, places: placesOf(fault.lie, stage) })),
      broken: await brokenOf(database, entity, expectedOf(faults, stage)),
    };
  } finally {
    await nights.close();
  }
};

/** The material for faults in a world, read from a copy that is ahead in time. */
const stageOf = (seed: number, world: Liar): Stage => {
  const ahead = worldOf({ seed, entities: 1, days: 9, perDay: 14, until: isoOf(world.now()) });
  const before = ahead.trading('main');
  const from = ahead.now();
  ahead.advance(NIGHTS_APART * DAY);
  const rows = STREAM_NAMES.flatMap((stream) =>
    ahead.rows('main', stream).map((row): Row => ({ ...row, stream })),
  );
  return {
    random: randomOf(`defects:${seed}`),
    before,
    now: ahead.trading('main'),
    withBots: withBotsIn(rows),
    rows: rows.filter(({ at: timeMs }) => timeMs >= from + HOUR && timeMs < from + DAY - HOUR),
    old: rows.filter(({ at: timeMs }) => timeMs > from - 8.9 * DAY && timeMs < from - 6 * DAY),
  };
};

/** What was assigned to bots and not released. */
const withBotsIn = (rows: readonly Row[]): Sums => {
  const sums: Sums = new Map();
  for (const { body } of rows.filter((row) => row.body.serviceOrderName === 'bot'))
    add(sums, word(body, 'currency'), (body.movementType === 'deposit' ? -1n : 1n) * figure(body, 'amount'));
  return sums;
};

/**
 * One to three faults, of which no two touch one record; none in every tenth world. The first kind rotates; if
 * the world has no material for a kind, the next kind takes its place.
 */
const faultsOf = (seed: number, stage: Stage): NamedFault[] => {
  if (seed % 10 === 0) return [];
  const { random } = stage;
  const first = seed + Math.floor(seed / NAMES.length);
  const turns = [first, random.below(NAMES.length), random.below(NAMES.length)];
  const faults: NamedFault[] = [];
  for (const turn of turns.slice(0, seed % 2 === 1 ? 1 : 2 + random.below(2))) {
    const fault = plantFrom(turn, stage, faults);
    if (fault) faults.push(fault);
  }
  return faults;
};

type NamedFault = Fault & { readonly name: string };
const NAMES = Object.keys(PLANTS);

const plantFrom = (turn: number, stage: Stage, others: readonly Fault[]): NamedFault | null => {
  for (let next = 0; next < NAMES.length; next += 1) {
    const name = NAMES[(turn + next) % NAMES.length] ?? '';
    const fault = PLANTS[name]?.(stage);
    if (fault && !others.some((other) => meet(other, fault))) return { ...fault, name };
  }
  return null;
};

const touched = ({ records, lie, before }: Fault): string[] => [
  ...records,
  ...[lie, before ?? {}].flatMap(({ hidden = [], added = [] }) => [...hidden, ...added].map(({ id }) => id)),
];

const meet = (a: Fault, b: Fault): boolean =>
  touched(a).some((one) => touched(b).some((other) => one.endsWith(other) || other.endsWith(one))) ||
  (a.lie.trading !== undefined && b.lie.trading !== undefined);

const expectedOf = (faults: readonly Fault[], { now }: Stage): Sums => {
  const sums: Sums = new Map();
  for (const { lie } of faults) plus(sums, differenceOf(lie, now));
  return new Map([...sums].filter(([, units]) => units !== 0n));
};

const placesOf = (lie: Lie, { now }: Stage): string[] =>
  [...differenceOf(lie, now)].filter(([, units]) => units !== 0n).map(([place]) => place);

const landed = async ({ db }: Database, entity: string): Promise<number> => {
  const { rows } = await sql<{ count: string }>`
    select count(*) from land.records where entity_id = ${entity}`.execute(db);
  return Number(rows[0]?.count);
};

/** Every account that broke or should have; `found` is empty if it did not break, `expected` if it should not. */
export const brokenOf = async ({ db }: Database, entity: string, expected: Sums): Promise<Broken[]> => {
  const { rows } = await sql<{ place: string; difference: string; causes: string }>`
    select coalesce(b.account || ' ' || b.currency, b.check_name || ' ' || b.subject) as place,
      trim_scale(b.difference)::text as difference,
      coalesce((
        select json_agg(json_build_object('kind', c.kind, 'records', c.records) order by c.rank)
        from books.break_candidates c where (c.entity_id, c.break_id) = (b.entity_id, b.break_id)
      ), '[]')::text as causes
    from books.breaks b
    where b.entity_id = ${entity} and b.status <> 'resolved'
    order by b.opened_at, place`.execute(db);
  const found = rows.map(({ place, difference, causes }) => ({
    place,
    found: difference,
    causes: JSON.parse(causes) as Broken['causes'],
    expected: textOf(expected.get(place) ?? 0n),
  }));
  const missed = [...expected].filter(([place]) => !found.some((it) => it.place === place));
  return [
    ...found,
    ...missed.map(([place, units]) => ({ place, expected: textOf(units), found: '0', causes: [] })),
  ];
};
