// The nightly: extract, land, normalize, reconcile and export, for every entity.
import { DAY_MS, HOUR_MS, stopwatch } from '../src/base/time.ts';
import { together } from '../src/base/together.ts';
import type { GatewayConfig } from '../src/config/environment.ts';
import { refuseForeignState } from '../src/export/export.ts';
import type { NormalizeTally } from '../src/normalize/normalize.ts';
import { reconcile, reconcileAcross, reportChecks } from '../src/reconcile/reconcile.ts';
import { bookedEntities, type NightReading, storeNight, timedStep, verdictsOf } from '../src/run/run.ts';
import type { Result, Work } from '../src/run/work.ts';
import { deriveAll, reportValues, TAXPAYERS_AT_ONCE, valueAll } from '../src/valuation/value-all.ts';
import { workAhead } from './ahead.ts';
import { type Booked, bookBeside } from './beside.ts';
import { book, bookMore, bookRest, prove } from './book.ts';
import { exportSettled } from './export.ts';
import { noteMonths } from './months.ts';
import { pairAndValue, pairEntries } from './pairing.ts';
import { noPricesRead } from './rates.ts';
import { READINGS_MAX, withGateway } from './run-gateway.ts';
import { concludeRun } from './run-result.ts';
import {
  completedEntities,
  type EntityOutcome,
  eachListedEntity,
  eachStoredEntity,
  gatewayLimits,
  listedEntities,
  type Read,
  readMarket,
  type Session,
  type SessionOptions,
} from './session.ts';

export { listen } from './listen.ts';

/** The whole nightly, stage by stage. */
export const nightly = async (
  work: Work,
  config: GatewayConfig,
  options: SessionOptions,
): Promise<Result> => {
  const { writesFiles = true } = options;
  if (writesFiles) refuseForeignState(config.home);
  return withGateway(work, gatewayLimits(config, options), async (gateway, reportClocks) => {
    const session = { work, config, gateway, options: { ...options, skips: true }, prices: noPricesRead() };
    const listed = await listedEntities(session);
    const ahead = workAhead(
      session,
      listed.entities.map(({ id }) => id),
    );
    const outcome = await eachListedEntity(session, listed, (entity, read) =>
      nightOf(work, { entity, versionsMin: options.versionsMin, ahead }, read),
    ).finally(ahead.settled);
    await finishNight(session, outcome, reportClocks);
    if (writesFiles) await exportSettled(work);
    const result = await concludeRun(work, { ...outcome, requests: gateway.requests() });
    return { ...result, verdicts: await verdictsOf(work.db, work.run.id) };
  });
};

/** What follows once every entity is read: rates, comparisons across entities, values, months. */
export const finishNight = async (
  session: Session,
  outcome: EntityOutcome,
  reportClocks: () => Promise<void>,
): Promise<void> => {
  const { work } = session;
  await readMarket(session, outcome);
  await reportClocks();
  const completed = completedEntities(outcome);
  await bookRest(work, completed);
  await pairRest(work, completed);
  await compareAcross(work);
  const compared = completed.filter((entity) => !outcome.skipped.has(entity));
  const atOnce = TAXPAYERS_AT_ONCE;
  await together([deriveAll(work, { atOnce }), reportChecksOf(work, compared)]); // neither reads what the other writes
  await reportValues(work);
  await noteMonths(work);
};

/** Pairs what is booked of entities that are not compared in this night: the files contain them too, as far as they were read. */
const pairRest = async (work: Work, completed: readonly string[]): Promise<void> => {
  const done = new Set(completed);
  await pairEntries(
    work,
    (await bookedEntities(work)).filter((entity) => !done.has(entity)),
  );
};

/** Only the extraction. */
export const extractOnly = (work: Work, config: GatewayConfig, options: SessionOptions): Promise<Result> =>
  withGateway(work, gatewayLimits(config, options), async (gateway, reportClocks) => {
    const session = { work, config, gateway, options, prices: noPricesRead() };
    const listed = await listedEntities(session);
    const outcome = await eachListedEntity(session, listed, async (_, read) => (await read()).explain());
    await readMarket(session, outcome);
    await reportClocks();
    return concludeRun(work, { ...outcome, requests: gateway.requests() });
  });

