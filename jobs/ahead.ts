// Work ahead: a long night is valued and its files are drafted while the gateway is still being read. The request budget, and trades
// and orders, which are answered a few a second, leave the machine time: months that all lists of all entities have passed are
// complete while later trades are read, and all of them while orders are. The end of the night writes only what is not settled or
// changed since. The prices of what is booked are read as soon as that is much: requested last, they would wait for the budget of
// another minute.

import { sql } from 'kysely';
import { messageOf } from '../src/base/errors.ts';
import { renewStatistics } from '../src/database/database.ts';
import { linkValues } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { deriveAll, TAXPAYERS_AT_ONCE } from '../src/valuation/value-all.ts';
import type { Ahead, Progress } from './beside.ts';
import { exportMonths } from './export.ts';
import { pairTransfers } from './pairing.ts';
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
  const entriesMin = session.options.versionsMin ?? ENTRIES_MIN;
  const [entity = ''] = entities;
  const progress = new Map<string, Progress>();
  const booked = (): number => [...progress.values()].reduce((sum, { entries }) => sum + entries, 0);
  const areListsRead = (): boolean =>
    entities.every((id) => (progress.get(id)?.reading ?? 'lists') !== 'lists');
  const stillRead = (): string[] =>
    [...progress].flatMap(([id, { reading }]) => (reading === 'nothing' ? [] : [id]));
  const steps = stepsInOrder(session.work);
  const months = monthsAhead(session, entity);
  let begun: 'nothing' | 'past months' | 'all months' = 'nothing';
  let pricesDue = entriesMin;
  const complete = (): Promise<void> =>
    months.complete(stillRead()).finally(() => {
      if (begun === 'past months') begun = 'nothing';
    });
  const begin = (): void => {
    const isAll = stillRead().length === 0;
    if (begun === 'all months' || (begun === 'past months' && !isAll)) return;
    if (booked() >= entriesMin && areListsRead()) {
      begun = isAll ? 'all months' : 'past months';
      steps.add(complete);
    } else if (booked() >= pricesDue) {
      pricesDue = 2 * booked();
      steps.add(() => pricesSoFar(session, entity));
    }
  };
  const settled = (): Promise<void> => steps.ended().then(months.ended);
  return { note: (id, reached) => void progress.set(id, reached), begin, settled };
};

/** Steps that run one after another. */
type Steps = {
  readonly add: (step: () => Promise<void>) => void;
  /** Resolves once every step that was added has ended. */
  readonly ended: () => Promise<void>;
};

/** A step that fails is only a warning: the end of the night does the same work, and fails if it fails again. */
export const stepsInOrder = ({ tell }: Work): Steps => {
  let last = Promise.resolve();
  const warn = (error: unknown): void => {
    const message = `work ahead of the end of the night stopped: ${messageOf(error)}`;
    tell({ event: 'warning', message });
  };
  const add: Steps['add'] = (step) => {
    last = last.then(step).catch(warn);
  };
  return { add, ended: () => last };
};

const pricesSoFar = ({ work, gateway, prices }: Session, entity: string): Promise<void> =>
  readRates(work, gateway, { entity, prices, isPartial: true });

type MonthsAhead = {
  /** Values the months that the trades of these entities have passed, or all if nobody reads any more, and begins to draft them. */
  readonly complete: (reading: readonly string[]) => Promise<void>;
  /** Resolves once the drafts, and the links of the values, have ended too. */
  readonly ended: () => Promise<void>;
};

/** While months are drafted, and their values linked, the next ones are valued. The values of the last are linked beside their files. */
const monthsAhead = (session: Session, entity: string): MonthsAhead => {
  const { work, options } = session;
  const [drafts, links] = [stepsInOrder(work), stepsInOrder(work)];
  let passed = '';
  const draft = (): Promise<void> =>
    new Promise((opened) => {
      drafts.add(() => exportMonths(work, { isDraft: true, opened }).finally(opened));
    });
  const valueAndDraft = async (before: string | undefined): Promise<void> => {
    await value(session, entity, before);
    if (options.writesFiles ?? true) await draft(); // once the moment of the books that it shows is fixed
  };
  const complete = async (reading: readonly string[]): Promise<void> => {
    if (reading.length === 0) return valueAndDraft(undefined);
    try {
      const reached = await monthOfTrades(work, reading);
      if (reached <= passed) return;
      await valueAndDraft(reached);
      passed = reached;
    } finally {
      links.add(() => linkValues(work.db, work.run.id));
    }
  };
  return { complete, ended: () => drafts.ended().then(links.ended) };
};

/** Values all months, or those before one. */
const value = async (
  { work, gateway, prices }: Session,
  entity: string,
  before: string | undefined,
): Promise<void> => {
  // Tables that valuing reads may have been empty when their statistics were renewed last. The end of all booking has renewed them.
  if (before !== undefined) await renewStatistics(work.db, 'ledger');
  await readRates(work, gateway, { entity, prices });
  if (before === undefined) await pairTransfers(work);
  await deriveAll(work, { before, atOnce: TAXPAYERS_AT_ONCE });
  await readAssets(work, gateway, entity);
};

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
