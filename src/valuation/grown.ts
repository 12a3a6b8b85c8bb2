// Grown: a month whose stored values stand and whose new entries all come after those that they include. It is valued from there on, so
// that a night costs what it brought, whatever its month holds. In doubt a month is valued from its start.
import type { Kysely } from 'kysely';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { ChangedMonths } from './changes.ts';
import type { EntitySources, Sources } from './sources.ts';

type Grown = {
  readonly entity_id: string;
  readonly entries: number;
  readonly is_after: boolean;
  readonly is_same: boolean;
};

/** The number of the last entry that the stored values of a taxpayer's changed month include; null to value it from its start. */
export const lastValued = async (
  db: Kysely<DB>,
  { taxpayer: { entities }, months, from, standing }: ChangedMonths,
  sources: Sources,
): Promise<string | null> => {
  const last = lastSources(entities, sources);
  if (from === null || standing.length === 0 || last === null) return null;
  const { entry_number, pair_position } = last;
  const last_at = standing.map((month) => month.last_at).reduce((a, b) => (a > b ? a : b));
  const query = { entities, month: from, last_at, entry_number, pair_position };
  const grown = await readRows<Grown>(db, loadSql('valuation/grown.sql', query));
  const entriesOf = (all: ChangedMonths['months'], entity: string) =>
    all.find(({ entity_id, period }) => entity_id === entity && period === from)?.entries ?? 0;
  const isWhole = ({ entity_id, entries, is_after, is_same }: Grown) =>
    is_after && is_same && entriesOf(months, entity_id) - entries === entriesOf(standing, entity_id);
  return grown.every(isWhole) ? entry_number : null;
};

/** How far all these entities were counted at the last time; null if not all were, or if what names counterparties has changed since. */
const lastSources = (
  entities: readonly string[],
  { known, entities: today }: Sources,
): Pick<EntitySources, 'entry_number' | 'pair_position'> | null => {
  const last = entities.map((entity) => known.get(entity));
  const [first] = last;
  const isSame = entities.every((entity, nth) => {
    const [then, now] = [last[nth], today.get(entity)];
    return (
      then?.counterparties === now?.counterparties &&
      then?.book_request === now?.book_request &&
      then?.entry_number === first?.entry_number &&
      then?.pair_position === first?.pair_position
    );
  });
  return first !== undefined && isSame ? first : null;
};
