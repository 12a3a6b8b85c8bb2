// What several databases must have in common before their figures may be added. Each rule is one sentence that says what to do.
import { UsageError } from '../../base/errors.ts';
import type { BooksSource, SourceRow } from './source.ts';

/** Settings that must be equal wherever they are fixed, by column, with what a person calls them. */
const SETTINGS = {
  currency: 'reporting currency',
  timezone: 'timezone',
  fiscal_year_start: 'first month of fiscal years',
} as const;

type Owned = { readonly source: BooksSource; readonly row: SourceRow };

/** Throws a UsageError for the first rule that does not hold. */
export const refuseDisagreement = async (sources: readonly BooksSource[]): Promise<void> => {
  refuseSame(sources);
  const all = sources.flatMap((source) => source.entities.map((row): Owned => ({ source, row })));
  eachShared(all, 'entity_id', (entity, a, b) => {
    const both = `${a.source.place} and ${b.source.place} both have books of ${entity}`;
    if (areApart(entity, a.source, b.source))
      throw new UsageError(
        `${both}, and these are two accounts of the gateway: begin one of them anew with another name in TIEOUT_ENTITY`,
      );
    throw new UsageError(
      `${both}: leave one out if it is a copy; otherwise begin one of them anew without the entity in GATEWAY_ENTITIES, because books keep an entity that they once read`,
    );
  });
  refuseSameAccount(sources);
  for (const [column, label] of Object.entries(SETTINGS)) refuseOtherSetting(all, column, label);
  eachShared(all, 'taxpayer', (taxpayer, a, b) => {
    throw new UsageError(
      `${a.row.entity_id} in ${a.source.place} and ${b.row.entity_id} in ${b.source.place} belong to the taxpayer ${taxpayer}, who has one set of lots: ` +
        'put all entities of a taxpayer into one database',
    );
  });
  for (const source of sources) await refusePartners(source, sources);
};

/** A replica counts as its primary: both have the same books. */
const refuseSame = (sources: readonly BooksSource[]): void => {
  for (const [index, { place, database_id }] of sources.entries()) {
    const first = sources.find((source) => source.database_id === database_id);
    if (first !== undefined && first !== sources[index])
      throw new UsageError(
        `${first.place} and ${place} lead to the same database, or to a copy of its files: name one of them`,
      );
  }
};

/** One account by two names would count twice. */
const refuseSameAccount = (sources: readonly BooksSource[]): void => {
  const seen = new Map<string, { readonly entity: string; readonly source: BooksSource }>();
  for (const source of sources)
    for (const [name, entity] of source.accounts) {
      const other = seen.get(name);
      if (other && other.source !== source)
        throw new UsageError(
          `${other.entity} in ${other.source.place} and ${entity} in ${source.place} are books of the same account of the gateway: leave one out if that is all it has; otherwise begin one of them anew without that account in GATEWAY_ENTITIES, because books keep an entity that they once read`,
        );
      seen.set(name, { entity, source });
    }
};

/** Whether an entity of two databases is another account of the gateway in each: both know theirs, and have no name in common. */
const areApart = (entity: string, ...sources: [BooksSource, BooksSource]): boolean => {
  const [one, other] = sources.map(({ accounts }) => [...accounts].filter(([, owner]) => owner === entity));
  if (!one?.length || !other?.length) return false;
  const names = new Set(one.map(([name]) => name));
  return !other.some(([name]) => names.has(name));
};

/** Calls `refuse` for the first value that entities of two databases share. */
const eachShared = (
  all: readonly Owned[],
  column: string,
  refuse: (value: string, a: Owned, b: Owned) => void,
): void => {
  const seen = new Map<string, Owned>();
  for (const owned of all) {
    const value = owned.row[column];
    if (value === null || value === undefined) continue;
    const other = seen.get(value);
    if (other && other.source !== owned.source) refuse(value, other, owned);
    seen.set(value, owned);
  }
};

const refuseOtherSetting = (all: readonly Owned[], column: string, label: string): void => {
  const [first, ...others] = all.filter(({ row }) => (row[column] ?? null) !== null);
  const other = others.find(({ row }) => row[column] !== first?.row[column]);
  if (first && other)
    throw new UsageError(
      `${first.row.entity_id} in ${first.source.place} has the ${label} ${first.row[column]}, ` +
        `${other.row.entity_id} in ${other.source.place} has ${other.row[column]}: only equal ones are consolidated`,
    );
};

/** A transfer between entities of two databases is paired in neither, and counts as paid to somebody else in both. */
const refusePartners = async (source: BooksSource, sources: readonly BooksSource[]): Promise<void> => {
  for (const other of sources.filter((one) => one !== source)) {
    const found = await source.partnerOf([...other.names.keys()]);
    if (found === undefined) continue;
    throw new UsageError(
      `${found.entity_id} in ${source.place} and ${other.names.get(found.name ?? '')} in ${other.place} transfer to each other ` +
        `(${found.stream} ${found.record_id}): put both into one database`,
    );
  }
};
