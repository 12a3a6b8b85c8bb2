// Seals: what a close freezes. The month's entries as leaves of a hash tree, its reports unchanged, and one canonical
// text with the digests of all that, the manifest, the settings, the program version and who closed.
import { type Kysely, sql } from 'kysely';
import type { Duties } from '../approvals/approvals.ts';
import { FailedError } from '../base/errors.ts';
import { canonical, sha256 } from '../base/json.ts';
import { treeRoot } from '../base/tree.ts';
import type { Database } from '../database/connection.ts';
import { codeOf } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import {
  digestsOf,
  type Manifest,
  type ManifestFile,
  manifestFor,
  renderPage,
  renderReports,
  ruleVersions,
  type Sink,
} from '../export/export.ts';
import { databaseTime } from '../run/run.ts';
import type { Month, Unvalued, Waived } from './readiness.ts';
import { grossOf } from './readiness.ts';

export { sealedValues } from './sealed-values.ts';

import { type SealKey as Key, storeValues } from './sealed-values.ts';

/**
 * What to seal, who seals it and on what terms; `early` is the reason for closing before the 48-hour wait.
 */
type Sealing = {
  readonly month: Month & { readonly timezone: string };
  readonly by: string;
  readonly budget: string;
  readonly early: string | null;
  readonly waived: readonly Waived[];
  readonly unvalued: Unvalued;
  readonly duties: Duties | null;
  readonly settings: Readonly<Record<string, unknown>>;
};

export type Sealed = {
  readonly entity: string;
  readonly period: string;
  readonly sealNumber: number;
  readonly entries: number;
  readonly root: string;
  readonly sealSha256: string;
  readonly files: readonly ManifestFile[];
};

/**
 * Seals a month in one transaction of `decider`, who may write decisions; the reports are read through `pool`. The caller
 * holds the writer lock, so nothing is posted meanwhile.
 */
export const sealMonth = (
  { pool, decider }: { pool: Database['pool']; decider: Kysely<DB> },
  sealing: Sealing,
): Promise<Sealed> =>
  decider.transaction().execute(async (tx) => {
    const { entity, period } = sealing.month;
    await holdStill(tx);
    const sealedAt = await databaseTime(tx);
    const key = { entity, period, number: await nextNumber(tx, sealing.month) };
    const { root, entries } = await storeLeaves(tx, key);
    const reports = await storeFiles(tx, pool, { key, sealing });
    const draft = await manifestFor(pool, { ...sealing.month, settings: sealing.settings }, reports);
    const manifest = await storePage(tx, pool, { key, manifest: draft, root });
    const requests_to = await lastRequest(tx);
    const money = await storeValues(tx, key);
    const text = canonical({
      ...(await contentOf(tx, sealing)),
      manifest,
      root,
      entries,
      requests_to,
      ...money,
      sealed_at: sealedAt,
    });
    await sql`
      insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values (${entity}, ${period}, ${key.number}, ${requests_to}, ${entries}, ${root}, ${text}, ${sealing.by},
        ${sealedAt}::timestamptz)`.execute(tx);
    const { files } = manifest;
    return { entity, period, sealNumber: key.number, entries, root, sealSha256: sha256(text), files };
  });

const NOT_AVAILABLE = '55P03';

/** The writer lock only excludes tieout itself; another client may still have entries in an open transaction. */
const holdStill = async (tx: Kysely<DB>): Promise<void> => {
  try {
    await sql`select ledger.hold_still()`.execute(tx);
  } catch (error) {
    if (codeOf(error) !== NOT_AVAILABLE) throw error;
    throw new FailedError(
      'cannot seal: another session has been writing entries without a commit for 20 seconds; end that session (see pg_stat_activity) and run again',
    );
  }
};

const nextNumber = async (tx: Kysely<DB>, { entity, period }: Month): Promise<number> => {
  const { rows } = await sql<{ next: number }>`
    select coalesce(max(seal_number), 0)::int + 1 as next from decide.seals
    where entity_id = ${entity} and period = ${period}`.execute(tx);
  return rows[0]?.next ?? 1;
};

/** The last request landed before a seal: records of later requests are too late for it. */
const lastRequest = async (tx: Kysely<DB>): Promise<string> => {
  const { rows } = await sql<{ last: string }>`
    select coalesce(max(request_id), 0)::text as last from land.requests`.execute(tx);
  return rows[0]?.last ?? '0';
};

