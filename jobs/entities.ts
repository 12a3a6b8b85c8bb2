// Chooses the entities of a run: the main account and every subaccount that the key may list, or the configured ones.
import { sql } from 'kysely';
import { UsageError } from '../src/base/errors.ts';
import { atMost } from '../src/base/together.ts';
import { isSubaccountId } from '../src/config/config.ts';
import type { Entities } from '../src/config/environment.ts';
import { loadSql } from '../src/database/database.ts';
import { hasNoPage, readWhole } from '../src/extract/extract.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { CONTRACT } from '../src/gateway/contract/contract.ts';
import type { Failure } from '../src/gateway/errors.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** A set of books: `subaccount` is absent for the main account. `isListed`: the gateway has listed it. */
export type Entity = { readonly id: string; readonly subaccount?: string; readonly isListed?: boolean };

/** The entities of a run, and whether the gateway has answered the key when it was asked for them. */
export type Listing = { readonly entities: readonly Entity[]; readonly isAnswered: boolean };

/** Reads which entities to work on, main account first. `only` selects one of them. */
export const listEntities = async (
  work: Work,
  gateway: ReadGateway,
  ask: { entities: Entities; only?: string | undefined },
): Promise<Listing> => {
  const main: Entity = { id: work.config.entity };
  if (Array.isArray(ask.entities) && main.id !== 'main' && ask.entities.includes(main.id))
    throw new UsageError(
      `GATEWAY_ENTITIES names ${main.id}, the name of the main account in TIEOUT_ENTITY: write main instead`,
    );
  const answer = await listSubaccounts(work, gateway, ask.entities);
  const listed = answer ?? [];
  const selected = (ids: readonly string[]) =>
    ids.map((id): Entity => (id === 'main' ? main : { id, subaccount: id, isListed: listed.includes(id) }));
  const all = Array.isArray(ask.entities) ? selected(ask.entities) : [main, ...selected(listed)];
  if (Array.isArray(ask.entities)) await refuseSplit(work, all);
  const wanted = all.filter(({ id }) => ask.only === undefined || id === ask.only);
  if (wanted.length === 0) throw new UsageError(noEntity(ask, all, answer !== null));
  return { entities: wanted, isAnswered: answer !== null };
};

/** A subaccount is no mistake only because the gateway refuses to list it: whether it has one of that id is not known. */
const noEntity = (
  { entities, only }: { entities: Entities; only?: string | undefined },
  all: readonly Entity[],
  isAnswered: boolean,
): string =>
  isAnswered || Array.isArray(entities)
    ? `no entity ${only} among ${all.map(({ id }) => id).join(', ')}: check --entity`
    : `the gateway refuses the list of subaccounts to this key, so only the main account is known and ${only} is not read: ` +
      `name it in GATEWAY_ENTITIES (GATEWAY_ENTITIES=main,${only}), or let the key list subaccounts`;

/**
 * A subaccount whose books hold something and that the gateway lists no longer is not read, nor is any if it gives no list: without a
 * finding, nothing would say that its books stand still. Withheld tax is no holding: the gateway has taken it, and it stays in the books.
 */
const reportLeftOut = async ({ db, run, config }: Work, listed: readonly string[] | null): Promise<void> => {
  const { rows } = await sql<{ entity: string }>`
    select entity_id as entity from run.entities e
    where subaccount_id is not null and subaccount_id <> all(${listed ?? []}::text[])
      and exists (select from books.balances b where b.entity_id = e.entity_id and books_internal.is_holding(b.account))
    order by entity_id collate "C"`.execute(db);
  for (const { entity } of rows) {
    const detail =
      listed === null
        ? `${entity} was read before and its books hold assets, but the gateway refuses the list of subaccounts: it is not read; name it in GATEWAY_ENTITIES to read it, or let the key list subaccounts`
        : `${entity} is not in the gateway's list of subaccounts, and its books hold assets: it is not read; name it in GATEWAY_ENTITIES to read it, or ask the platform where its assets went`;
    await report(db, run, { entity: config.entity, subject: 'subaccounts', detail });
  }
};

type SplitRow = {
  readonly entity_id: string;
  readonly other_entity: string;
  readonly taxpayer: string | null;
  readonly record_id: string | null;
};

/**
 * The entities of a taxpayer share lots, and a transfer is paired within one database. What only another database knows is
 * found by consolidate.
 */
const refuseSplit = async ({ pool, config }: Work, listed: readonly Entity[]): Promise<void> => {
  const entities = listed.map(({ id }) => id);
  const query = loadSql('status/split_entities.sql', { entities, main: config.entity });
  const [split] = (await pool.query<SplitRow>(query)).rows;
  if (split === undefined) return;
  const ground =
    split.taxpayer === null
      ? `they transfer to each other (wallet-transactions ${split.record_id})`
      : `both belong to the taxpayer ${split.taxpayer}`;
  throw new UsageError(
    `GATEWAY_ENTITIES lists ${split.entity_id} and not ${split.other_entity}, and ${ground}: list both, or read both into another database`,
  );
};

