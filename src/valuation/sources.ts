// Sources: what the values of every month are derived from, as a few counts and digests. Entries, pairs and rates are
// append-only, so counting them is enough, and a night counts only the months that may have changed since the last time.
import { type Kysely, type Selectable, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { loadSql, numbersWritten, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** A month as it was derived, and under which taxpayer. */
export type StoredMonth = Selectable<DB['value.months']>;

/** A month's sources today. `counterparties` is a digest of the counterparty types of its postings. */
export type CountedMonth = Pick<
  StoredMonth,
  'entity_id' | 'period' | 'entries' | 'last_at' | 'counterparties'
>;

/** `last_on`: the last day whose rates the cost of an opening or externally held lot needs. */
export type EntitySources = Omit<Selectable<DB['value.sources']>, 'months'> & {
  readonly external_lots: number;
  /** How many of its externally held lots are stored. */
  readonly external_lots_placed: number;
  /** The months in which its externally held lots count, as stored. */
  readonly external_lot_periods: readonly string[];
  /** The number of the last lot that a person named for a disposal. */
  readonly last_choice: string;
  readonly last_on: string | null;
};

export type Sources = {
  readonly entities: ReadonlyMap<string, EntitySources>;
  /** How far each entity was counted the last time. */
  readonly known: KnownSources;
  readonly months: readonly CountedMonth[];
  readonly stored: readonly StoredMonth[];
  /** Whether the last time knew less, so that `storeSources` has something to store. */
  readonly isNew: boolean;
};

type Month = Pick<CountedMonth, 'entity_id' | 'period'>;
type KnownSources = ReadonlyMap<string, Selectable<DB['value.sources']>>;

const keyOf = ({ entity_id, period }: Month): string => `${entity_id} ${period}`;

/** The sources of every entity, counted where the last time does not tell. */
export const readSources = async (db: Kysely<DB>): Promise<Sources> => {
  const { entry, transfer } = await numbersWritten(db);
  const now = await readRows<EntitySources>(db, loadSql('valuation/sources.sql', { entry, transfer }));
  const stored = await db.selectFrom('value.months').selectAll().execute();
  const known = await knownSources(db, stored);
  const changed = await changedMonths(db, now, known);
  const first = now.filter(({ entity_id }) => !known.has(entity_id)).map(({ entity_id }) => entity_id);
  const counted = new Map<string, MonthEntries>();
  for (const month of stored) if (known.has(month.entity_id)) counted.set(keyOf(month), month);
  const isKnown = ({ entity_id }: Month) => known.has(entity_id);
  for (const month of await countMonths(db, changed.filter(({ is_new }) => is_new).filter(isKnown)))
    counted.set(keyOf(month), month);
  for (const month of await countAll(db, first)) counted.set(keyOf(month), month);
  const months = await withMarks(db, [...counted.values()], { now, known, stored, changed });
  const isNew = now.some((entity) => !isSame(entity, known.get(entity.entity_id)));
  return { entities: new Map(now.map((entity) => [entity.entity_id, entity])), known, months, stored, isNew };
};

/** How far each entity was counted the last time; without those of which a month is gone. */
const knownSources = async (db: Kysely<DB>, stored: readonly Month[]): Promise<KnownSources> => {
  const months = groupBy(stored, ({ entity_id }) => entity_id);
  const rows = await db.selectFrom('value.sources').selectAll().execute();
  return new Map(
    rows
      .filter((row) => row.months === (months.get(row.entity_id)?.length ?? 0))
      .map((row) => [row.entity_id, row]),
  );
};

const isSame = (now: EntitySources, then: ReturnType<KnownSources['get']>): boolean =>
  then?.entry_number === now.entry_number &&
  then.pair_position === now.pair_position &&
  then.book_request === now.book_request &&
  then.counterparties === now.counterparties;

type ChangedMonth = Month & { readonly is_new: boolean };

const changedMonths = async (
  db: Kysely<DB>,
  now: readonly EntitySources[],
  known: KnownSources,
): Promise<ChangedMonth[]> => {
  const least = (column: 'entry_number' | 'pair_position') =>
    [...known.values()].reduce<bigint | null>((smallest, row) => {
      const number = BigInt(row[column]);
      return smallest === null || number < smallest ? number : smallest;
    }, null);
  const [entries, pairs] = [least('entry_number'), least('pair_position')];
  const [any] = now;
  if (entries === null || pairs === null || any === undefined) return [];
  const isBookSame = now.every(
    (entity) => (known.get(entity.entity_id) ?? entity).book_request === entity.book_request,
  );
  if (entries === BigInt(any.entry_number) && pairs === BigInt(any.pair_position) && isBookSame) return [];
  const since = { entry_number: String(entries), pair_position: String(pairs) };
  return readRows<ChangedMonth>(db, loadSql('valuation/changed_months.sql', since));
};

/** Months as the two arrays of a statement. */
const arraysOf = (months: readonly Month[]) => ({
  entities: months.map(({ entity_id }) => entity_id),
  periods: months.map(({ period }) => period),
});

type MonthEntries = Omit<CountedMonth, 'counterparties'>;

const countMonths = async (db: Kysely<DB>, months: readonly Month[]): Promise<MonthEntries[]> =>
  months.length === 0
    ? []
    : readRows<MonthEntries>(db, loadSql('valuation/month_entries.sql', arraysOf(months)));

const countAll = async (db: Kysely<DB>, entities: readonly string[]): Promise<MonthEntries[]> => {
  if (entities.length === 0) return [];
  const { rows } = await sql<MonthEntries>`
    select entity_id, period, count(*)::int as entries, max(effective_at) as last_at
    from ledger.entries where entity_id = any(${entities}::text[]) group by 1, 2`.execute(db);
  return rows;
};

type Compared = Pick<Sources, 'stored'> & {
  readonly now: readonly EntitySources[];
  readonly known: KnownSources;
  readonly changed: readonly Month[];
};

/** Adds the digests of counterparty types: the stored ones of months in which nothing that decides them has changed. */
const withMarks = async (
  db: Kysely<DB>,
  months: readonly MonthEntries[],
  { now, known, stored, changed }: Compared,
): Promise<CountedMonth[]> => {
  const isDecidedAnew = new Map(
    now.map(({ entity_id, counterparties }) => [
      entity_id,
      known.get(entity_id)?.counterparties !== counterparties,
    ]),
  );
  const touched = new Set(changed.map(keyOf));
  const marks = new Map(stored.map((month) => [keyOf(month), month.counterparties]));
  const stale = months.filter(
    (month) => isDecidedAnew.get(month.entity_id) || touched.has(keyOf(month)) || !marks.has(keyOf(month)),
  );
  for (const month of stale) marks.set(keyOf(month), '');
  for (const { mark, ...month } of await marksOf(db, stale)) marks.set(keyOf(month), mark);
  return months.map(({ entity_id, period, entries, last_at }) => {
    const counterparties = marks.get(keyOf({ entity_id, period })) ?? '';
    return { entity_id, period, entries, last_at, counterparties };
  });
};

type Marked = Month & { readonly mark: string };

const marksOf = async (db: Kysely<DB>, months: readonly Month[]): Promise<Marked[]> =>
  months.length === 0
    ? []
    : readRows<Marked>(db, loadSql('valuation/counterparty_marks.sql', arraysOf(months)));
