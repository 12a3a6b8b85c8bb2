// The nightly's folders, one for each month: a folder is written again only if something that it shows has changed, and of its
// files only those that show it. What changed follows from marks in the books, never from a clock. A long night drafts the
// folders before its end.
import { FailedError } from '../../base/errors.ts';
import { stopwatch } from '../../base/time.ts';
import { atMost, together } from '../../base/together.ts';
import type { Books, Database } from '../../database/connection.ts';
import { loadSql, type Numbered, numbersWritten } from '../../database/database.ts';
import { writeDraft, writePack } from '../pack.ts';
import { type BrokenRule, brokenRules } from '../reports/broken-rules.ts';
import { parsePeriod } from '../reports/period.ts';
import { OTHER_COLUMNS } from '../reports/report.ts';
import type { Reuse } from '../reports/reuse.ts';
import { inSnapshot, rowsOf, type Snapshot } from '../reports/snapshot.ts';
import { type Marks, marksOf, NOTHING_SEEN } from './marks.ts';
import { programDigest } from './program.ts';
import { type Retired, retireFolders } from './retirement.ts';
import {
  factDigest,
  folderDigest,
  isSettled,
  reportDigest,
  type SourceMarks,
  sourceMarks,
} from './sources.ts';
import {
  dirOf,
  type ExportState,
  type FolderState,
  filesOnDisk,
  isIntact,
  readState,
  removeDrafts,
  writeState,
} from './state.ts';

type RefreshOptions = {
  readonly db: Books;
  readonly pool: Database['pool'];
  /** The folder that holds the state and, in `exports`, a folder for each month. */
  readonly home: string;
  readonly timezone: string;
  readonly currency: string;
  /** How many months, the newest, have a folder. */
  readonly monthsMax: number;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The run that writes: it is in the books from now on. */
  readonly run: string;
  /** Before the balances are compared: only files that show none of that, for the folders that the end of the run writes. */
  readonly isDraft?: boolean;
  /** Every set of books, for a month whose entities cannot share files. */
  readonly entities: readonly string[];
};

/** A folder after the night: how many of its files were written, and how many were taken over; both 0 if nothing changed. */
type Refreshed = {
  readonly name: string;
  readonly dir: string;
  readonly written: number;
  readonly unchanged: number;
  readonly brokenRules: readonly BrokenRule[];
};

type Listener = {
  /** The moment of the books is fixed. */
  readonly opened: () => void;
  readonly refreshed: (folder: Refreshed & { readonly tookMs: number }) => void;
  readonly retired: (folder: Retired) => void;
};

/** The lanes of the snapshot have work while one statement of a month outlasts its others. */
const MONTHS_AT_ONCE = 2;

/** Writes the folders of the months that changed, from one snapshot of the books, and removes those before `monthsMax`. */
export const refreshMonths = async (options: RefreshOptions, listener: Listener): Promise<void> => {
  const numbered = await numbersWritten(options.db); // a draft is read while entities are still booked
  await inSnapshot(options.pool, (snapshot) => refreshIn(snapshot, { options, listener, numbered }));
};

type RefreshSettings = {
  readonly options: RefreshOptions;
  readonly listener: Listener;
  readonly numbered: Numbered;
};

const refreshIn = async (
  snapshot: Snapshot,
  { options, listener, numbered }: RefreshSettings,
): Promise<void> => {
  const before = await stateOf(snapshot, options);
  const marks = await marksOf(snapshot, { before: before.seen, numbered });
  listener.opened();
  const program = programDigest(options);
  const folders: Record<string, FolderState> = {};
  const months = marks.months.slice(-options.monthsMax);
  for (const retired of await retireFolders(options, before, months[0] ?? '')) listener.retired(retired);
  const begun = { run: options.run, months: [...new Set([...(before.begun?.months ?? []), ...months])] };
  await writeState(options.home, { ...before, begun });
  const write = async (month: string): Promise<void> => {
    const tookMs = stopwatch();
    const refresh = { snapshot, options, marks, before, program, month };
    for (const { state, ...folder } of await refreshMonth(refresh)) {
      folders[folder.name] = state;
      listener.refreshed({ ...folder, tookMs: tookMs() });
    }
  };
  const inTurn = atMost(MONTHS_AT_ONCE);
  await together(months.map((month) => inTurn(() => write(month))));
  const state = { run: options.run, seen: marks.next, folders };
  await writeState(options.home, options.isDraft ? { ...state, begun } : state);
  if (!options.isDraft) await removeDrafts(options.home);
};

/** The state of these very books: not that of others, which a home may have held before, nor of these at a later moment. */
const stateOf = async (
  snapshot: Snapshot,
  { home, run }: Pick<RefreshOptions, 'home' | 'run'>,
): Promise<ExportState> => {
  const { begun, ...state } = readState(home);
  const isKnown = async (writer: string, asking: string): Promise<boolean> =>
    (await rowsOf(snapshot, loadSql('export/run.sql', { run: writer, asking }))).length > 0;
  const known = (await isKnown(state.run ?? '', run))
    ? state
    : { run: null, seen: NOTHING_SEEN, folders: {} };
  const isBegun = begun !== undefined && (await isKnown(begun.run, begun.run)); // whether or not that run has ended
  return isBegun ? { ...known, begun } : known;
};

