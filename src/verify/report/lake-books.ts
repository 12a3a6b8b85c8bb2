// Compares a lake with the books that it was written from. If they are as they were then, they write it again; if they have changed
// since, the postings of the lake must still be among theirs.
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { canonical } from '../../base/json.ts';
import { fileDigest } from '../../base/named-file.ts';
import { isoOf, monthOf, msOf } from '../../base/time.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import {
  booksStateOf,
  inSnapshot,
  MANIFEST,
  type OpenLake,
  rowsOf,
  UnreadLakeError,
  withLake,
} from '../../export/contents.ts';
import { type ExportOptions, exportReports } from '../../export/export.ts';
import type { BooksState, LakeManifest, Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { withRewritten } from './books.ts';
import { rowDifference } from './lake-difference.ts';

type LakeOptions = Pick<ExportOptions, 'refuse'> &
  Pick<Required<ExportOptions>, 'settings'> & { readonly manifest: LakeManifest };

/** Throws a UsageError if the lake was written from other books. */
export const verifyLakeAgainstBooks = async (
  pool: Database['pool'],
  dir: string,
  options: LakeOptions,
): Promise<Proof[]> => {
  const { manifest } = options;
  const { books } = manifest.lake;
  const { now, openRun } = await inSnapshot(pool, async (snapshot) => ({
    now: await booksStateOf(snapshot),
    openRun: (await rowsOf(snapshot, loadSql('proofs/open_run.sql')))[0]?.run_id,
  }));
  if (now.books_id !== books.books_id)
    throw new UsageError(
      `${dir} was written from other books (id ${books.books_id}): set DATABASE_URL to those, or add --offline`,
    );
  const isStill = openRun === undefined && isSame(now, books);
  const rewritten = isStill ? await rewrittenProof(pool, dir, options) : null;
  if (rewritten !== null) return [rewritten];
  const postings = await postingsProof(pool, dir, manifest).catch(unreadProof);
  return [postings, changed(openRun)];
};

const REWRITTEN = 'the books write the same tables and facts again';
const changed = (openRun: string | null | undefined): Proof => ({
  ...proofFrom(REWRITTEN, 0, []),
  unexamined: openRun
    ? `run ${openRun} has not ended, so the books may have changed since the lake was written`
    : 'the books have changed since the lake was written',
});

const isSame = (a: BooksState, b: BooksState): boolean =>
  a.links === b.links && a.links_sha256 === b.links_sha256;

/** Null if the books change in the meantime. */
const rewrittenProof = (
  pool: Database['pool'],
  dir: string,
  { manifest, settings, refuse }: LakeOptions,
): Promise<Proof | null> => {
  const { period, timezone, currency, entities, lake } = manifest;
  const ask = {
    pool,
    period,
    timezone,
    currency,
    settings,
    format: 'parquet',
    isWhole: lake.has_all_months,
  } as const;
  const chosen = { ...(lake.has_all_entities ? {} : { entities }), ...(refuse ? { refuse } : {}) };
  return withRewritten(
    (outDir) => exportReports({ ...ask, ...chosen, outDir }),
    async (written) => {
      const again = { ...written.manifest, lake: written.manifest.lake ?? lake };
      if (!isSame(again.lake.books, lake.books)) return null;
      const faults = await withLake(dir, lake, (open) =>
        fileFaults(open, { dir, again: written.dir }, again),
      );
      return proofFrom(REWRITTEN, again.files.length + 1, [...faults, ...factFaults(manifest, again)]);
    },
  );
};

type Folders = { readonly dir: string; readonly again: string };

/** A sentence for each file with other rows, and its first such row. */
const fileFaults = async (lake: OpenLake, folders: Folders, manifest: LakeManifest): Promise<string[]> => {
  const faults: string[] = [];
  for (const { name, sha256 } of manifest.files) {
    const path = join(folders.dir, name);
    const found = await fileDigest(path).catch(() => null);
    if (found === null) faults.push(`${name} is missing`);
    if (found === null || found === sha256) continue;
    const fault = name.endsWith('.parquet')
      ? await rowDifference(lake, { expected: join(folders.again, name), found: path }).catch(
          (error: Error) => `: ${error.message}`,
        )
      : ' has another text';
    if (fault !== null) faults.push(`${name}${fault}`);
  }
  return faults;
};

/** A sentence for each field of the manifest that differs, except the files, of which the digests are compared. */
const factFaults = (found: Manifest, expected: Manifest): string[] => {
  const [ours, theirs] = [expected, found].map(
    ({ files: _files, ...facts }) =>
      new Map(Object.entries(facts).map(([key, value]) => [key, canonical(value)])),
  );
  return [...new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])]
    .filter((key) => ours?.get(key) !== theirs?.get(key))
    .map((key) => `${MANIFEST}, ${key}: expected ${shown(ours?.get(key))}, found ${shown(theirs?.get(key))}`);
};