const contentOf = async (
  tx: Kysely<DB>,
  { month, by, budget, early, waived, unvalued, duties, settings }: Sealing,
) => ({
  entity: month.entity,
  period: month.period,
  configuration: { ...digestsOf(settings), rules: ruleVersions() },
  previous: await previousOf(tx, month),
  waived: { budget, gross: grossOf(waived), breaks: waived },
  unvalued: { ...unvalued, findings: String(unvalued.findings) },
  ...(duties?.is_one_person
    ? { one_person: { by: duties.set_by, at: duties.set_at, reason: duties.reason } }
    : {}),
  early,
  prepared_by: by,
});

/** The previous seal: seals form a chain, so none of them can be replaced. */
const previousOf = async (tx: Kysely<DB>, { entity, period }: Month) => {
  const { rows } = await sql<{ period: string; seal_number: string; seal_sha256: string }>`
    select period, seal_number::text, seal_sha256 from books.seals
    where entity_id = ${entity} and period < ${period} and status = 'closed'
    order by period desc limit 1`.execute(tx);
  return rows[0] ?? null;
};

const PART_BYTES = 262_144;

const storeFiles = (
  tx: Kysely<DB>,
  pool: Database['pool'],
  { key, sealing }: { key: Key; sealing: Sealing },
): Promise<ManifestFile[]> => {
  const { from, to, entity } = sealing.month;
  return renderReports(pool, { from, to, by: 'posted_at', entity }, (name) => sinkFor(tx, key, name));
};

/** Seals the report page and report.json too, which show the manifest's facts; returns the manifest with both as its last files. */
const storePage = async (
  tx: Kysely<DB>,
  pool: Database['pool'],
  { key, manifest, root }: { key: Key; manifest: Manifest; root: string },
): Promise<Manifest> => {
  const rendered = await renderPage(pool, manifest, root);
  for (const { text, file } of rendered) {
    const { put, end } = sinkFor(tx, key, file.name);
    await put(Buffer.from(text, 'utf8'));
    await end();
  }
  return { ...manifest, files: [...manifest.files, ...rendered.map(({ file }) => file)] };
};

/** A sink that stores the text of one file in rows of about the same number of bytes. */
const sinkFor = (tx: Kysely<DB>, key: Key, name: string): Sink => {
  let part = 0;
  let chunks: Uint8Array[] = [];
  let bytes = 0;
  const flush = async () => {
    const content = Buffer.concat(chunks).toString('utf8');
    await sql`
      insert into decide.seal_files (entity_id, period, seal_number, name, part, content)
      values (${key.entity}, ${key.period}, ${key.number}, ${name}, ${part}, ${content})`.execute(tx);
    part += 1;
    chunks = [];
    bytes = 0;
  };
  return {
    put: async (text) => {
      chunks.push(text);
      bytes += text.length;
      if (bytes >= PART_BYTES) await flush();
    },
    end: async () => {
      if (bytes > 0) await flush();
    },
  };
};

const storeLeaves = async (tx: Kysely<DB>, key: Key): Promise<{ root: string; entries: number }> => {
  const { numAffectedRows } = await sql`
    insert into decide.seal_leaves (entity_id, period, seal_number, entry_id, leaf)
    select entity_id, period, ${key.number}, entry_id, leaf from books_internal.entry_leaves
    where entity_id = ${key.entity} and period = ${key.period}`.execute(tx);
  return { root: await treeRoot(leavesOf(tx, key)), entries: Number.parseInt(`${numAffectedRows ?? 0}`, 10) };
};

const LEAVES = 10_000;

/** The sealed leaves in the order of entry ids. */
export async function* leavesOf(db: Kysely<DB>, { entity, period, number }: Key): AsyncGenerator<Buffer> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await sql<{ entry_id: string; leaf: Buffer }>`
      select entry_id, leaf from decide.seal_leaves
      where entity_id = ${entity} and period = ${period} and seal_number = ${number} and entry_id > ${after}::uuid
      order by entry_id limit ${LEAVES}`.execute(db);
    for (const { leaf } of rows) yield leaf;
    const last = rows.at(-1);
    if (!last) return;
    after = last.entry_id;
  }
}
