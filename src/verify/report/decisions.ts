// Proves an export after which people took decisions that book no entry: all is compared but what shows them, and they are named.
import { firstOf } from '../../base/counted.ts';
import { canonical } from '../../base/json.ts';
import { withCodes } from '../../base/unseen.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import { isShownBy, LABEL_COLUMNS, MANIFEST, type SourceKind } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { differencesOf, type LeftOut, reportDifferences } from './difference.ts';
import type { Rewritten } from './open-month.ts';
import { sealsSince } from './seals-since.ts';
import { plainText } from './tables.ts';

/** Cells that show a decision: these columns of a report, in the row whose key the decision is about. */
type Cells = { readonly report: string; readonly key: string; readonly columns: readonly string[] };

const OF_BREAK: Cells = {
  report: 'breaks',
  key: 'break_id',
  columns: [
    'status',
    'assigned_to',
    'explanation',
    'explained_by',
    'explained_records',
    'waived_by',
    'waived_for',
    'waived_because',
  ],
};

const OF_REJECT: Cells = {
  report: 'rejects',
  key: 'record_id',
  columns: ['decision', 'decided_by', 'decision_reason'],
};

/** What shows a decision: cells of its row, columns of any report, or all of the reports that a kind of source changes. */
type ShownBy = {
  readonly cells?: Cells;
  readonly columns?: Iterable<string>;
  readonly kinds?: readonly SourceKind[];
};

const SHOWN_IN: Readonly<Record<string, ShownBy>> = {
  accept: { kinds: ['cautions'] },
  break: { cells: OF_BREAK },
  budget: {},
  chart: { kinds: ['chart'] },
  choose: { kinds: ['values'] },
  counterparties: { kinds: ['counterparties', 'values'] },
  dismiss: { cells: OF_REJECT },
  duties: { kinds: ['cautions'] },
  erasure: { kinds: ['erasures'] },
  labels: { columns: LABEL_COLUMNS },
  lots: { kinds: ['values'] },
  profiles: { kinds: ['profiles', 'values'] },
  rates: { kinds: ['official', 'values'] },
  resolve: { kinds: ['breaks'] },
  statement: { kinds: ['external', 'breaks'] },
  waive: { cells: OF_BREAK },
};

/** What people decide is text on the report page, and not compared; report.json shows no decision on breaks. */
const PAGE = 'report.html';
const PAGE_FIGURES = 'report.json';

/** Something that a person decided, in words, with who and when. */
type Decision = {
  readonly kind: string;
  /** The key of the row that shows it; null if it is about no single row. */
  readonly about: string | null;
  readonly what: string;
  readonly decided_by: string;
  readonly decided_at: string;
};

/** What people decided since the run that an export shows, the newest first. */
export const decisionsSince = async (
  pool: Database['pool'],
  { entities }: Manifest,
  lastRun: string,
): Promise<Decision[]> => {
  const scope = { entity: entities.join(','), last_run: lastRun };
  return (await pool.query<Decision>(loadSql('proofs/decisions_since.sql', scope))).rows;
};

type File = Manifest['files'][number];

/**
 * What decisions may have changed of an export: nothing of `unaffected` files; some columns and cells, which `leftOut` tells, of reports `inPart`; any
 * cell of `affected` reports.
 */
const comparedOf = (files: readonly File[], decisions: readonly Decision[]) => {
  const shown = decisions.map(({ kind }) => SHOWN_IN[kind] ?? {});
  const columns = new Set(shown.flatMap((each) => [...(each.columns ?? [])]));
  const withCells = new Set(shown.flatMap(({ cells }) => cells?.report ?? []));
  const kinds = shown.flatMap((each) => each.kinds ?? []);
  const pages = decisions.every(({ kind }) => kind === 'break') ? [PAGE] : [PAGE, PAGE_FIGURES];
  const isAffected = (report: string) => isShownBy(report, kinds);
  const isUnaffected = (file: File) =>
    !(file.sheets || pages.includes(file.name) || file.columns.some((column) => columns.has(column))) &&
    !reportsIn(file).some((report) => withCells.has(report) || isAffected(report));
  const reports = files.filter((file) => !isUnaffected(file)).flatMap(reportsIn);
  return {
    leftOut: leftOutOf(columns, decisions),
    hasCautions: kinds.some((kind) => ['cautions', 'values'].includes(kind)),
    unaffected: files.filter(isUnaffected).map(({ name }) => name),
    inPart: reports.filter((report) => !isAffected(report)),
    affected: reports.filter(isAffected),
  };
};

