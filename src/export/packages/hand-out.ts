// Handing out: entries that an accounting package has not got become a numbered batch, its files, and a record of every
// line, all or nothing. Reads only `books`; what it decides is written by src/approvals/batches.ts.
import type { Kysely } from 'kysely';
import { type BatchKey, nextBatchNumber, writeBatch } from '../../approvals/batches.ts';
import { UsageError } from '../../base/errors.ts';
import { canonical } from '../../base/json.ts';
import type { Database } from '../../database/database.ts';
import type { DB } from '../../database/db-types.ts';
import { loadSql } from '../../database/sql.ts';
import { manifestFor } from '../reports/facts.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import {
  type BatchMark,
  MANIFEST,
  type Manifest,
  type ManifestFile,
  manifestText,
} from '../reports/manifest.ts';
import { type Period, parsePeriod } from '../reports/period.ts';
import { inSnapshot, type Refusal, rowsOf, type Snapshot } from '../reports/snapshot.ts';
import { type AccountMap, readAccountMap } from './account-map.ts';
import { placed, refuseUnrecorded } from './batch-folder.ts';
import { keptLines } from './batch-lines.ts';
import type { BatchHead } from './package.ts';
import { refuseOtherTotals, writePackage } from './package-files.ts';
import { type PackageName, packageOf } from './packages.ts';
import { type Reason, type Survey, surveyOf } from './survey.ts';
import { mappedEntries, valueEntries } from './value-lines.ts';

/** Where the books are read, and where decisions are written. */
export type Desk = { readonly pool: Database['pool']; readonly decider: Kysely<DB> };