/** A whole night of one entity. It counts as read, or as skipped, only once this is stored. */
export const nightOf = async (work: Work, booked: Booked, read: Read): Promise<void> => {
  const tookMs = stopwatch();
  const { entity } = booked;
  const reading = await readAndCompare(work, booked, read);
  await storeNight(work.db, work.run, { entity, ...reading });
  const event = reading.reason === null ? 'skipped' : 'read';
  work.tell({ event, entity, reason: reading.reason, duration_ms: tookMs() });
};

/**
 * Reads, books and compares one entity; reads again while balances change during the reading. What its records name is read
 * while they are booked and proved. What was skipped is not compared: its last comparison stands.
 */
export const readAndCompare = async (work: Work, booked: Booked, read: Read): Promise<NightReading> => {
  const { entity, ahead } = booked;
  for (let readings = 1; ; readings += 1) {
    const { result, tally: beside } = await bookBeside(work, booked, read);
    const { explain, ...reading } = result;
    const { isFull } = reading;
    const onBooked = ({ entries }: NormalizeTally) => {
      ahead?.note(entity, { entries, reading: 'nothing' });
      ahead?.begin();
    };
    const isAgain = readings > 1;
    const [before] = await together([book(work, entity, { beside, isFull, isAgain, onBooked }), explain()]);
    await bookMore(work, entity, { before, isFull });
    if (reading.reason === null) return reading;
    const { 'in-flight': inFlight } = await compare(work, entity);
    if (!inFlight || readings === READINGS_MAX) return reading;
  }
};

/** Only normalize, offline. */
export const normalizeOnly = async (work: Work, { only }: Pick<SessionOptions, 'only'>): Promise<Result> => {
  const outcome = await eachStoredEntity(work, only, (entity) => book(work, entity));
  await pairAndValue(work);
  return concludeRun(work, { ...outcome, requests: 0 });
};

/** Books the landed records of some entities and compares them with the last balances read. */
export const bookAll = async (work: Work, entities: readonly string[]): Promise<Result> => {
  for (const entity of entities) {
    await book(work, entity);
    await compare(work, entity);
  }
  await compareAcross(work);
  await valueAll(work);
  return concludeRun(work, { entities, failures: new Map(), requests: 0 });
};

/** Only reconcile, offline, with the last balances read. */
export const reconcileOnly = async (work: Work, { only }: Pick<SessionOptions, 'only'>): Promise<Result> => {
  const outcome = await eachStoredEntity(work, only, async (entity) => {
    await prove(work, entity);
    await compare(work, entity);
  });
  await reportChecksOf(work, completedEntities(outcome));
  await compareAcross(work);
  await valueAll(work); // a new pair of our own is no disposal: its lots move along
  return concludeRun(work, { ...outcome, requests: 0 });
};

const compare = async (work: Work, entity: string) => {
  const { pendingDays, transitHours, platformClass } = work.config;
  const patience = { pendingMs: pendingDays * DAY_MS, transitMs: transitHours * HOUR_MS };
  return timedStep(work.tell, { event: 'reconciled', entity }, () =>
    reconcile(work.db, work.run, { entity, patience, platformClass }),
  );
};

/** Pairs transfers between our entities, once all of them are booked. */
const compareAcross = async (work: Work): Promise<void> => {
  const transitMs = work.config.transitHours * HOUR_MS;
  const entities = await bookedEntities(work);
  await timedStep(work.tell, { event: 'compared across' }, async () => {
    const { paired } = await reconcileAcross(work.db, work.run, { transitMs, entities });
    return { paired };
  });
};

/**
 * Reports the results of checks other than breaks once, after the last reading, because an earlier one may have differed.
 */
export const reportChecksOf = async (work: Work, entities: readonly string[]): Promise<void> => {
  for (const [entity, counts] of await reportChecks(work.db, work.run, { entities }))
    work.tell({ event: 'checked', entity, ...counts });
};