const reportsIn = ({ name, sheets }: File): readonly string[] => {
  if (sheets) return sheets.map(({ report }) => report);
  return name.endsWith('.csv') ? [name.slice(0, -'.csv'.length)] : [];
};

/** The columns that decisions may have changed in a row of a table. */
const leftOutOf =
  (always: ReadonlySet<string>, decisions: readonly Decision[]): LeftOut =>
  ({ report, stated }, row) => {
    const inRow = decisions.flatMap(({ kind, about }) => {
      const cells = SHOWN_IN[kind]?.cells;
      const isItsRow =
        cells?.report === report && plainText(row[stated.columns.indexOf(cells.key)] ?? '') === about;
      return isItsRow ? cells.columns : [];
    });
    return inRow.length > 0 ? new Set([...always, ...inRow]) : always;
  };

/**
 * The proof of what no decision changes, after the months that were closed or reopened since. If it holds, the decisions are named, with the
 * first difference of each report that they may have changed: which of these they made, and which a forger, only a new export can tell.
 */
export const decidedProofs = async (
  dir: string,
  written: Rewritten,
  { manifest, decisions }: { readonly manifest: Manifest; readonly decisions: readonly Decision[] },
): Promise<Proof[]> => {
  const compared = comparedOf(written.manifest.files, decisions);
  const folders = { expected: written.dir, found: dir };
  const manifests = { expected: written.manifest, found: manifest };
  const inReports = (reports: readonly string[]) =>
    reportDifferences(folders, manifests, { reports, leftOut: compared.leftOut });
  const [now, then] = [written.manifest, manifest].map((each) => withoutShown(each, compared));
  const unaffected = proofFrom(
    'the books write each again, without what people decided since',
    compared.unaffected.length + compared.inPart.length + 1,
    [
      ...sealsSince(manifest.seals, written.manifest.seals),
      ...(await differencesOf(folders, manifest, compared.unaffected)),
      ...(await inReports(compared.inPart)),
      ...(now === then ? [] : [`${MANIFEST} differs in more than what shows these decisions`]),
    ],
  );
  if (unaffected.faults !== '0') return [unaffected];
  return [unaffected, affectedProof(compared, await inReports(compared.affected), decisions)];
};

/** The proof of the reports that decisions may have changed; if none differs, it only says what no comparison can examine. */
const affectedProof = (
  { affected }: ComparedParts,
  differences: readonly string[],
  decisions: readonly Decision[],
): Proof => {
  const made = madeText(decisions);
  if (differences.length > 0)
    return proofFrom(
      'the books write again what these decisions may have changed',
      affected.length,
      differences.map((each) => `${made}, so this may be right: ${each}; ${ANEW}`),
    );
  return {
    ...proofFrom('the report page, and the cells that show these decisions', 0, []),
    unexamined: `${made}; ${ANEW}`,
  };
};

const ANEW = 'export again for its state of today';

const madeText = (decisions: readonly Decision[]): string => {
  const made = decisions.map(({ what, decided_by, decided_at }) =>
    withCodes(`${what} by ${decided_by} at ${decided_at}`),
  );
  return `since the run that this export shows, people decided ${firstOf(made)}`;
};

type ComparedParts = ReturnType<typeof comparedOf>;

/** The text of a manifest without what it says of the files that decisions change, and without cautions that they set. */
const withoutShown = (
  { files, cautions, ...rest }: Manifest,
  { unaffected, hasCautions }: ComparedParts,
): string =>
  canonical({
    ...rest,
    cautions: hasCautions ? [] : (cautions ?? []),
    files: files.map((file) => (unaffected.includes(file.name) ? file : { name: file.name })),
  });
