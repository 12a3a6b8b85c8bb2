// A stage for landing: a database, a run, an entity and its key; walks made by hand; and queries on the tables.

import { sha256 } from '../../src/base/json.ts';
import type { LandedStream, Product, WireRecord } from '../../src/base/streams.ts';
import { isoOf, msOf } from '../../src/base/time.ts';
import { loadSql } from '../../src/database/sql.ts';
import type { WalkStep } from '../../src/extract/step.ts';
import type { Receipt } from '../../src/gateway/client.ts';
import { landReading, type Phase } from '../../src/land/balances.ts';
import { type Destination, type LandTally, landWalk } from '../../src/land/pages.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';
import { openRun, type Run } from '../../src/run/job-run.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

const START = msOf('2026-03-01T10:00:00.000Z');

/** An instant some seconds after the start of these tests. */
export const instantAt = (seconds: number): string => isoOf(START + seconds * 1_000);

/** The receipt of a page: the trace of a request that was never sent. */
export const receipt = (target = '/v1/trading/movement', date = instantAt(0)): Receipt => ({
  method: 'GET',
  target,
  status: 200,
  date,
  requestId: null,
  tries: 1,
  bodySha256: sha256(target),
  sentAtMs: msOf(date),
});

type TestStep = Omit<WalkStep<WireRecord, Receipt>, 'page'> & {
  readonly rows?: readonly WireRecord[];
  readonly target?: string;
};

/** A walk that yields the given steps; an Error among them is thrown in its place. */
async function* walkOf(steps: readonly (TestStep | Error)[]) {
  for (const step of steps) {
    if (step instanceof Error) throw step;
    const { rows, target, ...rest } = step;
    yield { ...rest, ...(rows && { page: { rows, proof: receipt(target), isFull: false } }) };
  }
}

export type Stage = TestDatabase & {
  readonly run: Run;
  readonly land: (steps: readonly (TestStep | Error)[], to?: Partial<Destination>) => Promise<LandTally>;
  /** One page of one stream. */
  readonly tell: (stream: LandedStream, ...rows: readonly WireRecord[]) => Promise<LandTally>;
  readonly read: (
    product: Product,
    phase: Phase,
    rows: readonly WireRecord[],
    date?: string,
  ) => Promise<void>;
  readonly rows: (sql: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;
  /** The rows of a check. */
  readonly check: (name: string) => Promise<Record<string, unknown>[]>;
  /** Another run continues with the same books. */
  readonly nextRun: () => Promise<Stage>;
};

/** Opens a database with one entity, main, whose books are writable. */
export const openStage = async (): Promise<Stage> => {
  const database = await freshDatabase();
  await database.pool.query(
    `insert into run.entities (entity_id, name, first_seen_at) values ('main', 'main', '${instantAt(0)}')`,
  );
  return stageOf(database);
};

const stageOf = async (database: TestDatabase): Promise<Stage> => {
  const run = await openRun(database.db, 'test');
  const key = await peopleKey(database.db, 'main');
  const to: Destination = { db: database.db, run, entity: 'main', stream: 'movements', scope: '', key };
  const land: Stage['land'] = (steps, other = {}) => landWalk({ ...to, ...other }, walkOf(steps), () => {});
  const rows: Stage['rows'] = async (sql, values = []) => (await database.pool.query(sql, [...values])).rows;
  return {
    ...database,
    run,
    land,
    tell: (stream, ...rows) => land([{ rows }], { stream }),
    read: (product, phase, rows, date = instantAt(0)) =>
      landReading(database.db, to, { product, phase, rows, receipts: [receipt(`/${product}`, date)] }),
    rows,
    check: (name) => {
      const { text, values } = loadSql(`checks/${name}.sql`, { run: run.id });
      return rows(text, values);
    },
    nextRun: () => stageOf(database),
  };
};

/** A movement as the gateway sends it. */
export const movement = (id: string, rest: WireRecord = {}): WireRecord => ({
  id,
  walletId: 'w1',
  amount: '10',
  currency: 'EUR',
  createdAt: instantAt(0),
  movementType: 'deposit',
  serviceOrderName: 'wallet',
  status: 'completed',
  ...rest,
});

/** A completed wallet transaction between two sides. */
export const transfer = (
  id: string,
  origin: WireRecord | null,
  destination: WireRecord,
  rest: WireRecord = {},
): WireRecord => ({
  id,
  date: instantAt(0),
  completedAt: instantAt(0),
  status: 'completed',
  type: 'transfer',
  origin,
  destination,
  ...rest,
});
