// The night: extract, land, normalize, reconcile, export, for every entity.

import { noteMonths } from '../src/actions/close.ts';
import type { GatewayConfig } from '../src/config/config.ts';
import type { Gateway } from '../src/gateway/client.ts';
import { GatewayError } from '../src/gateway/errors.ts';
import { reconcile, reconcileAcross, tellChecks } from '../src/reconcile/reconcile.ts';
import { keptEntities } from '../src/run/entities.ts';
import type { Result, Work } from '../src/run/work.ts';
import { valueAll } from '../src/valuation/value-all.ts';
import { readCatalog } from './answers.ts';
import { book, bookLanded, prove } from './book.ts';
import { type Entity, eachEntity, isKnownEntity, keepEntity, listEntities } from './entities.ts';
import { exportMonths } from './export.ts';
import { extract } from './extract.ts';
import { judge, tellFailures } from './judge.ts';
import { readRates } from './rates.ts';
import { type Limits, limitsOf, READINGS_MAX, withGateway } from './run-gateway.ts';

export type Options = Partial<Limits> & {
  readonly only?: string | undefined;
  readonly isFull: boolean;
  /** Whether the months' files are written at the end; the next night that writes them has this one's months too. */
  readonly writesFiles?: boolean;
};

/** The whole night. */
export const nightly = (work: Work, config: GatewayConfig, options: Options): Promise<Result> =>
  online(work, config, {
    options,
    each: ({ id }, read) => readAndCompare(work, id, read),
    last: async (read) => {
      await bookRest(work, read);
      await compareAcross(work);
      for (const entity of read) await tell(work, entity);
      await valueAll(work);
      await noteMonths(work);
      if (options.writesFiles ?? true) await exportMonths(work);
    },
  });

/** One entity's night: read, booked and compared, and read again while something moved under the reader's hands. */
export const readAndCompare = async (
  work: Work,
  entity: string,
  read: () => Promise<void>,
): Promise<void> => {
  for (let readings = 1; readings <= READINGS_MAX; readings += 1) {
    await read();
    await book(work, entity);
    if (!(await compare(work, entity))['in-flight']) break;
  }
};

/** What is landed of an entity whose reading failed, in this night or an earlier one, is booked too: files hold all or none. */
const bookRest = async (work: Work, read: readonly string[]): Promise<void> => {
  for (const entity of await keptEntities(work)) {
    if (read.includes(entity)) continue;
    const { records } = await bookLanded(work, entity);
    if (records > 0) await prove(work, entity);
  }
};

/** Extraction alone. */
export const extractOnly = (work: Work, config: GatewayConfig, options: Options): Promise<Result> =>
  online(work, config, { options, each: (_, read) => read(), last: async () => {} });

type Online = {
  readonly options: Options;
  /** What is done for one entity; `read` extracts it. */
  readonly each: (entity: Entity, read: () => Promise<void>) => Promise<void>;
  /** What is done at the end, for the entities that were read. */
  readonly last: (read: readonly string[]) => Promise<void>;
};

const online = (work: Work, config: GatewayConfig, { options, each, last }: Online): Promise<Result> => {
  const { perList, ...limits } = limitsOf(config, options);
  return withGateway(work, { ...config, ...limits }, async (gateway, tellClocks) => {
    const { only, isFull } = options;
    const entities = await listEntities(work, gateway, { entities: config.gateway.entities, only });
    const answered = { isAny: false, refused: new Set<string>() };
    const unknown = new Set<string>();
    const failures = await eachEntity(entities, async (entity, known) => {
      if (!(await isKnownEntity(work, gateway, entity))) return void unknown.add(entity.id);
      await keepEntity(work, entity);
      await each(entity, () => extract({ work, gateway, entity, isFull, perList, known }, answered));
    });
    await tellFailures(work, failures);
    const ids = entities.map(({ id }) => id).filter((id) => !unknown.has(id));
    const [first] = ids;
    if (first && failures.size === 0) await tellFailures(work, await priced(work, gateway, first, failures));
    await tellClocks();
    await last(ids.filter((id) => !failures.has(id)));
    return judge(work, { entities: ids, failures, requests: gateway.requests() });
  });
};

/** Reads what currencies were worth, once for all. Weather is a failure of the run, and none of any entity's books. */
const priced = async (work: Work, gateway: Gateway, id: string, failures: Map<string, Error>) => {
  try {
    await readRates(work, gateway, id);
    await readCatalog(work, gateway, id);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    failures.set(id, error);
  }
  return failures;
};

/** Normalize alone, offline. */
export const normalizeOnly = (work: Work, options: Pick<Options, 'only'>): Promise<Result> =>
  offline(work, options, { each: (entity) => book(work, entity), last: () => valueAll(work) });

/** Books what is landed of some entities and compares them with the balances read last. */
export const bookAll = async (work: Work, entities: readonly string[]): Promise<Result> => {
  for (const entity of entities) {
    await book(work, entity);
    await compare(work, entity);
  }
  await compareAcross(work);
  await valueAll(work);
  return judge(work, { entities, failures: new Map(), requests: 0 });
};

/** Reconcile alone, offline, against the balances read last. */
export const reconcileOnly = (work: Work, options: Pick<Options, 'only'>): Promise<Result> =>
  offline(work, options, {
    each: async (entity) => {
      await prove(work, entity);
      await compare(work, entity);
      await tell(work, entity);
    },
    last: () => compareAcross(work),
  });

/** Does something for every entity that has books, without the gateway; then, `last`, for all of them together. */
export const offline = async (
  work: Work,
  { only }: Pick<Options, 'only'>,
  { each, last }: { each: (entity: string) => Promise<unknown>; last?: () => Promise<void> },
): Promise<Result> => {
  const entities = await keptEntities(work, only);
  const failures = await eachEntity(
    entities.map((id): Entity => ({ id })),
    async ({ id }) => void (await each(id)),
  );
  await tellFailures(work, failures);
  await last?.();
  return judge(work, { entities, failures, requests: 0 });
};

const compare = async (work: Work, entity: string) => {
  const { pendingDays, transitHours } = work.config;
  const patience = { pendingMs: pendingDays * 86_400_000, transitMs: transitHours * 3_600_000 };
  const outcome = await reconcile(work.db, work.run, { entity, patience });
  work.tell({ event: 'reconciled', entity, ...outcome });
  return outcome;
};

/** What went from one of our entities to another, once all of them are booked. */
const compareAcross = async (work: Work): Promise<void> => {
  const transitMs = work.config.transitHours * 3_600_000;
  const entities = await keptEntities(work);
  const { paired } = await reconcileAcross(work.db, work.run, { transitMs, entities });
  work.tell({ event: 'compared across', paired });
};

/** What the checks say beside the breaks, once, when all is read: a reading that was taken again may have said otherwise. */
export const tell = async (work: Work, entity: string): Promise<void> =>
  work.tell({ event: 'checked', entity, ...(await tellChecks(work.db, work.run, { entity })) });
