// Operations by which records arrive: new ones, other sides of transfers, and other versions.
import type { Work } from '../../../src/run/work.ts';
import type { Random } from '../../../src/sandbox/random.ts';
import { land } from './books.ts';
import { coins, type Moment, money, type Operation, someMonth } from './operation.ts';
import { isPlaceMove, otherSideOf } from './place-moves.ts';
import { type Happening, listed, streamOf } from './records.ts';
import { chosen, type Life, latest, nameOf, timeIn, twinOf, type World } from './world.ts';

const landLife = async (
  work: Work,
  world: World,
  life: Life,
  happening: Happening,
): Promise<readonly string[]> => {
  life.versions.push(happening);
  if (!world.lives.includes(life)) world.lives.push(life);
  const rows = [listed(life.id, life.link, happening)];
  await land(work, { entity: happening.entity, stream: streamOf(happening), rows });
  return [];
};

const newHappening = (world: World, moment: Moment): Happening => {
  const { random } = moment;
  const isBuy = moment.nth < 6 || random.chance(25);
  return {
    kind: isBuy ? 'buy' : random.pick(world.kinds),
    entity: random.pick(world.entities),
    at: timeIn(someMonth(moment), random),
    coin: random.pick(world.coins),
    units: coins(random, isBuy ? 200_000_000n : 50_000_000n),
    money: money(random),
    fee: random.chance(50) ? 0n : coins(random, 100_000n),
    isStated: random.chance(70),
    other: null,
    isOnChain: false,
    cancelledAt: null,
  };
};

/** A record; of a transfer one side, and the other one at once, later or never; of a move between places one side, and perhaps the other. */
export const happen: Operation = async (work, world, moment) => {
  const { nth, random } = moment;
  const happening = newHappening(world, moment);
  if (isPlaceMove(happening.kind)) return move(work, world, moment, happening);
  const life = { id: `r${nth}`, link: `${nth}`, versions: [] };
  const other = random.pick(world.entities.filter((entity) => entity !== happening.entity));
  if (!happening.kind.startsWith('transfer')) return landLife(work, world, life, happening);
  const side = { ...happening, other, isOnChain: random.chance(50) };
  await landLife(work, world, life, side);
  if (random.chance(60)) await landLife(work, world, farLife(life, nth, random), farSide(side, random));
  return [];
};

const move = async (work: Work, world: World, { nth, random }: Moment, happening: Happening) => {
  await landLife(work, world, { id: `r${nth}`, link: `${nth}`, versions: [] }, happening);
  const kind = isPlaceMove(happening.kind) ? otherSideOf(happening.kind) : undefined;
  if (kind === undefined || random.chance(25)) return [];
  const side = { ...happening, kind, at: otherHour(happening, random) };
  return landLife(work, world, { id: `r${nth}-2`, link: `${nth}-2`, versions: [] }, side);
};

const otherHour = ({ at: instant }: Happening, random: Random): string =>
  instant.replace(/T\d\d/, `T${17 + random.below(6)}`);

/** The other side's life: now and then both sides are one record, which is the surest pair. */
const farLife = ({ id, link }: Life, nth: number, random: Random): Life => ({
  id: random.chance(30) ? id : `r${nth}-2`,
  link,
  versions: [],
});

/** What the other side of a transfer reports: at another hour, now and then less. */
const farSide = (side: Happening, random: Random): Happening => ({
  ...side,
  kind: side.kind === 'transfer in' ? 'transfer out' : 'transfer in',
  entity: side.other ?? '',
  other: side.entity,
  at: otherHour(side, random),
  units: random.chance(85) ? side.units : side.units - side.units / 100n,
});

/** The other side of a transfer of which only one is known. */
export const complete: Operation = async (work, world, { nth, random }) => {
  const lone = world.lives.filter((life) => latest(life).other !== null && !twinOf(world, life));
  const life = chosen(lone, nameOf, `${nth}`);
  if (!life) return [];
  return landLife(work, world, farLife(life, nth, random), farSide(latest(life), random));
};

/** Another version of a record: another amount, another time, cancelled, standing again, or as it was once. */
export const correct: Operation = async (work, world, moment) => {
  const { nth, month, random } = moment;
  const life = chosen(world.lives, nameOf, `${nth}`);
  if (!life) return [];
  const last = latest(life);
  const isTransaction = streamOf(last) === 'wallet-transactions';
  const cancelledAt = isTransaction && last.cancelledAt === null ? timeIn(month, random) : null;
  const kinds: readonly Happening[] = [
    { ...last, units: coins(random, 100_000_000n) },
    { ...last, units: last.units + coins(random, 100_000n) },
    { ...last, money: money(random) },
    { ...last, isStated: !last.isStated },
    { ...last, at: timeIn(someMonth(moment), random) },
    { ...last, cancelledAt },
    { ...last, cancelledAt },
    random.pick(life.versions),
  ];
  const isValued = last.kind === 'swap' || last.kind === 'reward';
  const next =
    isValued && random.chance(50)
      ? { ...last, money: money(random), isStated: random.chance(70) }
      : random.pick(kinds);
  return landLife(work, world, life, withFirstValue(last, next));
};

/** The value of a reward stays, once stated, as long as nothing else of it changes. */
const withFirstValue = (last: Happening, next: Happening): Happening =>
  last.kind === 'reward' && last.isStated && next.units === last.units && next.at === last.at
    ? { ...next, money: last.money, isStated: true }
    : next;
