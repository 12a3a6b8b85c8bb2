// The entities of a run: those that the gateway lists, read in parallel, or those with books, offline; and the market
// data, read once for all.
import type { GatewayConfig } from '../src/config/environment.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { bookedEntities, urgentFirst } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { readCatalog } from './answers.ts';
import type { Beside } from './beside.ts';
import {
  type Entity,
  eachEntity,
  isSecondAccount,
  type Listing,
  listEntities,
  storeEntity,
} from './entities.ts';
import { type EntityReading, extract, proveKey } from './extract.ts';
import type { GatewayAnswers } from './extraction.ts';
import { isKnownEntity } from './known-entity.ts';
import { type ReadPrices, readRates, withoutRefusals } from './rates.ts';
import { readAssets } from './references.ts';
import { type Limits, limitsOf } from './run-gateway.ts';
import { reportFailures } from './run-result.ts';

export type SessionOptions = Partial<Limits> & {
  readonly only?: string | undefined;
  readonly isFull: boolean;
  /** Whether an entity that cannot have changed is skipped. */
  readonly skips?: boolean;
  /** How many new versions are worth booking, and how many new entries worth valuing, before everything is read. */
  readonly versionsMin?: number;
  /**
   * Whether to write the files of each month; if not, the next nightly that writes files includes the months of this one.
   */
  readonly writesFiles?: boolean;
};

export type Session = {
  readonly work: Work;
  readonly config: GatewayConfig;
  readonly gateway: ReadGateway;
  readonly options: SessionOptions;
  readonly prices: ReadPrices;
};

/** Reads one entity's lists, or skips them, with a booking beside it if there is one. */
export type Read = (beside?: Beside) => Promise<EntityReading>;

export type EntityOutcome = {
  readonly entities: readonly string[];
  readonly failures: Map<string, Error>;
  /** The entities whose lists were skipped because nothing had changed. */
  readonly skipped: ReadonlySet<string>;
  /** Whether the gateway banned the key: nothing more may be sent. */
  readonly isBanned: boolean;
};

export const gatewayLimits = (config: GatewayConfig, options: Partial<Limits>) => ({
  ...config,
  ...limitsOf(config, options),
});

/** What to do with an entity that the gateway knows. */
export type Task = (entity: string, read: Read) => Promise<unknown>;

/**
 * Runs `task` for every listed entity that the gateway knows; `read` extracts it, or skips it if nothing can have changed.
 * Throws errors that are not the gateway's.
 */
export const eachListedEntity = async (
  session: Session,
  { entities: listed, isAnswered }: Listing,
  task: Task,
): Promise<EntityOutcome> => {
  const answered = { isAny: isAnswered, refused: new Set<string>() };
  const results = new Map<string, VisitResult>();
  const failures = await eachEntity(listed, async (entity, known) => {
    results.set(entity.id, await visitEntity(session, entity, { answered, known, task }));
  });
  await reportFailures(session.work, failures);
  const having = (result: VisitResult) =>
    listed.map(({ id }) => id).filter((id) => results.get(id) === result);
  const unknown = new Set(having('unknown'));
  const entities = listed.map(({ id }) => id).filter((id) => !unknown.has(id));
  const isBanned = [...failures.values()].some(isBan);
  return { entities, failures, skipped: new Set(having('skipped')), isBanned };
};

/** The entities to read, in their order. */
export const listedEntities = async ({ work, gateway, config, options }: Session): Promise<Listing> => {
  const ask = { entities: config.gateway.entities, only: options.only };
  const listing = await listEntities(work, gateway, ask);
  return { ...listing, entities: await inOrder(work, listing.entities) };
};

/** How the visit of an entity ended; `unknown` to the gateway. */
type VisitResult = 'read' | 'skipped' | 'unknown';

type Visit = {
  readonly answered: GatewayAnswers;
  /** To call once the balances have shown that the key belongs to these books. */
  readonly known: () => void;
  readonly task: Task;
};

/** Runs `task` for one entity, unless the gateway does not know it. */
export const visitEntity = async (
  { work, config, gateway, options }: Session,
  entity: Entity,
  { answered, known, task }: Visit,
): Promise<VisitResult> => {
  const { only, isFull, skips = false } = options;
  const { perList } = limitsOf(config, options);
  if (!(await isKnownEntity(work, gateway, entity))) return 'unknown';
  if (await isSecondAccount(work, entity)) await proveKey({ work, gateway, entity });
  await storeEntity(work, entity);
  let result: VisitResult = 'read';
  let maySkip = skips && only === undefined; // a second reading of the night follows a change
  await task(entity.id, async (beside) => {
    const extraction = { work, gateway, entity, isFull, maySkip, perList, known, beside };
    maySkip = false;
    const reading = await extract(extraction, answered);
    if (reading.reason === null) result = 'skipped';
    return reading;
  });
  return result;
};

/** The first account stays first, because its balances show whose key it is; of the others the most urgent. */
const inOrder = async (work: Work, [first, ...others]: readonly Entity[]): Promise<Entity[]> => {
  const urgent = await urgentFirst(
    work.db,
    others.map(({ id }) => id),
  );
  const byId = new Map(others.map((entity) => [entity.id, entity]));
  return [...(first ? [first] : []), ...urgent.flatMap((id) => byId.get(id) ?? [])];
};

/** Runs `task` for every entity with books, without the gateway. */
export const eachStoredEntity = async (
  work: Work,
  only: string | undefined,
  task: (entity: string) => Promise<unknown>,
): Promise<EntityOutcome> => {
  const entities = await bookedEntities(work, only);
  const failures = await eachEntity(
    entities.map((id): Entity => ({ id })),
    async ({ id }) => void (await task(id)),
  );
  await reportFailures(work, failures);
  return { entities, failures, skipped: new Set(), isBanned: false };
};

/** The entities without a failure. */
export const completedEntities = ({ entities, failures }: EntityOutcome): string[] =>
  entities.filter((id) => !failures.has(id));

/**
 * Reads rates and currencies once, on behalf of the first entity that was read; not if none was, or after a ban. A gateway failure
 * is added to those of the run.
 */
export const readMarket = async (
  { work, gateway, prices }: Session,
  outcome: EntityOutcome,
): Promise<void> => {
  const [first] = completedEntities(outcome);
  if (first === undefined || outcome.isBanned) return;
  try {
    await readRates(work, gateway, { entity: first, prices: withoutRefusals(prices) });
    await readCatalog(work, gateway, first);
    await readAssets(work, gateway, first);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    outcome.failures.set(first, error);
    await reportFailures(work, new Map([[first, error]]));
  }
};

export const isBan = (error: unknown): boolean => error instanceof GatewayError && error.failure === 'banned';