/** What is handed out, by whom. `outDir` names the folder of a batch by its number; `at` is an instant in UTC. */
export type HandOut = {
  readonly entity: string | undefined;
  readonly period: string;
  readonly timezone: string;
  readonly currency: string;
  readonly fiscalYearStart?: number;
  readonly package: PackageName;
  readonly mapFile: string;
  readonly datev?: string | undefined;
  readonly by: string;
  readonly at: string;
  /** What of the configuration decides on figures, for its digest. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly outDir: (batch: BatchKey) => string;
  readonly refuse?: Refusal;
};

export type HandedOut = {
  readonly dir: string;
  readonly files: readonly ManifestFile[];
  readonly manifest: Manifest;
};

/**
 * Hands out what a package has not got of a period; null where that is nothing. The caller holds the writer's lock. Throws
 * a UsageError on what was asked, the account map or an entry that fits into no file; a FailedError on values that are not
 * there, and on the disk.
 */
export const handOut = (desk: Desk, ask: HandOut): Promise<HandedOut | null> =>
  inSnapshot(desk.pool, async (snapshot) => {
    await ask.refuse?.(snapshot.db);
    const entity = await entityOf(snapshot, ask.entity);
    const format = packageOf(ask.package);
    const map = readAccountMap(ask.mapFile, format);
    const period = parsePeriod(ask.period, ask.timezone);
    const query = linesQuery(entity, ask, period);
    const survey = await surveyOf(valueEntries(snapshot, query), {
      ...{ map, format, mapFile: ask.mapFile },
      reasonsOf: (ids) => reasonsOf(snapshot, entity, ids),
    });
    const year = yearOf(survey, period.name);
    if (year === null) return null;
    const settings = format.settings({
      ...{ datev: ask.datev, currency: ask.currency, codes: map.codes },
      fiscalYearStart: ask.fiscalYearStart,
    });
    const batch = { entity, year, period, map, settings, survey };
    const next = (tx: Kysely<DB>) => nextBatchNumber(tx, { entity, year });
    return placed(desk.decider, {
      number: next,
      target: (number) => ask.outDir({ entity, year, number }),
      fill: (tx, folder, number) => fill({ desk, tx, snapshot, folder }, ask, { ...batch, number }),
    });
  });

type At = {
  readonly desk: Desk;
  readonly tx: Kysely<DB>;
  readonly snapshot: Snapshot;
  readonly folder: Folder;
};
type Filled = BatchKey & {
  readonly period: Period;
  readonly map: AccountMap;
  readonly settings: BatchHead['settings'];
  readonly survey: Survey;
};

const fill = async ({ desk, tx, snapshot, folder }: At, ask: HandOut, batch: Filled) => {
  const { entity, year, number, period, map, settings } = batch;
  const { by, at, currency, timezone } = ask;
  await refuseUnrecorded(folder, batch);
  const format = packageOf(ask.package);
  const lines = { count: 0 };
  const found = valueEntries(snapshot, linesQuery(entity, ask, period));
  const entries = keptLines(tx, batch, { entries: mappedEntries(found, map.find), lines });
  const head = { year, number, at, currency, settings };
  const written = await writePackage({ folder, format, head, isAgain: false }, entries);
  refuseOtherTotals(written.totals, batch.survey.totals);
  await writeBatch(tx, batch, {
    ...{ package: ask.package, period: period.name, currency, timezone, mapSha256: map.sha256 },
    ...{ settings: canonical(settings), by, at, entries: written.entries, lines: lines.count },
  });
  const mark = { package: ask.package, year, number, entries: written.entries, again: false, by, at };
  const { name, from, to } = period;
  const month = { entity, period: name, from, to, timezone, currency, settings: ask.settings };
  const manifest = await markedManifest(desk, month, { files: written.files, mark, map_sha256: map.sha256 });
  await writeFileIn(folder, MANIFEST, (put) => put(manifestText(manifest)));
  return { files: written.files, manifest };
};

/** The manifest of an export, with what a batch has besides. */
export const markedManifest = async (
  { pool }: Desk,
  month: Parameters<typeof manifestFor>[1],
  it: { readonly files: readonly ManifestFile[]; readonly mark: BatchMark; readonly map_sha256: string },
): Promise<Manifest> => ({
  ...(await manifestFor(pool, month, it.files)),
  ...{ format: it.mark.package, batch: it.mark, map_sha256: it.map_sha256 },
});

const linesQuery = (entity: string, ask: HandOut, { from, to }: Period) =>
  loadSql('export/value_lines.sql', { entity, package: ask.package, from, to, timezone: ask.timezone });

/** Why entries of an entity have no value. */
const reasonsOf = async (snapshot: Snapshot, entity: string, ids: readonly string[]): Promise<Reason[]> => {
  const query = loadSql('export/value_reasons.sql', { entity, entries: `{${ids.join(',')}}` });
  return (await rowsOf(snapshot, query)).map(({ kind, entries, currencies }) => ({
    ...{ kind: kind ?? null, entries: Number.parseInt(entries ?? '0', 10), currencies: currencies ?? '' },
  }));
};

/** The one year of a batch's entries; null where there are none. */
const yearOf = ({ years }: Survey, period: string): string | null => {
  if (years.length > 1)
    throw new UsageError(
      `${period} has entries of ${years.join(' and ')}, and a batch belongs to one year: export each year with --period ${years[0]}`,
    );
  return years[0] ?? null;
};

/** The entity that was asked for, or the only one: a package keeps the books of one. */
export const entityOf = async (snapshot: Snapshot, asked: string | undefined): Promise<string> => {
  const known = (await rowsOf(snapshot, loadSql('export/entities.sql'))).map(
    ({ entity_id }) => entity_id ?? '',
  );
  const [only, ...others] = known;
  if (asked !== undefined && known.includes(asked)) return asked;
  if (asked === undefined && only !== undefined && others.length === 0) return only;
  throw new UsageError(
    asked === undefined
      ? `a package holds the books of one entity: choose it with --entity, one of ${known.join(', ') || 'none yet'}`
      : `no books of ${asked}: choose from ${known.join(', ') || 'none yet'}`,
  );
};