/** The key may not list subaccounts, which is a note. */
const NOT_ALLOWED: readonly Failure[] = ['refused', 'missing'];
/** Another night meets these again: the main account is read alone, or its books would stand still as long as they last. */
const NOT_GIVEN: readonly Failure[] = [...NOT_ALLOWED, 'invalid', 'redirected'];
/** Failures of that list alone, which do not matter if it is not needed. */
const NO_LIST: readonly Failure[] = [...NOT_GIVEN, 'badPage', 'oversized', 'secondFactor', 'blocked'];

/**
 * Reads and stores the list of subaccounts, so that a subaccount that is not read is known. Configured entities do not
 * need the list. Null if the gateway does not give it.
 */
const listSubaccounts = async (
  work: Work,
  gateway: ReadGateway,
  entities: Entities,
): Promise<string[] | null> => {
  try {
    const usable = await usableIds(work, await readListing(gateway));
    await storeListing(work, usable);
    if (!Array.isArray(entities)) await reportLeftOut(work, usable);
    return usable;
  } catch (error) {
    const isNamed = Array.isArray(entities);
    if (!(error instanceof GatewayError) || !(isNamed ? NO_LIST : NOT_GIVEN).includes(error.failure))
      throw error;
    if (!isNamed) {
      const isOfKey = NOT_ALLOWED.includes(error.failure);
      const why = isOfKey ? 'the key may not list subaccounts' : 'the list of subaccounts is refused';
      const detail = `${why}, so only the main account is read (${error.message})`;
      await reportListing(work, detail, isOfKey && entities !== 'all' ? 'note' : 'finding');
      await reportLeftOut(work, null);
    }
    return null;
  }
};

const readListing = async (gateway: ReadGateway): Promise<{ ids: string[]; total: number }> => {
  const { rows, total } = await readWhole(
    async (offset) => {
      const { page } = await gateway.call(CONTRACT.subaccounts.list, offset > 0 ? { query: { offset } } : {});
      return { ...page, proof: null };
    },
    ({ id }) => String(id),
    hasNoPage,
  );
  return { ids: [...new Set(rows.map((row) => String(row.id)))], total };
};

/** The ids that can name books; a finding for each other one, and for a list that differs from its total. */
const usableIds = async (work: Work, { ids, total }: { ids: string[]; total: number }): Promise<string[]> => {
  if (ids.length !== total) {
    const advice =
      ids.length < total
        ? 'if it left one out, name it in GATEWAY_ENTITIES'
        : 'ask the platform which is right';
    const detail = `the gateway counts ${total} subaccounts and lists ${ids.length} different ids: ${advice}`;
    await reportListing(work, detail);
  }
  const isUsable = (id: string) => isSubaccountId(id, work.config.entity);
  for (const id of ids.filter((one) => !isUsable(one)))
    await reportListing(
      work,
      `the gateway lists a subaccount as ${JSON.stringify(id.slice(0, 80))}, which cannot name books: its account is not read`,
    );
  return ids.filter(isUsable);
};

const reportListing = ({ db, run, config }: Work, detail: string, severity: 'finding' | 'note' = 'finding') =>
  report(db, run, { entity: config.entity, severity, subject: 'subaccounts', detail });

/** Stores the list if it differs from the previous one. */
const storeListing = ({ db, run, config }: Work, ids: readonly string[]) =>
  sql`
    insert into run.listings (entity_id, run_id, listed_at, subaccounts)
    select ${config.entity}, ${run.id}::uuid, ${run.startedAt}::timestamptz, ${[...ids].sort()}::text[]
    where ${[...ids].sort()}::text[] is distinct from (
      select subaccounts from run.listings where entity_id = ${config.entity} order by listing_id desc limit 1
    )`.execute(db);

/**
 * Whether the books of a main account would begin beside those of another one. Its name may be a mistake, and books cannot be
 * taken back: the key must prove first that it is another account's.
 */
export const isSecondAccount = async (work: Work, { id, subaccount }: Entity): Promise<boolean> => {
  if (subaccount !== undefined) return false;
  const { rows } = await sql`
    select from run.entities
    where subaccount_id is null
    having count(*) > 0 and not coalesce(bool_or(entity_id = ${id}), false)`.execute(work.db);
  return rows.length > 0;
};

/** Creates the books of an entity, unless they exist. */
export const storeEntity = (work: Work, { id, subaccount }: Entity) =>
  sql`
    insert into run.entities (entity_id, name, subaccount_id, first_seen_at)
    values (${id}, ${id}, ${subaccount ?? null}, ${work.run.startedAt}::timestamptz)
    on conflict (entity_id) do nothing`.execute(work.db);

/** Entities may all start at once: the gateway client limits the requests in flight and per minute. */
const SIDE_BY_SIDE = 8;

/** Works on one entity; calls `known` once the key is known to belong to these books. */
type Task<E extends Entity> = (entity: E, known: () => void) => Promise<void>;

/**
 * Works on entities in parallel. One entity's failure does not stop the others; all failures are returned. The others
 * wait until the first has checked the key's owner: a UsageError there ends everything, because the key of another
 * account would create books for its subaccounts beside ours.
 */
export const eachEntity = async <E extends Entity>(
  [first, ...others]: readonly E[],
  task: Task<E>,
): Promise<Map<string, Error>> => {
  const limit = atMost(SIDE_BY_SIDE);
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