const SHOWN = 200;
const shown = (text = 'nothing'): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

const POSTINGS = 'the books have the postings of the lake, and no others until its last entry';

/** The amounts of both as they are in the books, with 18 decimals. */
const LAKE_POSTINGS = `
  select entity_id, count(*) as postings, sum(cast('0x' || left(md5(concat_ws('|', entry_id, leg, account, currency,
    split_part(amount::varchar, '.', 1) || '.' || rpad(split_part(amount::varchar, '.', 2), 18, '0'), kind, stream, record_id, period,
    epoch_us(effective_at), epoch_us(recorded_at))), 15) as bigint)) as digest
  from books.postings
  group by entity_id`;

/** What the lake cannot answer is its fault; any other failure says nothing about it. */
const unreadProof = (error: Error): Proof => {
  if (!(error instanceof UnreadLakeError)) throw error;
  return proofFrom(POSTINGS, 1, [error.message]);
};

const postingsProof = (pool: Database['pool'], dir: string, manifest: LakeManifest): Promise<Proof> =>
  withLake(dir, manifest.lake, async ({ rows }) => {
    const [end] = await rows('select coalesce(max(entry_number), 0) as last from books.postings');
    const bounds = { last: end?.last ?? '0', ...monthsOf(manifest) };
    const entity = manifest.lake.has_all_entities ? '' : manifest.entities.join(',');
    const stored = await inSnapshot(pool, (snapshot) =>
      rowsOf(snapshot, loadSql('proofs/postings_until.sql', { ...bounds, entity })),
    );
    const [found, expected] = [await rows(LAKE_POSTINGS), stored].map(
      (all) => new Map(all.map((row) => [row.entity_id ?? '', row])),
    );
    const entities = [...new Set([...(found?.keys() ?? []), ...(expected?.keys() ?? [])])];
    const faults = entities.flatMap((id) => postingsFault(id, found?.get(id), expected?.get(id)));
    const checked = stored.reduce((sum, row) => sum + Number.parseInt(row.postings ?? '0', 10), 0);
    return proofFrom(POSTINGS, checked, faults);
  });

type PostingSums = Readonly<Record<string, string | null>> | undefined;

const postingsFault = (entity: string, found: PostingSums, expected: PostingSums): string[] => {
  const [lake, books] = [found?.postings ?? '0', expected?.postings ?? '0'];
  if (lake !== books) return [`${entity}: the books have ${books} postings, the lake has ${lake}`];
  return found?.digest === expected?.digest
    ? []
    : [`${entity}: the lake has as many postings as the books, but other ones`];
};

const monthsOf = ({ lake, from, to, timezone }: LakeManifest) =>
  lake.has_all_months
    ? { first_month: '', last_month: '9999-12' }
    : { first_month: monthOf(from, timezone), last_month: monthOf(isoOf(msOf(to) - 1), timezone) };
