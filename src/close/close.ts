// The public module of the close room: closes months whose preconditions are met, reopens them by name, and compares them
// with today's books. A closed month receives no entries: late ones count in the first open month.
import { type Kysely, sql } from 'kysely';
import { budgetOf, dutiesOf } from '../approvals/approvals.ts';
import { UsageError } from '../base/errors.ts';
import { refuseUnclearName, sameName } from '../base/names.ts';
import { HOUR_MS, isoOf, msOf } from '../base/time.ts';
import type { Database } from '../database/connection.ts';
import type { DB } from '../database/db-types.ts';
import type { ViewRow } from '../database/view-row.ts';
import { parsePeriod } from '../export/export.ts';
import { databaseTime } from '../run/run.ts';
import { preparersIn } from './preparers.ts';
import {
  type Month,
  type Obstacle,
  obstaclesTo,
  overBudget,
  type Unvalued,
  unvaluedIn,
  type Waived,
  waivedIn,
} from './readiness.ts';
import { type Sealed, sealMonth } from './seal.ts';

export type { Obstacle } from './readiness.ts';
export { type Restatement, restateMonth } from './restate.ts';
export type { Sealed } from './seal.ts';

/** Reads through `pool`; writes decisions through `decider`, whose role is not the loader's. */
type CloseConnections = { readonly pool: Database['pool']; readonly decider: Kysely<DB> };

/**
 * How to close a month. `budget` limits the gross value of waived breaks; `unknownLimit` limits the amounts to and from
 * unknown counterparties (null: no limit); both in the reporting currency.
 */
export type CloseRequest = {
  readonly period: string;
  readonly by: string;
  readonly budget: string;
  readonly unknownLimit?: string | null;
  readonly early: string | null;
  readonly timezone: string;
  readonly currency: string;
  readonly settings: Readonly<Record<string, unknown>>;
};

/** The seal of a month that is closed, as a close prints it. */
export type StandingSeal = Pick<Sealed, 'sealNumber' | 'entries' | 'root' | 'sealSha256'> & {
  readonly approvedBy: string | null;
};

/** The result for one entity's month: its seal, or what blocks the close. */
export type Closed = {
  readonly entity: string;
  /** Whether the month was already closed. */
  readonly isClosed: boolean;
  /** The seal that stands from then; null if the month was open. */
  readonly standing: StandingSeal | null;
  readonly sealed: Sealed | null;
  readonly obstacles: readonly Obstacle[];
  readonly waived: readonly Waived[];
  /** The month's findings without a complete value (books.value_findings), and who accepted them. */
  readonly unvalued: Unvalued;
};

/** Late records arrive in the days after a month's end, so it is not closed before then. */
const PATIENCE_MS = 48 * HOUR_MS;

const MONTH = /^\d{4}-\d{2}$/;

/** Reads a month such as `2026-10`. Throws UsageError for any other period or text. */
export const monthOf = (text: string, timezone: string): { from: string; to: string; period: string } => {
  if (!MONTH.test(text)) throw new UsageError(`"${text.slice(0, 60)}" is not a month: write it as 2026-10`);
  const { name, from, to } = parsePeriod(text, timezone);
  return { period: name, from, to };
};

/** Closes a month of one entity if nothing blocks it. Throws UsageError if the month has not ended. */
export const closeMonth = async (
  desk: CloseConnections,
  entity: string,
  request: CloseRequest,
): Promise<Closed> => {
  const { period, from, to } = monthOf(request.period, request.timezone);
  const now = msOf(await databaseTime(desk.decider));
  if (now < msOf(to)) throw new UsageError(`${period} ends at ${to}: close an earlier month`);
  const { timezone, currency, unknownLimit } = request;
  const month = { entity, period, from, to, timezone, currency, unknown_limit: unknownLimit ?? '' };
  const seal = await sealOf(desk.decider, entity, period);
  const before = { entity, isClosed: seal !== undefined, standing: seal ? standingOf(seal) : null };
  const duties = await dutiesOf(desk.decider);
  const { obstacles, waived, unvalued } = await readinessOf(desk, month, {
    ...request,
    isOnePerson: duties?.is_one_person ?? false,
  });
  const early = tooEarly(month, now, request.early);
  if (obstacles.length + early.length > 0)
    return { ...before, sealed: null, obstacles: [...early, ...obstacles], waived, unvalued };
  const { by, budget, settings } = request;
  const isEarly = now < msOf(to) + PATIENCE_MS;
  const terms = {
    by,
    budget,
    settings,
    waived,
    unvalued,
    duties,
    early: isEarly ? request.early : null,
  };
  const sealed = await sealMonth(desk, { month, ...terms });
  return { ...before, sealed, obstacles: [], waived, unvalued };
};

type Terms = Pick<CloseRequest, 'by' | 'budget'> & { readonly isOnePerson: boolean };

const readinessOf = async ({ pool, decider }: CloseConnections, month: Month, terms: Terms) => {
  const ceiling = await budgetOf(decider, month.entity);
  const session = await pool.connect();
  try {
    const waived = await waivedIn(session, month);
    const unvalued = await unvaluedIn(session, month);
    const obstacles = await obstaclesTo(session, month);
    const { by, budget, isOnePerson } = terms;
    const accepted = { waived, unvalued, by, budget, isOnePerson, ceiling, currency: month.currency };
    return { waived, unvalued, obstacles: [...obstacles, ...overBudget(accepted)] };
  } finally {
    session.release();
  }
};

