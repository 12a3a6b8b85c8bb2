// One operation of a history: its form, and random amounts and months.
import { monthAfter } from '../../../src/ledger/ledger.ts';
import type { Work } from '../../../src/run/work.ts';
import type { Random } from '../../../src/sandbox/random.ts';
import { FIRST_MONTH, type World } from './world.ts';

/** An operation under way: its number, the month in which it happens, and its random numbers. */
export type Moment = { readonly nth: number; readonly month: string; readonly random: Random };

/** Returns what it shows to be wrong. */
export type Operation = (work: Work, world: World, moment: Moment) => Promise<readonly string[]>;

const ATTO_SATOSHI = 10n ** 10n;
const ATTO_CENT = 10n ** 16n;

export const coins = (random: Random, max: bigint) => (1n + random.units(max)) * ATTO_SATOSHI;
export const money = (random: Random) => (1n + random.units(500_000n)) * ATTO_CENT;

/** A month up to this one; mostly this one. */
export const someMonth = ({ month, random }: Moment): string => {
  if (random.chance(70)) return month;
  const months: string[] = [];
  for (let one = FIRST_MONTH; one <= month; one = monthAfter(one)) months.push(one);
  return random.pick(months);
};
