// What a plain sum over the records foretells: the units that each entity holds, and the units and the cost of each taxpayer's lots,
// whichever of them were used, in whatever order the records arrived.
import type { Atto } from '../../../src/base/money.ts';
import { msOf } from '../../../src/base/time.ts';
import { COINS } from './market.ts';
import { dayOf, type Effect, effectsOf } from './records.ts';
import { type Life, latest, ownerOf, twinOf, type World } from './world.ts';

type Sum = { units: Atto; paid: Atto };
type Sums = Map<string, Sum>;

const add = (sums: Sums, key: string, { units, paid }: Pick<Effect, 'units' | 'paid'>): void => {
  const sum = sums.get(key) ?? { units: 0n, paid: 0n };
  sum.units += units;
  sum.paid += paid;
  sums.set(key, sum);
};

/** By entity and currency. */
export const heldUnits = ({ lives, entered, market }: World): Sums => {
  const sums: Sums = new Map();
  for (const happening of lives.map(latest))
    for (const effect of effectsOf(happening, market))
      add(sums, `${happening.entity} ${effect.currency}`, effect);
  for (const { entity, effects } of entered)
    for (const effect of effects()) add(sums, `${entity} ${effect.currency}`, effect);
  return sums;
};

/** Two records of one transfer that are surely paired are this near. */
const PAIRED_MS = 6 * 86_400_000;

type Side = 'internal' | 'third party' | 'doubtful';

/** What the other end of a record is to its taxpayer. A transfer of which the sides do not agree is doubtful. */
const sideOf = (world: World, life: Life): Side => {
  const { entity, kind, other, units, at: instant } = latest(life);
  if (kind.endsWith('own wallet')) return world.isWalletOwn ? 'internal' : 'third party';
  if (other === null) return 'third party';
  const twin = twinOf(world, life);
  if (!twin || latest(twin).cancelledAt !== null) return 'third party';
  if (ownerOf(world, entity) !== ownerOf(world, other)) return 'third party';
  const isAlike =
    (latest(twin).units === units || isShort(life, twin)) &&
    Math.abs(msOf(latest(twin).at) - msOf(instant)) < PAIRED_MS;
  return isAlike ? 'internal' : 'doubtful';
};

/** Whether less arrived than was sent of what is surely one transfer: what is missing is in transit until its fee is entered. */
const isShort = (one: Life, twin: Life): boolean =>
  one.id === twin.id && !latest(one).isOnChain && missingOf(one, twin) > 0n;

const missingOf = (one: Life, twin: Life): Atto => {
  const [a, b] = [latest(one), latest(twin)];
  return a.kind === 'transfer out' ? a.units - b.units : b.units - a.units;
};

/** The lots of each taxpayer and coin, wherever they lie; null if the records alone do not foretell them. */
export const foretoldLots = (world: World): Map<string, Sum | null> => {
  const sums: Sums = new Map();
  const doubtful = new Set<string>();
  for (const life of world.lives) {
    const { entity, kind, coin } = latest(life);
    const owner = ownerOf(world, entity);
    const isMoved = kind.startsWith('transfer') || kind.endsWith('own wallet');
    const side = sideOf(world, life);
    if (side === 'doubtful') doubtful.add(`${owner} ${coin}`);
    effectsOf(latest(life), world.market).forEach((effect, nth) => {
      if (effect.currency === 'EUR' || (isMoved && nth === 0 && side === 'internal')) return;
      const paid =
        isMoved && nth === 0 ? effect.units * world.market.price(coin, dayOf(latest(life))) : effect.paid;
      add(sums, `${owner} ${effect.currency}`, { units: effect.units, paid });
    });
  }
  for (const { link, entity, coin, units, at: instant } of world.charges) {
    const [one, twin] = world.lives.filter((life) => life.link === link);
    const owner = ownerOf(world, entity);
    const entered = world.charges.reduce(
      (sum, charge) => sum + (charge.link === link ? charge.units : 0n),
      0n,
    );
    const isForetold = one && twin && sideOf(world, one) === 'internal' && missingOf(one, twin) >= entered;
    if (!isForetold) doubtful.add(`${owner} ${coin}`);
    const paid = -units * world.market.price(coin, dayOf({ at: instant }));
    add(sums, `${owner} ${coin}`, { units: -units, paid });
  }
  for (const { entity, effects } of world.entered)
    for (const effect of effects())
      if (effect.currency !== 'EUR') add(sums, `${ownerOf(world, entity)} ${effect.currency}`, effect);
  for (const { entity, coin, units, cost } of world.external)
    add(sums, `${ownerOf(world, entity)} ${coin}`, { units, paid: cost });
  const all = world.owners.flatMap(({ taxpayer }) => COINS.map((coin) => `${taxpayer} ${coin}`));
  return new Map(
    all.map((key) => [key, doubtful.has(key) ? null : (sums.get(key) ?? { units: 0n, paid: 0n })]),
  );
};
