// The nights of one seed: the real walks and the real landing, run again after every kill, while the world changes.
import { storeEntity } from '../../jobs/entities.ts';
import { extract } from '../../jobs/extract.ts';
import type { Extraction } from '../../jobs/extraction.ts';
import type { Database } from '../../src/database/connection.ts';
import { GatewayError } from '../../src/gateway/errors.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { openRun, type Run } from '../../src/run/job-run.ts';
import type { Work } from '../../src/run/work.ts';
import { booksConfig } from '../books-config.ts';
import { Killed, type StandIn } from './gateway.ts';
import { betweenNights } from './happenings.ts';
import type { SimWorld } from './life.ts';
import type { Kill, Night } from './plan.ts';

/** The database of a seed's nights, and the extraction; a test supplies a careless one. */
export type Theatre = {
  readonly database: Pick<Database, 'db' | 'pool'>;
  readonly entity: string;
  readonly extract: (extraction: Extraction) => Promise<unknown>;
};

export const realExtract = (extraction: Extraction): Promise<unknown> =>
  extract(extraction, { isAny: true, refused: new Set<string>() });

/** The result of a night: its last run, and when it began. */
export type Slept = {
  readonly run: Run;
  /** The world's tick at the start of its last attempt: what was listed then was listed all the time. */
  readonly tick: number;
  /** Every list was read from its start: on request, or the first time. */
  readonly isWhole: boolean;
  /** A temporary failure or a refusal ended it; such a night claims nothing. */
  readonly failure: string | null;
  readonly runs: number;
};

/** A run for one entity, without a request gate: the client is given. */
export const openWork = async (database: Theatre['database'], entity: string): Promise<Work> => {
  const work: Work = {
    sent: { requests: 0 },
    ...database,
    as: async () => database.db,
    url: '',
    config: booksConfig(''),
    run: await openRun(database.db, 'simulation'),
    tell: () => {},
    signal: new AbortController().signal,
  };
  await storeEntity(work, { id: entity });
  return work;
};

/** One night, with its kills. */
export const sleep = async (
  theatre: Theatre,
  world: SimWorld,
  setting: { readonly standIn: StandIn; readonly night: Night; readonly isFirst: boolean },
): Promise<Slept> => {
  const { night, standIn, isFirst } = setting;
  world.begin(night);
  for (const kill of night.kills) {
    const { failure } = await attempt(theatre, world, { ...setting, kill });
    if (failure === null) break;
  }
  const slept = await attempt(theatre, world, { standIn, night, kill: {} });
  return {
    ...slept,
    isWhole: night.isFull || (isFirst && night.kills.length === 0),
    runs: night.kills.length + 1,
  };
};

type Attempt = { readonly standIn: StandIn; readonly night: Night; readonly kill: Kill };

const attempt = async (
  { database, entity, extract: read }: Theatre,
  world: SimWorld,
  { standIn, night, kill }: Attempt,
): Promise<Pick<Slept, 'run' | 'tick' | 'failure'>> => {
  const work = await openWork(database, entity);
  const gateway = standIn.open(kill);
  const tick = world.tick();
  let failure: string | null = null;
  try {
    await read({
      work,
      gateway,
      entity: { id: entity },
      isFull: night.isFull,
      perList: { limitMs: 3_600_000, clockMs: () => 0 },
      known: () => {},
    });
  } catch (error) {
    if (!(error instanceof Killed || error instanceof GatewayError)) throw error;
    failure = error.name === 'Killed' ? 'killed' : error.message;
  } finally {
    await gateway.close();
  }
  if (world.plan.pending > 0) await normalize(database.db, { entity, timezone: 'UTC', currency: 'EUR' });
  return { run: work.run, tick, failure };
};

/** The day between two nights. */
export const pass = (world: SimWorld, night: Night): void => {
  world.advance(night.advanceMs);
  betweenNights(world);
};
