// The request budget from the other side: the stand-in's own log shows how much of a minute was used, and that no
// minute exceeded it.
import type { Figure } from './figure.ts';
import { onStage } from './stage.ts';

const RPM = 600;
const MINUTE_MS = 60_000;

type Logged = { readonly at: number };

/** Eight entities with work for more than two minutes, answers that take 50 ms. */
export const budget = async (): Promise<Figure[]> => {
  const movements = { entities: 8, movements: 18_000, inOneMs: 1 };
  return onStage({ seed: 1, movements, rpm: RPM, faults: ['slow:50'] }, async ({ night, url }) => {
    await night();
    const log = ((await (await fetch(`${url}/__world/log`)).json()) as Logged[])
      .map(({ at: sentAtMs }) => sentAtMs)
      .sort((a, b) => a - b);
    const most = Math.max(...log.map((from, first) => countFrom(log, first, from + MINUTE_MS)));
    const minutes = Math.floor(((log.at(-1) ?? 0) - (log[0] ?? 0)) / MINUTE_MS);
    const used = countFrom(log, 0, (log[0] ?? 0) + minutes * MINUTE_MS) / (minutes * RPM);
    return [
      {
        what: `requests in any 60 s, of ${log.length}`,
        figure: `at most ${most}`,
        limit: `${RPM}`,
        isKept: most <= RPM,
      },
      {
        what: `budget used over ${minutes} minutes of work, 8 entities, 50 ms`,
        figure: `${(used * 100).toFixed(1)} %`,
        limit: 'at least 95 %',
        isKept: used >= 0.95,
      },
    ];
  });
};

const countFrom = (log: readonly number[], first: number, until: number): number => {
  let last = first;
  while (last < log.length && (log[last] as number) < until) last += 1;
  return last - first;
};
