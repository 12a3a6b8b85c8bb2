// The lots of a pool that have units left, in their order of use. Only those whose turn is near, or that came last, are objects: the
// others wait as bytes, many lots together, because a pool may have as many lots as an account has entries.
import { strict as assert } from 'node:assert';
import { deserialize, serialize } from 'node:v8';
import TinyQueue from 'tinyqueue';
import type { Atto } from '../base/money.ts';

export type LotKey = { readonly entity: string; readonly id: string };

/** What was acquired together: it decides the order of lots by unit cost, which no later use may change. */
export type Acquired = { readonly units: Atto; readonly cost: Atto | null };

/**
 * The remainder of a lot. A cost of null is unknown. Under `average` the cost belongs to the pool, and a lot has only
 * units.
 */
export type Lot = LotKey & {
  readonly acquiredAt: string;
  /** Microseconds since 1970: lots are ordered by this, and by `seq` within one instant. */
  readonly micros: number;
  readonly seq: number;
  readonly acquired: Acquired;
  units: Atto;
  cost: Atto | null;
};

/** Of two different lots, one is before the other. */
export type LotOrder = (a: Lot, b: Lot) => number;

/** Lots as bytes. `first` is the one whose turn is next; the numbers of all lie from `seqMin` to `seqMax`. */
type PackedLots = {
  readonly first: Lot;
  readonly seqMin: number;
  readonly seqMax: number;
  readonly bytes: Buffer;
};

export type LotQueue = {
  readonly order: LotOrder;
  /** Lots that were packed and are needed again. A lot that was used up out of turn stays until its turn comes. */
  readonly near: TinyQueue<Lot>;
  /** The lots added last. */
  latest: TinyQueue<Lot>;
  /** In the order of their first lots. */
  packed: PackedLots[];
  /** The lots with units left that are not packed. */
  readonly open: Map<string, Lot>;
  /** The lots with units left of each entry, by their ids and numbers: only of a queue of which uses may name the entry. */
  readonly byEntry: Map<string, Map<string, number>> | null;
};

/** So many lots are packed together. */
const PACKED_TOGETHER = 1_000;

export const openQueue = (order: LotOrder, isByEntry: boolean): LotQueue => ({
  order,
  near: new TinyQueue<Lot>([], order),
  latest: new TinyQueue<Lot>([], order),
  packed: [],
  open: new Map(),
  byEntry: isByEntry ? new Map() : null,
});

export const lotKeyText = ({ entity, id }: LotKey): string => `${entity} ${id}`;

/** The entry that made a lot: its id comes first in that of the lot. */
const entryOf = ({ entity, id }: LotKey): string => `${entity} ${id.slice(0, id.indexOf('/'))}`;

/** Adds a lot: the order decides when its turn comes, not when it is added. */
export const addToQueue = (queue: LotQueue, lot: Lot): void => {
  queue.latest.push(lot);
  queue.open.set(lotKeyText(lot), lot);
  noteEntry(queue, lot);
  if (queue.latest.length >= PACKED_TOGETHER) packLatest(queue);
};

const noteEntry = ({ byEntry }: LotQueue, lot: Lot): void => {
  const lots = byEntry?.get(entryOf(lot)) ?? new Map<string, number>();
  byEntry?.set(entryOf(lot), lots.set(lot.id, lot.seq));
};

/** A lot without units left is no longer open. */
export const closeLot = ({ open, byEntry }: LotQueue, lot: LotKey): void => {
  open.delete(lotKeyText(lot));
  const lots = byEntry?.get(entryOf(lot));
  lots?.delete(lot.id);
  if (lots?.size === 0) byEntry?.delete(entryOf(lot));
};

/** The lot whose turn it is. */
export const nextInQueue = (queue: LotQueue): Lot | undefined => {
  const lot = earlier(queue.order, unusedIn(queue.near), unusedIn(queue.latest));
  const [first] = queue.packed;
  if (first === undefined || (lot && queue.order(lot, first.first) < 0)) return lot;
  unpack(queue, (packed) => packed === first);
  return nextInQueue(queue);
};

/** An open lot. Without its number, all that is packed is looked at. */
export const findLot = (queue: LotQueue, key: LotKey & { readonly seq?: number }): Lot | undefined => {
  const { seq } = key;
  const known = queue.open.get(lotKeyText(key));
  if (known) return known;
  unpack(queue, ({ seqMin, seqMax }) => seq === undefined || (seqMin <= seq && seq <= seqMax));
  return queue.open.get(lotKeyText(key));
};

/** The open lots of some entries of an entity, in the order in which they were made. */
export const lotsOfEntries = (queue: LotQueue, entity: string, entries: readonly string[]): Lot[] => {
  assert(queue.byEntry, 'the lots of this queue are not known by their entries');
  const keys = entries.flatMap((entry) => [...(queue.byEntry?.get(`${entity} ${entry}`) ?? [])]);
  const lots = keys.flatMap(([id, seq]) => findLot(queue, { entity, id, seq }) ?? []);
  return lots.sort((a, b) => a.seq - b.seq);
};

const unusedIn = (lots: TinyQueue<Lot>): Lot | undefined => {
  while (lots.peek()?.units === 0n) lots.pop();
  return lots.peek();
};

const earlier = (order: LotOrder, a: Lot | undefined, b: Lot | undefined): Lot | undefined =>
  a && b ? (order(a, b) < 0 ? a : b) : (a ?? b);

const packLatest = (queue: LotQueue): void => {
  const lots = queue.latest.data.filter(({ units }) => units > 0n).sort(queue.order);
  queue.latest = new TinyQueue<Lot>([], queue.order);
  const [first] = lots;
  if (first === undefined) return;
  for (const lot of lots) queue.open.delete(lotKeyText(lot));
  const seqs = lots.map(({ seq }) => seq);
  const [seqMin, seqMax] = [Math.min(...seqs), Math.max(...seqs)];
  queue.packed.push({ first, seqMin, seqMax, bytes: bytesOf(lots) });
  queue.packed.sort((a, b) => queue.order(a.first, b.first));
};

const unpack = (queue: LotQueue, isWanted: (packed: PackedLots) => boolean): void => {
  const wanted = queue.packed.filter(isWanted);
  if (wanted.length === 0) return;
  queue.packed = queue.packed.filter((packed) => !isWanted(packed));
  for (const lot of wanted.flatMap(({ bytes }) => lotsIn(bytes))) {
    queue.near.push(lot);
    queue.open.set(lotKeyText(lot), lot);
  }
};

/**
 * The values of a lot in one order, because bytes with the names of all fields would be twice as many. Most lots that wait are as
 * they were acquired, and have that once.
 */
const bytesOf = (lots: readonly Lot[]): Buffer => Buffer.from(serialize(lots.map(valuesOf)));

type LotValues = readonly [string, string, string, number, number, Atto, Atto | null, Acquired | null];

const valuesOf = ({ entity, id, acquiredAt, micros, seq, acquired, units, cost }: Lot): LotValues => {
  const isWhole = acquired.units === units && acquired.cost === cost;
  const before = isWhole ? null : { units: acquired.units, cost: acquired.cost };
  return [entity, id, acquiredAt, micros, seq, units, cost, before];
};

const lotsIn = (bytes: Buffer): Lot[] =>
  (deserialize(bytes) as readonly LotValues[]).map(
    ([entity, id, acquiredAt, micros, seq, units, cost, acquired]) => ({
      entity,
      id,
      acquiredAt,
      micros,
      seq,
      acquired: acquired ?? { units, cost },
      units,
      cost,
    }),
  );
