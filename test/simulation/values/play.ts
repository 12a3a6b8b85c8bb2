// Plays the history of one seed until a claim does not hold, and looks for the shortest one that shows it.
import { messageOf } from '../../../src/base/errors.ts';
import { monthAfter } from '../../../src/ledger/ledger.ts';
import type { Work } from '../../../src/run/work.ts';
import { randomOf } from '../../../src/sandbox/random.ts';
import { type Books, night, openEntities, withBooks } from './books.ts';
import { disagreements, faultsIn } from './claims.ts';
import { nameWallet, publish, rebuildAll } from './decisions.ts';
import { operationOf } from './operations.ts';
import { daysOf, FIRST_MONTH, type World, worldOf } from './world.ts';

/** Which operations of a seed to play: the first so many, without some. */
type History = {
  readonly seed: number;
  readonly operations: number;
  readonly without: readonly number[];
};

export type Played = { readonly history: History; readonly faults: readonly string[] };

const MONTH_OPERATIONS = 14;
const NIGHT_OPERATIONS = 5;

const monthOf = (nth: number): string => {
  let month = FIRST_MONTH;
  for (let left = Math.floor(nth / MONTH_OPERATIONS); left > 0; left -= 1) month = monthAfter(month);
  return month;
};

/** Plays a history in books of its own. The result names the operations until the first fault. */
export const play = (url: string, history: History, alter?: Alteration): Promise<Played> => {
  const world = worldOf(history.seed);
  return withBooks(url, (books) => playOn(books, world, { ...history, alter }));
};

/** Alters the books before the last claims, to show that these can fail. */
type Alteration = (work: Work) => Promise<unknown>;

const playOn = async (
  books: Books,
  world: World,
  { alter, ...history }: History & { readonly alter: Alteration | undefined },
): Promise<Played> => {
  let nth = 0;
  const until = (faults: readonly string[], operations = nth): Played => ({
    history: { ...history, operations },
    faults,
  });
  try {
    await books.run((work) => begin(work, world));
    while (nth < history.operations) {
      const faults = await books.run(async (work) => {
        const last = Math.min(nth + NIGHT_OPERATIONS, history.operations);
        while (nth < last) {
          const shown = history.without.includes(nth) ? [] : await step(work, world, nth);
          nth += 1;
          if (shown.length > 0) return shown;
        }
        await night(work);
        return faultsIn(work, world);
      });
      if (faults.length > 0) return until(faults);
    }
    if (alter) await books.run(alter);
    return until(await books.run((work) => end(work, world, monthOf(nth))));
  } catch (error) {
    return until([`error: ${messageOf(error)}`], nth + 1);
  }
};

const begin = async (work: Work, world: World): Promise<void> => {
  await openEntities(work, world.owners);
  await nameWallet(work, world, true);
  const known = 1 + randomOf(`values:${world.seed}:rates`).below(5);
  for (let month = 0, name = FIRST_MONTH; month < known; month += 1, name = monthAfter(name))
    await publish(work, world, daysOf(name));
};

/** One operation, and what it shows to be wrong. */
const step = (work: Work, world: World, nth: number): Promise<readonly string[]> => {
  const random = randomOf(`values:${world.seed}:${nth}`);
  return operationOf(random)(work, world, { nth, month: monthOf(nth), random });
};

const end = async (work: Work, world: World, month: string): Promise<string[]> => [
  ...(await faultsIn(work, world)),
  ...(await disagreements(work, month)),
  ...(await rebuildAll(work)),
];

/** The same fault with fewer operations: leaves out ever smaller parts of the history as long as it shows one of its kind. */
export const shrink = async (url: string, { history, faults }: Played): Promise<Played> => {
  let shortest: Played = { history, faults };
  for (let size = Math.ceil(history.operations / 2); size >= 1; size = Math.floor(size / 2))
    for (let start = 0; start < shortest.history.operations; start += size) {
      const part = Array.from({ length: size }, (_, nth) => start + nth);
      const without = [...new Set([...shortest.history.without, ...part])].sort((a, b) => a - b);
      if (without.length === shortest.history.without.length) continue;
      const shorter = await play(url, { ...shortest.history, without });
      if (kindOf(shorter) === kindOf(shortest)) shortest = shorter;
    }
  return shortest;
};

const kindOf = ({ faults: [first] }: Played): string => first?.split(':')[0] ?? '';
