// Proves an export whose breaks people have worked on since: all but their decisions is what the books write again.
import { counted } from '../../base/counted.ts';
import { canonical } from '../../base/json.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import { MANIFEST } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { differencesOf, reportDifferences } from './difference.ts';
import type { Rewritten } from './open-month.ts';

/** The columns of breaks.csv that show what people decided. */
const DECIDED: ReadonlySet<string> = new Set([
  'status',
  'assigned_to',
  'explanation',
  'explained_by',
  'explained_records',
  'resolved_at',
  'resolved_by',
  'waived_by',
  'waived_for',
  'waived_because',
]);

/** The report page lists breaks too, and is no table. */
const SHOWING_BREAKS: readonly string[] = ['breaks.csv', 'report.html'];

const showsBreaks = ({ name, sheets }: Manifest['files'][number]): boolean =>
  SHOWING_BREAKS.includes(name) || sheets !== undefined;

/** What people did with breaks since the run that an export shows, in words; null if nothing. */
export const breaksSince = async (
  pool: Database['pool'],
  { entities }: Manifest,
  lastRun: string,
): Promise<string | null> => {
  const scope = { entity: entities.join(','), last_run: lastRun };
  const { rows } = await pool.query<{ breaks: string }>(loadSql('proofs/breaks_since.sql', scope));
  const breaks = Number.parseInt(rows[0]?.breaks ?? '0', 10);
  if (breaks === 0) return null;
  return `since the run that this export shows, people decided on ${counted(breaks, 'break')}; export again for its state of today`;
};

/** Compares every file to the byte, and tables that show breaks cell by cell, without what people decided. */
export const decidedProof = async (dir: string, written: Rewritten, manifest: Manifest): Promise<Proof> => {
  const folders = { expected: written.dir, found: dir };
  const manifests = { expected: written.manifest, found: manifest };
  const settled = written.manifest.files.filter((file) => !showsBreaks(file)).map(({ name }) => name);
  const sheets = written.manifest.files.flatMap((file) => file.sheets ?? []).map(({ report }) => report);
  const others = sheets.filter((report) => report !== 'breaks');
  const [now, then] = [written.manifest, manifest].map(withoutBreaks);
  return proofFrom('the books write each again, without what people decided on breaks', settled.length + 1, [
    ...(await differencesOf(folders, manifest, settled)),
    ...(await reportDifferences(folders, manifests, { reports: ['breaks'], leftOut: DECIDED })),
    ...(await reportDifferences(folders, manifests, { reports: others, leftOut: new Set() })),
    ...(now === then ? [] : [`${MANIFEST} differs in more than the digests of files that show breaks`]),
  ]);
};

/** The text of a manifest without the digests of the files that show breaks. */
const withoutBreaks = ({ files, ...rest }: Manifest): string =>
  canonical({ ...rest, files: files.map((file) => (showsBreaks(file) ? { ...file, sha256: '' } : file)) });
