// Proves an export of a month that has gone on since: what it shows of its own moment is what the books had at the end of a run.
import { counted } from '../../base/counted.ts';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import { formatOf, LABEL_COLUMNS } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { differencesOf, reportDifferences } from './difference.ts';
import { sealsSince } from './seals-since.ts';
import { bodyOf, readFigure, withTables } from './tables.ts';
import { faultsOfSums, summing } from './totals.ts';

/** What the books wrote, for comparison. */
export type Rewritten = { readonly dir: string; readonly manifest: Manifest };

/** What the books received since the moment of an export, in words; whether entries of before its period are among it. */
type Changes = { readonly text: string; readonly hasEarlier: boolean };

/** The run whose end an export shows, the as-of of its period now, and the manifest that the books write as of that run. */
type Moment = { readonly lastRun: string; readonly now: string | null; readonly asOfRun: Manifest };

/** Why the books write other reports of the period now; null if nothing that the period shows has changed since. */
export const changesSince = async (
  pool: Database['pool'],
  { from, to, entities, seals, as_of, ...manifest }: Manifest,
  { lastRun, now, asOfRun }: Moment,
): Promise<Changes | null> => {
  const isOfJournal = isJournal(manifest); // whose entries name a run, but not one that booked nothing
  if (sealsSince(seals, asOfRun.seals).length > 0 || !(isOfJournal || as_of === asOfRun.as_of)) return null;
  const by = isOfJournal ? 'effective_at' : 'posted_at';
  const scope = { from, to, by, entity: entities.join(','), last_run: lastRun };
  const { rows } = await pool.query<ChangesRow>(loadSql('proofs/changes_since.sql', scope));
  const [within = 0, before = 0, breaks = 0] = [rows[0]?.within, rows[0]?.before, rows[0]?.breaks].map(
    (count) => Number.parseInt(count ?? '0', 10),
  );
  const changes = [
    ...(within + before > 0 ? [`booked ${counted(within + before, 'entry', 'entries')} of its time`] : []),
    ...(breaks > 0 ? [`changed ${counted(breaks, 'break')} of its time`] : []),
  ];
  if (changes.length === 0 && now === as_of) return null;
  return {
    text: `the books go on: since this export they ${[...changes, `are proved until ${now}`].join(', and ')}; export again for figures of today`,
    hasEarlier: before > 0,
  };
};

type ChangesRow = Readonly<Record<'within' | 'before' | 'breaks', string>>;

const isJournal = (manifest: Pick<Manifest, 'format'>): boolean =>
  !['csv', 'xlsx'].includes(formatOf(manifest));

/** The reports whose rows do not change once they are written. */
const OF_A_MOMENT = ['journal', 'tie_outs', 'coverage'];
/** An entry that arrives later moves the numbers after it; labels are those of today. */
const OF_TODAY: ReadonlySet<string> = new Set(['number', ...LABEL_COLUMNS]);

/** Compares the journal, the comparisons, the proofs of completeness and the openings with those of the moment. */
export const momentProof = async (
  dir: string,
  written: Rewritten,
  { manifest, since }: { readonly manifest: Manifest; readonly since: Changes },
): Promise<Proof> => {
  const folders = { expected: written.dir, found: dir };
  if (isJournal(manifest)) {
    const names = written.manifest.files.map(({ name }) => name);
    return proofFrom(
      'the books had the same journal then',
      names.length,
      await differencesOf(folders, manifest, names),
    );
  }
  const manifests = { expected: written.manifest, found: manifest };
  const faults = await reportDifferences(folders, manifests, {
    reports: OF_A_MOMENT,
    leftOut: () => OF_TODAY,
  });
  const openings = since.hasEarlier ? [] : await openingFaults(dir, written, manifest);
  return proofFrom(
    'the books had the same journal, openings, comparisons and coverage then',
    written.manifest.files.length,
    [...faults, ...openings],
  );
};

const openingFaults = async (dir: string, written: Rewritten, manifest: Manifest): Promise<string[]> =>
  faultsOfSums(
    await openingsIn(dir, manifest),
    await openingsIn(written.dir, written.manifest),
    (key, found, expected) => `trial_balance, opening of ${key}: expected ${expected}, found ${found}`,
  );

const openingsIn = (dir: string, manifest: Manifest): Promise<ReadonlyMap<string, string>> =>
  withTables(dir, manifest, async (tables) => {
    const openings = new Map<string, string>();
    for (const table of tables.filter(({ report }) => report === 'trial_balance')) {
      const columns = ['entity_id', 'account', 'currency', 'opening'];
      const { take } = summing(openings, table, columns, ([entity, account, currency, opening = '']) => [
        `${entity} ${account} ${currency}`,
        readFigure(table, opening),
      ]);
      for await (const rows of bodyOf(table, () => {})) take(rows);
    }
    return openings;
  });
