// The rivals: common ways to read such lists, on the same worlds. Each has every advantage except its own idea: no
// failures, no wrong count, no cursor that expires, and as many nights. A record that it never collects is lost.
import type { StreamName } from '../../src/base/streams.ts';
import { isoOf, msOf, nowMs } from '../../src/base/time.ts';
import { accessOf } from '../../src/sandbox/access/access.ts';
import { ANSWERS } from '../../src/sandbox/answers.ts';
import { platformOf } from '../../src/sandbox/platform.ts';
import type { Query } from '../../src/sandbox/question.ts';
import type { WireObject } from '../../src/sandbox/wire-json.ts';
import { Killed } from './gateway.ts';
import type { SimWorld } from './life.ts';
import { pass } from './nights.ts';
import { type Kill, type Night, planOf } from './plan.ts';
import { walletPage } from './wallet-list.ts';
import { present, worldOf } from './world.ts';

export const RIVALS = [
  'advance by the limit asked',
  'stop at a page with known ids',
  'watermark = newest seen',
  'page by time without splitting',
] as const;
type Rival = (typeof RIVALS)[number];

export type Loss = { readonly rival: Rival; readonly listed: number; readonly lost: number };

type Row = { readonly id: string; readonly time: string };
type Page = { readonly rows: readonly Row[]; readonly total: number; readonly next: string | null };
type Reader = {
  readonly ask: (stream: StreamName, query: Query) => Page;
  readonly known: Map<StreamName, Map<string, string>>;
};

type Way = { readonly streams: readonly StreamName[]; readonly read: (reader: Reader) => void };

/** The losses of each rival in the world of a seed. */
export const rivalsOf = (seed: number): Loss[] => RIVALS.map((rival) => lossOf(seed, rival));

const DAY = 86_400_000;
const CALM: Night = { advanceMs: DAY, isFull: false, kills: [], restless: 0 };

const lossOf = (seed: number, rival: Rival): Loss => {
  const plan = planOf(seed);
  const { streams: all, read } = WAYS[rival];
  const streams = all.filter((stream) => plan.streams.includes(stream));
  if (streams.length === 0) return { rival, listed: 0, lost: 0 };
  const world = worldOf(plan);
  const known = new Map(streams.map((stream) => [stream, new Map<string, string>()]));
  const attempt = (kill: Kill): boolean => {
    try {
      read({ ask: asker(world, kill), known });
      return true;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return false;
    }
  };
  for (const night of plan.nights) {
    world.begin(night);
    if (!night.kills.some(attempt)) attempt({});
    pass(world, night);
  }
  world.begin(CALM);
  for (let night = 0; night < 2; night += 1) {
    attempt({});
    world.advance(DAY);
  }
  const listed = streams.flatMap((stream) => present(world, stream));
  return {
    rival,
    listed: listed.length,
    lost: listed.filter(({ id, stream }) => !known.get(stream)?.has(id)).length,
  };
};

/** Reads the world directly, each time at a boundary where it may change. */
const asker = (world: SimWorld, kill: Kill): Reader['ask'] => {
  const calls = new Map<StreamName, number>();
  return (stream, query) => {
    const nth = (calls.get(stream) ?? 0) + 1;
    calls.set(stream, nth);
    if (nth >= (kill[stream] ?? Infinity)) throw new Killed();
    world.boundary({ stream, scope: '' });
    if (stream === 'wallet-transactions') return walletRows(world, query);
    const [entity] = world.entities;
    const answer = ANSWERS[stream]?.({
      world,
      platform: platformOf(world.plan.seed),
      access: accessOf({ seed: world.plan.seed, isStrict: false, tokenSeconds: 3600, now: nowMs }),
      visitor: null,
      isAnonymous: false,
      authorize: () => null,
      query,
      params: {},
      body: undefined,
      tradesMax: world.plan.tradesMax,
      entity: entity as (typeof world.entities)[number],
    });
    return pageOf((answer as { data: unknown }).data);
  };
};

const pageOf = (data: unknown): Page => {
  const { data: bodies, total = 0 } = (Array.isArray(data) ? { data } : data) as {
    data: WireObject[];
    total?: number;
  };
  return { rows: bodies.map((body) => rowOf(body, body.createdAt)), total, next: null };
};

const walletRows = (world: SimWorld, { cursor }: Query): Page => {
  const page = walletPage(world, { cursor: cursor === undefined ? cursor : String(cursor), limit: 100 });
  return {
    rows: (page?.rows ?? []).map((body) => rowOf(body, body.date)),
    total: 0,
    next: page?.next ?? null,
  };
};

const rowOf = ({ id }: WireObject, time: unknown): Row => ({ id: String(id), time: String(time) });

const keep = ({ known }: Reader, stream: StreamName, rows: readonly Row[]): void => {
  for (const { id, time } of rows) known.get(stream)?.set(id, time);
};

/** The next inclusive bound below a page: its oldest instant again, or the one before if that makes no progress. */
const below = (rows: readonly Row[], to: string | undefined): string => {
  const oldest = isoOf(msOf(rows.at(-1)?.time ?? ''));
  return oldest === to ? isoOf(msOf(oldest) - 1) : oldest;
};

const byLimit = (reader: Reader): void => {
  const limit = 100;
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const page = reader.ask('trades', { limit, offset, sort: 'createdAt', direction: 'asc' });
    keep(reader, 'trades', page.rows);
    total = page.total;
  }
};

const untilKnown = (reader: Reader): void => {
  const before = new Map([...reader.known].map(([stream, ids]) => [stream, new Set(ids.keys())]));
  const isKnown = (stream: StreamName, { rows }: Page) => rows.some(({ id }) => before.get(stream)?.has(id));
  for (let to: string | undefined; reader.known.has('movements'); ) {
    const page = reader.ask('movements', { limit: 100, ...(to !== undefined && { to }) });
    keep(reader, 'movements', page.rows);
    if (page.rows.length < 100 || isKnown('movements', page)) break;
    to = below(page.rows, to);
  }
  for (let cursor: string | null = null; reader.known.has('wallet-transactions'); ) {
    const page: Page = reader.ask('wallet-transactions', { limit: 100, ...(cursor !== null && { cursor }) });
    keep(reader, 'wallet-transactions', page.rows);
    if (page.next === null || isKnown('wallet-transactions', page)) break;
    cursor = page.next;
  }
};

const sinceNewest = (reader: Reader): void => {
  const times = [...(reader.known.get('movements')?.values() ?? [])];
  const newest = times.reduce<string | null>(
    (most, time) => (most === null || time > most ? time : most),
    null,
  );
  const from = newest === null ? {} : { from: newest };
  for (let to: string | undefined; ; ) {
    const page = reader.ask('movements', { limit: 100, ...from, ...(to !== undefined && { to }) });
    keep(reader, 'movements', page.rows);
    if (page.rows.length < 100) return;
    to = below(page.rows, to);
  }
};

const byTime = (reader: Reader): void => {
  for (let to: string | undefined; ; ) {
    const page = reader.ask('movements', { limit: 100, ...(to !== undefined && { to }) });
    keep(reader, 'movements', page.rows);
    if (page.rows.length < 100) return;
    to = isoOf(msOf(page.rows.at(-1)?.time ?? '') - 1);
  }
};

const WAYS: Readonly<Record<Rival, Way>> = {
  'advance by the limit asked': { streams: ['trades'], read: byLimit },
  'stop at a page with known ids': { streams: ['movements', 'wallet-transactions'], read: untilKnown },
  'watermark = newest seen': { streams: ['movements'], read: sinceNewest },
  'page by time without splitting': { streams: ['movements'], read: byTime },
};
