// Number of requests: pages read, beside the fewest possible.
import type { Figure } from './figure.ts';
import { onStage } from './stage.ts';

const RPM = 100_000;

const ratio = (made: number, fewest: number): string => `${made} ÷ ${fewest} = ${(made / fewest).toFixed(3)}`;

/** A first night over 100,000 movements, four in every millisecond that has any: at most 1.05 times the fewest requests. */
export const backfill = async (): Promise<Figure[]> => {
  const movements = { entities: 1, movements: 100_000, inOneMs: 4 };
  return onStage({ seed: 1, movements, rpm: RPM }, async ({ night }) => {
    const { pages, fewest, seconds } = await night();
    const what = `first night, 100,000 movements, 4 in a millisecond, ${seconds.toFixed(0)} s`;
    return [{ what, figure: ratio(pages, fewest), limit: 'at most 1.05', isKept: pages / fewest <= 1.05 }];
  });
};

/** Denser lists: with k records at every instant, a page of 100 can prove at most 100 − k of them. */
export const dense = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const inOneMs of [20, 50, 80]) {
    const movements = 10_000;
    const shape = { entities: 1, movements, inOneMs };
    await onStage({ seed: 1, movements: shape, rpm: RPM }, async ({ night }) => {
      const { pages } = await night();
      const instants = Math.floor(99 / inOneMs); // whole instants that one page proves: the oldest of a full page never counts
      const fewest = Math.ceil(movements / (instants * inOneMs)) + 2; // the empty lists of trades and wallet rows
      const isKept = pages / fewest <= 1.05;
      const what = `first night, 10,000 movements, ${inOneMs} in a millisecond, beside the fewest that the list allows`;
      figures.push({ what, figure: ratio(pages, fewest), limit: 'at most 1.05', isKept });
    });
  }
  return figures;
};

/** A night without any change: one request for each list, beside the balances. */
export const quiet = async (): Promise<Figure[]> =>
  onStage({ seed: 1, entities: 3, perDay: 40, rpm: RPM }, async ({ night }) => {
    await night();
    const { pages, fewest, requests } = await night();
    const what = `quiet night, 3 entities (${requests} requests with the balances)`;
    return [{ what, figure: ratio(pages, fewest), limit: 'one a list', isKept: pages === fewest }];
  });
