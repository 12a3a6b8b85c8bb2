// Export batches: the entries that an accounting package has not received become a numbered batch, with its files and a record
// of every line, all or nothing. Reads only `books`; src/approvals/batches.ts writes the batch.
import type { Kysely } from 'kysely';
import { type BatchKey, nextBatchNumber, writeBatch } from '../../approvals/batches.ts';
import { firstOf } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { canonical } from '../../base/json.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import type { DB } from '../../database/db-types.ts';
import { manifestFor } from '../reports/facts.ts';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import {
  type BatchFacts,
  MANIFEST,
  type Manifest,
  type ManifestFile,
  manifestText,
} from '../reports/manifest.ts';
import { type Period, parsePeriod } from '../reports/period.ts';
import { inSnapshot, type Refusal, rowsOf, type Snapshot } from '../reports/snapshot.ts';
import { type AccountMap, readAccountMap } from './account-map.ts';
import { refuseOtherTotals } from './account-sums.ts';
import { commitFolder, refuseUnrecorded } from './batch-folder.ts';
import { storeLines } from './batch-lines.ts';
import { batchManifest } from './batch-manifest.ts';
import { chartMap } from './chart-map.ts';
import type { BatchHead } from './package.ts';
import { type PackageName, packageOf } from './packages.ts';
import { writeBatchFiles } from './summary-files.ts';
import { daysOf, type Summary } from './summary-span.ts';
import { type Reason, type Survey, surveyOf } from './survey.ts';
import { mappedEntries, valueEntries } from './value-lines.ts';

/** `pool` reads the books, `decider` writes the batch, `url` tells what became of it. */
export type BatchConnections = {
  readonly pool: Database['pool'];
  readonly decider: Kysely<DB>;
  readonly url: string;
};