type Refresh = {
  readonly snapshot: Snapshot;
  readonly options: RefreshOptions;
  readonly marks: Marks;
  readonly before: ExportState;
  readonly program: string;
  readonly month: string;
};

type RefreshedFolder = Refreshed & { readonly state: FolderState };

/** A month of all entities, or one folder for each entity if their sealed reports have other columns. */
const refreshMonth = async (refresh: Refresh): Promise<RefreshedFolder[]> => {
  try {
    return [await refreshFolder(refresh, { name: refresh.month })];
  } catch (error) {
    if (!(error instanceof FailedError && error.cause === OTHER_COLUMNS)) throw error;
    const alone = [];
    for (const entity of refresh.options.entities)
      alone.push(await refreshFolder(refresh, { name: `${refresh.month}-${entity}`, entities: [entity] }));
    return alone;
  }
};

const refreshFolder = async (
  { snapshot, options, marks, before, program, month }: Refresh,
  { name, entities }: { readonly name: string; readonly entities?: readonly string[] },
): Promise<RefreshedFolder> => {
  const { home, timezone, currency, settings, run, isDraft = false } = options;
  const past = before.folders[name];
  const end = {
    month,
    to: inPostgres(parsePeriod(month, timezone).to),
    program,
    fresh: isDraft ? `${run} draft` : run,
    before: past?.marks ?? {},
  };
  const marksWith = (facts: FolderState['facts'] = {}) =>
    sourceMarks(marks, { ...end, tiedBy: tiedBy(facts) });
  const now = marksWith(past?.facts);
  const pastDir = dirOf(home, name, past);
  const left = past?.agrees && (await isIntact(pastDir, past)) ? past : null;
  const isDone =
    left !== null && folderDigest(left.marks) === folderDigest(now) && (isDraft || !left.isDraft);
  const dir = dirOf(home, name, { isDraft });
  if (isDone) {
    const state = { ...left, marks: now };
    return { name, dir, written: 0, unchanged: left.files.length, brokenRules: [], state };
  }
  const { reuse, facts } = reuseOf(left && { ...left, dir: pastDir }, now);
  const request = { period: month, outDir: dir, timezone, currency, settings, ...(entities && { entities }) };
  const write = isDraft ? writeDraft(request, reuse, isSettled) : writePack(request, reuse);
  const { files } = await write(snapshot);
  const unchanged = files.filter((file) => reuse.file(file.name) !== null).length;
  const broken = await brokenRules(dir);
  const state = {
    marks: marksWith(facts),
    files,
    onDisk: (await filesOnDisk(dir, files)) ?? [],
    facts,
    agrees: broken.length === 0,
    isDraft,
  };
  return { name, dir, written: files.length - unchanged, unchanged, brokenRules: broken, state };
};

/** They show the newest reading, so that they are of one moment with every folder that is written. */
const OF_THE_READING = ['coverage.csv', 'tie_outs.csv'];

/** What of a folder as it was left still holds; `facts` receives those of the new one. */
const reuseOf = (
  past: (FolderState & { readonly dir: string }) | null,
  now: SourceMarks,
): { reuse: Reuse; facts: FolderState['facts'] } => {
  const facts: Record<string, FolderState['facts'][string]> = {};
  const file: Reuse['file'] = (name) => {
    const entry = past?.files.find((one) => one.name === name);
    if (!past || !entry || OF_THE_READING.includes(name)) return null;
    return reportDigest(past.marks, name) === reportDigest(now, name) ? entry : null;
  };
  const fact = async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const [digest, earlier] = [factDigest(now, name), past?.facts[name]];
    const value = earlier?.digest === digest ? (earlier.value as T) : await read();
    facts[name] = { digest, value };
    return value;
  };
  return { reuse: { dir: past?.dir ?? '', file, fact }, facts };
};

type ClosingRow = { readonly status: string; readonly as_of: string | null };

/** The last reading that the closing balances of a folder rest on, if all of them tie; null otherwise, or if that is not known. */
const tiedBy = ({ closing }: FolderState['facts']): string | null => {
  const rows = (closing?.value ?? []) as readonly ClosingRow[];
  const last =
    rows
      .map(({ as_of }) => as_of ?? '')
      .sort()
      .at(-1) ?? '';
  return last !== '' && rows.every(({ status }) => status === 'tied') ? inPostgres(last) : null;
};

/** An instant as Postgres writes it in UTC: without zeros at the end of a fraction. */
const inPostgres = (instant: string): string =>
  instant.replace('T', ' ').replace(/(?:\.0*|(\.\d*[1-9])0*)?Z$/, '$1+00');
