// Requests of a quiet night: every list read, and with a listener beside it.
import assert from 'node:assert/strict';
import { listen } from '../../jobs/nightly.ts';
import { withBooks } from '../../src/run/entry.ts';
import type { Figure } from './figure.ts';
import { onStage, type Stage } from './stage.ts';

/** Lets a listener that has connected accompany `play`. */
const beside = async <T>(config: Stage['config'], play: () => Promise<T>): Promise<T> => {
  const ending = new AbortController();
  let connect = () => {};
  const connected = new Promise<void>((done) => {
    connect = done;
  });
  const tell = ({ event }: { readonly event: string }) => {
    if (event === 'connected') connect();
  };
  const ended = withBooks(config, ({ db }) => listen({ config, db, tell, signal: ending.signal }));
  try {
    await Promise.race([connected, ended]);
    return await play();
  } finally {
    ending.abort();
    await ended;
  }
};

/** Nights over entities that do not move: the first two read every list, the third skips them all. */
export const quietNights = async (entities = 50): Promise<Figure[]> => {
  const movements = { entities, movements: 10, inOneMs: 1 };
  return onStage({ seed: 1, movements, rpm: 100_000 }, async ({ night, config }) => {
    await night();
    const [without, listening] = await beside(config, async () => [await night(), await night()]);
    assert(without && listening);
    return [
      figureOf(`quiet night, ${entities} entities without Earn wallets`, without.requests, {
        entities,
        most: 12,
      }),
      figureOf('the same with a listener', listening.requests, { entities, most: 3 }),
    ];
  });
};

type Bound = { readonly entities: number; readonly most: number };

/** Requests that a run makes once are those above whole ones an entity. */
const figureOf = (what: string, requests: number, { entities, most }: Bound): Figure => ({
  what,
  figure: `${requests} requests, ${Math.floor(requests / entities)} an entity and ${requests % entities} besides`,
  limit: `at most ${most} an entity`,
  isKept: Math.floor(requests / entities) <= most,
});
