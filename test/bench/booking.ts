// The cost of our own work: landing, booking and exporting, beside what the database needs for the same rows.
import { type Database, inSession, openDatabase } from '../../src/database/connection.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { withBooks } from '../../src/run/work.ts';
import { median, took } from './clock.ts';
import { copySecondsOf } from './copy.ts';
import type { Figure } from './figure.ts';
import { onStage } from './stage.ts';
import { movementWorld } from './world.ts';

const MOVEMENTS = 50_000;
const ROUNDS = 3;

/** Books what is landed, and copies the same landed rows and legs in; exports, and copies the journal out. */
export const booking = async (): Promise<Figure[]> => {
  const world = movementWorld({ entities: 1, movements: MOVEMENTS, inOneMs: 1 });
  return onStage({ seed: 1, world, rpm: 100_000 }, async (stage) => {
    const { seconds } = await stage.night();
    const measured = async (_: Database, url: string): Promise<Figure[]> => {
      const { db, close } = openDatabase(url, { name: 'bench' });
      const copied = median(await rounds(() => copySecondsOf(url, 'land.records')));
      const booked = median(
        await rounds(async () => {
          await inSession(url, 'bench', (session) => session.query(AGAIN));
          return took(() => normalize(db, { entity: 'main', timezone: 'UTC', currency: 'EUR' }));
        }),
      );
      await close();
      return [
        figureOf('first night (extract, land, book, compare, export)', seconds, copied),
        figureOf('booking', booked, copied),
      ];
    };
    return withBooks(stage.config, measured, { as: 'owner' }); // owner: it empties the ledger between two rounds
  });
};

const figureOf = (what: string, seconds: number, limit: number): Figure => ({
  what: `${what}, ${MOVEMENTS} movements`,
  figure: `${seconds.toFixed(1)} s ÷ ${limit.toFixed(2)} s = ${(seconds / limit).toFixed(1)}`,
  limit: 'COPY of the landed rows; measured, no limit set',
  isKept: true,
});

/** Removes everything after landing and restores the inbox. */
const AGAIN = `
  truncate ledger.transfers, ledger.entries, ledger.daily, ledger.outcomes;
  insert into land.inbox (entity_id, stream, record_id, version, request_id) select entity_id, stream, record_id, version, request_id from land.records`;

const rounds = async (measure: () => Promise<number>): Promise<number[]> => {
  const all: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) all.push(await measure());
  return all;
};