/** What to export, and who exports it. `outDir` returns the folder of a batch for its number; `at` is an instant in UTC. */
export type BatchRequest = {
  readonly entity: string | undefined;
  readonly period: string;
  readonly timezone: string;
  readonly currency: string;
  readonly fiscalYearStart?: number;
  readonly package: PackageName;
  /** The map of the package's accounts; undefined: the chart of accounts. */
  readonly mapFile: string | undefined;
  readonly datev?: string | undefined;
  /** The stretch of time whose entries become one journal; undefined: each entry is a journal of its own. */
  readonly summary?: Summary | undefined;
  readonly by: string;
  readonly at: string;
  /** The settings that affect figures, for the configuration digest. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly outDir: (batch: BatchKey) => string;
  readonly refuse?: Refusal;
};

export type ExportedBatch = {
  readonly dir: string;
  readonly files: readonly ManifestFile[];
  readonly manifest: Manifest;
};

/**
 * Exports the entries of a period that the package has not received; null if there are none. The caller holds the writer
 * lock. Throws a UsageError on a wrong request, a wrong account map or an entry too large for a file; a FailedError on missing
 * values and disk errors.
 */
export const exportBatch = (desk: BatchConnections, request: BatchRequest): Promise<ExportedBatch | null> =>
  inSnapshot(desk.pool, async (snapshot) => {
    await request.refuse?.(snapshot.db);
    const entity = await entityOf(snapshot, request.entity);
    const format = packageOf(request.package);
    const period = parsePeriod(request.period, request.timezone);
    const map =
      request.mapFile === undefined
        ? await chartMap(snapshot, { entity, to: period.to }, format)
        : readAccountMap(request.mapFile, format);
    const query = linesQuery(entity, request, period);
    const survey = await surveyOf(valueEntries(snapshot, query), {
      map,
      format,
      reasonsOf: (ids) => reasonsOf(snapshot, entity, ids),
    });
    const year = yearOf(survey, period.name);
    if (year === null) return null;
    const settings = format.settings({
      datev: request.datev,
      currency: request.currency,
      codes: [...new Set([...map.codes, ...survey.codes])],
      fiscalYearStart: request.fiscalYearStart,
    });
    const batch = { entity, year, period, map, settings, survey };
    const next = (tx: Kysely<DB>) => nextBatchNumber(tx, { entity, year });
    return commitFolder(desk, {
      number: next,
      target: (number) => request.outDir({ entity, year, number }),
      fill: (tx, folder, number) =>
        writeBatchFolder({ desk, tx, snapshot, folder }, request, { ...batch, number }),
    });
  });

type BatchContext = {
  readonly desk: BatchConnections;
  readonly tx: Kysely<DB>;
  readonly snapshot: Snapshot;
  readonly folder: Folder;
};

type BatchPlan = BatchKey & {
  readonly period: Period;
  readonly map: AccountMap;
  readonly settings: BatchHead['settings'];
  readonly survey: Survey;
};

const writeBatchFolder = async (
  { desk, tx, snapshot, folder }: BatchContext,
  request: BatchRequest,
  batch: BatchPlan,
) => {
  const { entity, year, number, period, map, settings } = batch;
  const { by, at: exportedAt, currency, timezone } = request;
  await refuseUnrecorded(folder, batch);
  const format = packageOf(request.package);
  const lines = { count: 0 };
  const read = () => mappedEntries(valueEntries(snapshot, linesQuery(entity, request, period)), map.find);
  const entries = { first: read, last: () => storeLines(tx, batch, { entries: read(), lines }) };
  const head = { year, number, exportedAt, currency, settings };
  const cut = request.summary ? { summary: request.summary, period: daysOf(period, timezone) } : null;
  const written = await writeBatchFiles({ folder, format, head, isCopy: false }, entries, cut);
  refuseOtherTotals(written.totals, batch.survey.totals);
  const { name, from, to } = period;
  const span = { period: name, from, to, timezone, currency };
  const facts = await factsFor(desk, { ...span, entity, settings: request.settings });
  await writeBatch(tx, batch, {
    package: request.package,
    period: name,
    currency,
    timezone,
    mapSha256: map.sha256,
    settings: canonical(settings),
    facts: canonical(facts),
    summary: request.summary ?? null,
    by,
    at: exportedAt,
    entries: written.entries,
    lines: lines.count,
  });
  const mark = {
    package: request.package,
    year,
    number,
    entries: written.entries,
    ...(request.summary && { summary: request.summary }),
    again: false,
    by,
    at: exportedAt,
  };
  const { files } = written;
  const manifest = batchManifest({ ...span, entity, facts, mark, files, map_sha256: map.sha256 });
  await writeFileIn(folder, MANIFEST, (put) => put(manifestText(manifest)));
  return { files, manifest };
};

/** What the books are at the time of an export. */
const factsFor = async (
  { pool }: BatchConnections,
  month: Parameters<typeof manifestFor>[1],
): Promise<BatchFacts> => {
  const { program, period, from, to, timezone, currency, entities, profile, format, files, ...facts } =
    await manifestFor(pool, month, []);
  return facts;
};

const linesQuery = (entity: string, request: BatchRequest, { from, to }: Period) =>
  loadSql('export/value_lines.sql', {
    entity,
    package: request.package,
    from,
    to,
    timezone: request.timezone,
  });

const reasonsOf = async (snapshot: Snapshot, entity: string, ids: readonly string[]): Promise<Reason[]> => {
  const query = loadSql('export/value_reasons.sql', { entity, entries: `{${ids.join(',')}}` });
  return (await rowsOf(snapshot, query)).map(({ kind, entries, currencies }) => ({
    kind: kind ?? null,
    entries: Number.parseInt(entries ?? '0', 10),
    currencies: currencies ?? '',
  }));
};

/** The one year of a batch's entries; null if there are no entries. */
const yearOf = ({ years }: Survey, period: string): string | null => {
  if (years.length > 1)
    throw new UsageError(
      `${period} has entries of ${years.join(' and ')}, and a batch belongs to one year: export each year with --period ${years[0]}`,
    );
  return years[0] ?? null;
};

/** The requested entity, or the only one: a package has the books of one entity. */
export const entityOf = async (snapshot: Snapshot, requested: string | undefined): Promise<string> => {
  const known = (await rowsOf(snapshot, loadSql('export/entities.sql'))).map(
    ({ entity_id }) => entity_id ?? '',
  );
  const [only, ...others] = known;
  if (requested !== undefined && known.includes(requested)) return requested;
  if (requested === undefined && only !== undefined && others.length === 0) return only;
  throw new UsageError(
    requested === undefined
      ? `a package holds the books of one entity: choose it with --entity, one of ${firstOf(known) || 'none yet'}`
      : `no books of ${requested}: choose from ${firstOf(known) || 'none yet'}`,
  );
};
