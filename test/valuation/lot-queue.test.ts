// The queue of lots: whatever waits as bytes, lots come in the order of the method, each once, as they were added.
import { describe, expect, test } from 'vitest';
import { randomOf } from '../../src/sandbox/random.ts';
import { type Lot, lotsOfEntries } from '../../src/valuation/lot-queue.ts';
import { addLot, type Method, openPool, restoreUnits, take, takeFromLot } from '../../src/valuation/pool.ts';

const LOTS = 5_000;
const METHODS: readonly Method[] = ['fifo', 'average', 'specific', 'hifo'];

/** Lots of many ages, in no order of age; some are of one instant, some of unknown cost. */
const randomLots = (label: string): Lot[] => {
  const random = randomOf(label);
  return Array.from({ length: LOTS }, (_, nth): Lot => {
    const micros = 1_700_000_000_000_000 + random.below(LOTS);
    const units = random.units(10n ** 40n) + 1n;
    const cost = random.chance(10) ? null : random.units(10n ** 24n);
    return {
      entity: `e${nth % 3}`,
      id: `lot ${nth}/1`,
      acquiredAt: `at ${micros}`,
      micros,
      seq: nth + 1,
      acquired: { units, cost },
      units,
      cost,
    };
  });
};

const poolWith = (method: Method, lots: readonly Lot[]) => {
  const pool = openPool(method);
  for (const lot of lots) addLot(pool, { ...lot });
  return pool;
};

/** The order that each method is defined by, over all lots at once. */
const inOrderOf = (method: Method, lots: readonly Lot[]): Lot[] => {
  const oldest = [...lots].sort((a, b) => a.micros - b.micros || a.seq - b.seq);
  if (method !== 'hifo') return oldest;
  const perUnit = (a: Lot, b: Lot) => (b.cost ?? -1n) * a.units - (a.cost ?? -1n) * b.units;
  const known = oldest.filter(({ cost }) => cost !== null);
  const unknown = oldest.filter(({ cost }) => cost === null);
  return [...known.sort((a, b) => Number(perUnit(a, b) > 0n) - Number(perUnit(a, b) < 0n)), ...unknown];
};

describe.each(METHODS)('%s', (method) => {
  test('uses every lot once, in order, with every digit', () => {
    const lots = randomLots(method);
    const pool = poolWith(method, lots);
    const used = take(pool, pool.units);
    expect(used.map(({ lot, units }) => ({ ...lot, units }))).toEqual(
      inOrderOf(method, lots).map(({ cost: _, ...lot }) => lot),
    );
    if (method !== 'average')
      expect(used.map(({ cost }) => cost)).toEqual(inOrderOf(method, lots).map(({ cost }) => cost));
    expect([pool.units, pool.knownUnits, pool.knownCost]).toEqual([0n, 0n, 0n]);
  });

  test('finds any lot by name, and a lot that was used up comes back in its turn', () => {
    const lots = randomLots(`names ${method}`);
    const pool = poolWith(method, lots);
    const random = randomOf('names');
    const some = Array.from({ length: 50 }, () => random.pick(lots));
    for (const lot of new Set(some)) {
      const { entity, id, seq, units } = lot;
      const key = random.chance(50) ? { entity, id, seq } : { entity, id };
      const [fraction, ...more] = takeFromLot(pool, key, units);
      expect([fraction?.lot?.id, fraction?.units, more]).toEqual([id, units, []]);
      expect(takeFromLot(pool, key, units)).toEqual([]);
      restoreUnits(pool, { ...lot });
    }
    expect(take(pool, pool.units).map(({ lot }) => lot?.id)).toEqual(
      inOrderOf(method, lots).map(({ id }) => id),
    );
  });
});

test('what waits is not held as objects', () => {
  const pool = poolWith('fifo', inOrderOf('fifo', randomLots('waiting')));
  expect(pool.queue.open.size).toBeLessThan(1_000);
  take(pool, pool.units / 2n);
  expect(pool.queue.packed.length).toBeGreaterThan(0);
});

test('the lots of one entry are found without a look at those of all others, also those that came back', () => {
  const lots = randomLots('under way');
  const pool = openPool('fifo', true);
  for (const lot of lots) addLot(pool, { ...lot });
  const packed = () => pool.queue.packed.length;
  const before = packed();
  const [first, last] = [lots[0], lots.at(-1)];
  for (const lot of [first, last]) {
    if (!lot) throw new Error('no lot');
    const entry = lot.id.replace('/1', '');
    const idsOf = () => lotsOfEntries(pool.queue, lot.entity, [entry, 'another']).map(({ id }) => id);
    expect(idsOf()).toEqual([lot.id]);
    takeFromLot(pool, lot, lot.units);
    expect(idsOf()).toEqual([]);
    restoreUnits(pool, { ...lot });
    expect(idsOf()).toEqual([lot.id]);
  }
  expect(before).toBe(5);
  expect(packed()).toBe(3); // those of the two
});
