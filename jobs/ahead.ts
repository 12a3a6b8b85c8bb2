// Work ahead: a long night is valued and its files are drafted while the gateway is still being read. The request budget, and trades
// and orders, which are answered a few a second, leave the machine time: months that all lists of all entities have passed are
// complete while later trades are read, and all of them while orders are. The end of the night writes only what is not settled or
// changed since. The prices of what is booked are read as soon as that is much: requested last, they would wait for the budget of
// another minute.

import { sql } from 'kysely';
import { messageOf } from '../src/base/errors.ts';
import { HOUR_MS } from '../src/base/time.ts';
import { renewStatistics } from '../src/database/database.ts';
import { pairAcross } from '../src/reconcile/reconcile.ts';
import { linkValues, timedStep } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { deriveAll, TAXPAYERS_AT_ONCE } from '../src/valuation/value-all.ts';
import type { Ahead, Progress } from './beside.ts';
import { exportMonths } from './export.ts';
import { readRates } from './rates.ts';
import { readAssets } from './references.ts';
import type { Session } from './session.ts';

/** An ordinary night has fewer entries, and values and writes them once. */
const ENTRIES_MIN = 2_000;

/**
 * Works ahead of the end of a night of these entities, once each has noted that at most its trades are still being read. An
 * entity that fails never does, and then the end of the night does everything. No reading waits for this: `begin` returns at once.
 */
export const workAhead = (session: Session, entities: readonly string[]): Ahead => {
  const { options } = session;
  const entriesMin = options.versionsMin ?? ENTRIES_MIN;
  const progress = new Map<string, Progress>();
  const still = (): string[] =>
    [...progress].flatMap(([entity, { reading }]) => (reading === 'nothing' ? [] : [entity]));
  const booked = (): number => [...progress.values()].reduce((sum, { entries }) => sum + entries, 0);
  const isDue = (): boolean =>
    booked() >= entriesMin &&
    entities.every((entity) => (progress.get(entity)?.reading ?? 'lists') !== 'lists');
  const passed = { before: '', isAll: false };
  const drafts = draftsOf(session);
  let [passes, pricesDue, last, linked] = [0, entriesMin, Promise.resolve(), Promise.resolve()];
  const { db, run } = session.work;
  const link = (): Promise<void> => attempt(session.work, () => linkValues(db, run.id));
  const next = async (): Promise<void> => {
    const reading = still();
    await pass({ session, entities, reading, drafts }, passed);
    if (reading.length > 0) linked = linked.then(link); // beside the next months; those of the last are linked beside their files
    passes -= 1;
  };
  const begin = (): void => {
    const isAll = still().length === 0;
    if (passed.isAll || (passes > 0 && !isAll)) return; // the end of the night has the rest
    if (isDue()) {
      passed.isAll = isAll;
      passes += 1;
      last = last.then(next);
    } else if (booked() >= pricesDue) {
      pricesDue = 2 * booked();
      last = last.then(() => attempt(session.work, () => pricesSoFar(session, entities)));
    }
  };
  const settled = async (): Promise<void> => {
    await last;
    await drafts.settled();
    await linked;
  };
  return { note: (entity, reached) => void progress.set(entity, reached), begin, settled };
};

type Pass = {
  readonly session: Session;
  readonly entities: readonly string[];
  readonly reading: readonly string[];
  readonly drafts: Drafts;
};

/** Drafts of the files, one after another. */
type Drafts = {
  /** Resolves once the moment of the books that a draft shows is fixed: the next months are valued beside it. */
  readonly begin: () => Promise<void>;
  readonly settled: () => Promise<void>;
};

const draftsOf = ({ work, options: { writesFiles = true } }: Session): Drafts => {
  let last = Promise.resolve();
  const begin = async (): Promise<void> => {
    await last;
    await new Promise<void>((opened) => {
      last = attempt(work, () => exportMonths(work, { isDraft: true, opened })).finally(opened);
    });
  };
  return { begin: writesFiles ? begin : () => last, settled: () => last };
};

/** A failure is only a warning: the end of the night does the same work, and fails if it fails again. */
export const attempt = async ({ tell }: Work, step: () => Promise<void>): Promise<void> => {
  try {
    await step();
  } catch (error) {
    const reason = messageOf(error);
    tell({ event: 'warning', message: `work ahead of the end of the night stopped: ${reason}` });
  }
};

const pricesSoFar = ({ work, gateway, prices }: Session, [entity = '']: readonly string[]): Promise<void> =>
  readRates(work, gateway, { entity, prices, isPartial: true });

/** Works on the months that the trades of `reading` have passed, or on all if nobody reads any more. */
const pass = ({ session, entities, reading, drafts }: Pass, passed: { before: string }): Promise<void> =>
  attempt(session.work, async () => {
    const { work } = session;
    const before = reading.length > 0 ? await monthOfTrades(work, reading) : undefined;
    if (before !== undefined && before <= passed.before) return;
    // Of some lists that values read, nothing had landed when statistics were renewed last; the end of a booking renews them anyway.
    if (before !== undefined) await renewStatistics(work.db, 'ledger');
    await value(session, entities, before);
    await drafts.begin();
    passed.before = before ?? '';
  });

const value = async (
  { work, gateway, prices }: Session,
  [entity = '']: readonly string[],
  before: string | undefined,
): Promise<void> => {
  await readRates(work, gateway, { entity, prices });
  if (before === undefined) await pairTransfers(work);
  await deriveAll(work, { before, atOnce: TAXPAYERS_AT_ONCE });
  await readAssets(work, gateway, entity);
};

/** The values rest on the pairs, which are final once every record is booked. */
const pairTransfers = ({ db, run, config, tell }: Work): Promise<unknown> =>
  timedStep(tell, { event: 'compared across' }, () =>
    pairAcross(db, run, { transitMs: config.transitHours * HOUR_MS }),
  );

/**
 * The month that the trades of all these entities, whose lists are read oldest first, have reached in this run; '' if it booked
 * nothing of an earlier month.
 */
const monthOfTrades = async ({ db, run }: Work, reading: readonly string[]): Promise<string> => {
  const { rows } = await sql<{ month: string }>`
    with booked as (
      select entity_id, stream, period from ledger.entries
      where entry_number > (select entries_before from run.runs where run_id = ${run.id}::uuid)),
    reached as (
      select coalesce(max(b.period), '') as month
      from unnest(${reading}::text[]) as r (entity_id)
      left join booked b on b.entity_id = r.entity_id and b.stream = 'trades' group by r.entity_id)
    select month from (select min(month) as month from reached) as slowest
    where month > (select min(period) from booked)`.execute(db);
  return rows[0]?.month ?? '';
};
