// Entities: whose books a run works on. The main account, and every subaccount that the key may list, or those named.

import { sql } from 'kysely';
import pLimit from 'p-limit';
import type { Entities } from '../src/config.ts';
import { UsageError } from '../src/errors.ts';
import type { Gateway } from '../src/gateway/client.ts';
import { subaccounts } from '../src/gateway/contract.ts';
import { GatewayError } from '../src/gateway/errors.ts';
import { report } from '../src/run.ts';
import type { Work } from './work.ts';

/** A set of books: `subaccount` is absent for the main account. */
export type Entity = { readonly id: string; readonly subaccount?: string };

/** Reads which entities to work on, the main account first. `only` narrows to one that must be among them. */
export const listEntities = async (
  work: Work,
  gateway: Gateway,
  ask: { entities: Entities; only?: string | undefined },
): Promise<Entity[]> => {
  const main: Entity = { id: work.config.entity };
  const named = (ids: readonly string[]) =>
    ids.map((id): Entity => (id === 'main' ? main : { id, subaccount: id }));
  const all = Array.isArray(ask.entities)
    ? named(ask.entities)
    : [main, ...named(await listSubaccounts(work, gateway, ask.entities === 'all'))];
  const wanted = all.filter(({ id }) => ask.only === undefined || id === ask.only);
  if (wanted.length === 0)
    throw new UsageError(`no entity ${ask.only} among ${all.map(({ id }) => id).join(', ')}: check --entity`);
  return wanted;
};

const listSubaccounts = async (work: Work, gateway: Gateway, isInsisted: boolean): Promise<string[]> => {
  try {
    const { page } = await gateway.call(subaccounts);
    const ids = page.rows.map((row) => String(row.id));
    if (ids.length !== page.total) {
      await report(work.db, work.run, {
        entity: work.config.entity,
        subject: 'subaccounts',
        detail: `the gateway counts ${page.total} subaccounts and lists ${ids.length}: name the others in GATEWAY_ENTITIES`,
      });
    }
    return [...new Set(ids)];
  } catch (error) {
    if (!(error instanceof GatewayError) || (error.failure !== 'refused' && error.failure !== 'missing'))
      throw error;
    await report(work.db, work.run, {
      entity: work.config.entity,
      severity: isInsisted ? 'finding' : 'note',
      subject: 'subaccounts',
      detail: `the key may not list subaccounts, so only the main account is read (${error.message})`,
    });
    return [];
  }
};

/** Begins the books of an entity, where there are none. */
export const keepEntity = (work: Work, { id, subaccount }: Entity) =>
  sql`
    insert into run.entities (entity_id, name, subaccount_id, first_seen_at)
    values (${id}, ${id}, ${subaccount ?? null}, ${work.run.startedAt}::timestamptz)
    on conflict (entity_id) do nothing`.execute(work.db);

/** The entities that have books already: for stages that need no gateway. */
export const keptEntities = async (work: Pick<Work, 'db'>, only?: string): Promise<string[]> => {
  const rows = await work.db.selectFrom('run.entities').select('entity_id').orderBy('entity_id').execute();
  const ids = rows.map((row) => row.entity_id).filter((id) => only === undefined || id === only);
  if (only !== undefined && ids.length === 0)
    throw new UsageError(`there are no books of entity ${only}: check --entity`);
  return ids;
};

/** At once: the budget of requests and the four in flight are the gateway client's to keep. */
const SIDE_BY_SIDE = 8;

/** Works on one entity; calls `known` once it is sure that the key is that of these books. */
export type Task<E extends Entity> = (entity: E, known: () => void) => Promise<void>;

/**
 * Works on entities side by side. One entity's failure does not stop the others; all failures are given back. The
 * others wait until the first knows whose key it is, and a mistake in what was set (UsageError) ends it all there: the
 * key of another account would begin books for its subaccounts beside ours.
 */
export const eachEntity = async <E extends Entity>(
  [first, ...others]: readonly E[],
  task: Task<E>,
): Promise<Map<string, Error>> => {
  const limit = pLimit(SIDE_BY_SIDE);
  const failures = new Map<string, Error>();
  const attempt = async (entity: E, known: () => void) => {
    try {
      await task(entity, known);
    } catch (error) {
      failures.set(entity.id, error instanceof Error ? error : new Error(String(error)));
    }
  };
  if (!first) return failures;
  let leading = Promise.resolve();
  await new Promise<void>((known) => {
    leading = attempt(first, known).finally(known);
  });
  const isMistaken = [...failures.values()].some((error) => error instanceof UsageError);
  const rest = isMistaken ? [] : others.map((entity) => limit(() => attempt(entity, () => {})));
  await Promise.all([leading, ...rest]);
  return failures;
};