const tooEarly = ({ period, to }: Month, now: number, reason: string | null): Obstacle[] => {
  const from = isoOf(msOf(to) + PATIENCE_MS);
  if (now >= msOf(from) || reason !== null) return [];
  return [
    {
      need: 'time',
      subject: period,
      detail: `late records may come until ${from}: wait, or close it with --early and --reason`,
    },
  ];
};

/** Approves the seal of a closed month as another person. Throws UsageError if that is not possible. */
export const approveMonth = async (
  decider: Kysely<DB>,
  entity: string,
  request: { readonly period: string; readonly by: string },
): Promise<void> => {
  refuseUnclearName(request.by);
  const last = await lastSeal(decider, entity);
  const seal = await sealOf(decider, entity, request.period);
  if (!seal || !last)
    throw new UsageError(
      `${request.period} of ${entity} is not closed: close it first, or name a closed entity with --entity ID`,
    );
  if (seal.approved_by !== null)
    throw new UsageError(`the seal of ${request.period} of ${entity} was approved by ${seal.approved_by}`);
  if (sameName(seal.prepared_by, request.by))
    throw new UsageError(
      `${request.by} prepared the seal of ${request.period} of ${entity}: another person approves it`,
    );
  const hand = (await preparersIn(decider, entity, seal)).find(({ name }) => sameName(name, request.by));
  if (hand)
    throw new UsageError(
      `${request.by} ${hand.did} in ${request.period} of ${entity}: only a person who did not prepare anything for this month may approve it (npx tieout approve ${request.period} --entity ${entity} --by NAME)`,
    );
  await sql`
    insert into decide.seal_approvals (entity_id, period, seal_number, prepared_by, approved_by, approved_at)
    values (${entity}, ${request.period}, ${seal.seal_number}, ${seal.prepared_by}, ${request.by}, clock_timestamp())`.execute(
    decider,
  );
};

/** Reopens the last closed month. Throws UsageError for any other month. */
export const reopenMonth = async (
  decider: Kysely<DB>,
  entity: string,
  request: { readonly period: string; readonly by: string; readonly reason: string },
): Promise<void> => {
  const last = await lastSeal(decider, entity);
  if (last?.period !== request.period)
    return refuseToReopen(decider, { entity, period: request.period, last: last?.period ?? null });
  await sql`
    insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    select ${entity}, ${request.period}, ${last.seal_number}, coalesce(max(request_id), 0), ${request.by}, ${request.reason},
      clock_timestamp()
    from land.requests`.execute(decider);
};

type Unreopened = { readonly entity: string; readonly period: string; readonly last: string | null };

/** Who runs an interrupted reopening again learns that it took effect. */
const refuseToReopen = async (db: Kysely<DB>, { entity, period, last }: Unreopened): Promise<never> => {
  const { rows } = await sql`
    select from books.seals where (entity_id, period) = (${entity}, ${period}) and period > coalesce(${last}, '') limit 1`.execute(
    db,
  );
  if (rows.length > 0)
    throw new UsageError(
      `${period} cannot be reopened: it was reopened for ${entity} and is not closed again`,
    );
  if (last === null) throw new UsageError(`${period} cannot be reopened: no month of ${entity} is closed`);
  throw new UsageError(`${period} cannot be reopened: the last closed month of ${entity} is ${last}`);
};

/** An entity whose month is open while another of its taxpayer, `holder`, has it closed; `through`: the holder's last closed month. */
export type HeldMonth = { readonly entity: string; readonly holder: string; readonly through: string };

/** The months of some entities that keep their sealed values although they are open: lots are pooled for each taxpayer. */
export const heldMonths = async (
  db: Kysely<DB>,
  { period, entities }: { readonly period: string; readonly entities: readonly string[] },
): Promise<HeldMonth[]> => {
  const { rows } = await sql<HeldMonth>`
    select own.entity_id as entity, other.entity_id as holder, c.through
    from books.profiles own
    join books.profiles other using (taxpayer)
    join books_internal.closed_through c on c.entity_id = other.entity_id
    where own.entity_id = any (${entities}::text[]) and other.entity_id <> own.entity_id and c.through >= ${period}
    order by own.entity_id collate "C", other.entity_id collate "C"`.execute(db);
  return rows;
};

/** The entities whose month is closed now. */
export const closedEntities = async (db: Kysely<DB>, period: string): Promise<string[]> => {
  const { rows } = await sql<{ entity_id: string }>`
    select entity_id from books.seals where period = ${period} and status = 'closed'`.execute(db);
  return rows.map(({ entity_id }) => entity_id);
};

type SealRow = ViewRow<
  'books.seals',
  'period' | 'seal_number' | 'entries' | 'root' | 'seal_sha256' | 'prepared_by' | 'sealed_at',
  'approved_by'
>;

const standingOf = (seal: SealRow): StandingSeal => ({
  sealNumber: seal.seal_number,
  entries: seal.entries,
  root: seal.root,
  sealSha256: seal.seal_sha256,
  approvedBy: seal.approved_by,
});

const sealOf = async (db: Kysely<DB>, entity: string, period: string): Promise<SealRow | undefined> =>
  (await closedSeals(db, entity)).find((seal) => seal.period === period);

const lastSeal = async (db: Kysely<DB>, entity: string): Promise<SealRow | undefined> =>
  (await closedSeals(db, entity))[0];

const closedSeals = async (db: Kysely<DB>, entity: string): Promise<SealRow[]> => {
  const { rows } = await sql<SealRow>`
    select period, seal_number, entries, root, seal_sha256, prepared_by, case when approved_at is not null then approved_by end as approved_by, sealed_at
    from books.seals
    where entity_id = ${entity} and status = 'closed'
    order by period desc`.execute(db);
  return rows;
};
