// Sources: what each file of a month can show, by kind, and the mark of each kind for one month. Two moments with equal marks
// give the same bytes, so a file whose marks are those of the last export is not written again.
import { sha256 } from '../../base/json.ts';
import { DATED, type Dated, type Marks, type StateLine } from './marks.ts';

/** The kinds, each with a mark for a month. `program`: this program, its SQL, its settings. */
export type SourceKind =
  | Dated
  | 'late'
  | 'returns'
  | 'official'
  | 'program'
  | 'entities'
  /** The pockets and users by which a record names an entity of ours. */
  | 'names'
  | 'seals'
  | 'values'
  | 'profiles'
  | 'counterparties'
  | 'chart'
  | 'labels'
  | 'rejects'
  | 'erasures'
  /** Statements of own accounts outside the platform, and their pairs. */
  | 'external'
  | 'cautions'
  | 'breaks'
  | 'compared'
  | 'coverage'
  /** The last comparison of each account, as of the instant of the reading. */
  | 'results'
  /** The same, of readings after the month's end alone; of the accounts alone once its closing balances tie. */
  | 'readings';

export type SourceMarks = Readonly<Record<SourceKind, string>>;

/** What every file shows: the program, the entities, the labels, which months are closed, the entries. */
const ALWAYS = ['program', 'entities', 'labels', 'seals', 'entries', 'returns', 'inbox'] as const;
/** `late`: entries that took effect before a reading that was compared without them. */
const CLOSING = ['readings', 'breaks', 'pairs', 'records', 'late'] as const;
const RATES = ['rates', 'official'] as const;
const OUTSIDE = ['counterparties', 'transfers', 'records', 'addresses', 'profiles'] as const;

/** What each report shows beside the entries. A report that is not here is written again with every change. */
const SHOWN: Readonly<Record<string, readonly SourceKind[]>> = {
  asset_roll_forward: ['values'],
  breaks: [...CLOSING, ...RATES, 'compared'],
  cash_list: ['values', 'records', 'erasures'],
  checks: ['values', 'chart', 'transfers', 'profiles', 'external', ...CLOSING],
  closing_balances: ['values', ...CLOSING],
  consolidated_trial_balance: ['values', 'chart', 'transfers', 'profiles'],
  conversions: ['values', ...RATES, 'records'],
  counterparties: ['values', ...OUTSIDE],
  coverage: ['coverage', 'records'],
  dac8_check: ['values', ...OUTSIDE],
  fee_totals: ['values'],
  fees: ['values'],
  general_ledger: ['values'],
  holdings: ['values', ...RATES, 'coverage'],
  in_transit: ['records', 'pairs', 'names'],
  intercompany: ['values', 'transfers', 'records', 'profiles', 'names'],
  journal: [],
  journal_entries: ['values'],
  manual_entries: ['values'],
  open_lots: ['values', ...RATES, 'coverage', 'profiles'],
  prices_used: ['values', ...RATES],
  prior_period: ['values'],
  realised_gains: ['values', ...OUTSIDE],
  reconciliation: [...CLOSING, 'external'],
  rejects: ['rejects', 'erasures'],
  statement: [],
  tie_outs: ['results'],
  trades: ['records'],
  trial_balance: ['values', 'chart'],
  valuation: ['values', ...RATES, 'coverage'],
  value_findings: ['values', 'transfers'],
  working_capital: ['values'],
};

/** What a night knows at its end: how far its reading proves the books, and how balances and transfers compare. */
const OF_THE_END: readonly SourceKind[] = [
  'compared',
  'coverage',
  'results',
  'readings',
  'breaks',
  'late',
  'pairs',
];

/** Whether a report shows none of that. */
export const isSettled = (file: string): boolean => {
  const shown = SHOWN[reportIn(file) ?? ''];
  return shown !== undefined && !shown.some((kind) => OF_THE_END.includes(kind));
};

/** Whether one of these kinds changes what a report shows; `labels` are in all. */
export const isShownBy = (report: string, kinds: readonly SourceKind[]): boolean =>
  kinds.length > 0 && (SHOWN[report] ?? kinds).some((kind) => kinds.includes(kind));

const reportIn = (file: string): string | null => (file.endsWith('.csv') ? file.slice(0, -4) : null);

/** The facts of the manifest and the report page that take long to read. */
const FACTS: Readonly<Record<string, readonly SourceKind[]>> = {
  control_totals: [],
  conservation: ['records', 'names'],
  moves: [],
  closing: CLOSING,
  values: ['values', ...RATES, 'coverage', 'chart'],
  months: ['values', ...RATES, 'coverage'],
  fee_values: ['values'],
  counterparties: ['values', ...OUTSIDE],
};

const digestOf = (marks: SourceMarks, shown: readonly SourceKind[] | undefined): string => {
  const sources = shown ? [...ALWAYS, ...shown] : (Object.keys(marks) as SourceKind[]).sort();
  return sha256(sources.map((source) => `${source} ${marks[source]}`).join('\n'));
};

/** The digest of what a report of the month shows, by the name of its file. */
export const reportDigest = (marks: SourceMarks, file: string): string =>
  digestOf(marks, SHOWN[reportIn(file) ?? '']);

export const factDigest = (marks: SourceMarks, fact: string): string => digestOf(marks, FACTS[fact]);

/** The digest of everything that the folder of the month shows. */
export const folderDigest = (marks: SourceMarks): string => digestOf(marks, undefined);

/** What each report and each fact shows, for the tests that none of either is forgotten. */
export const listedSources = () => {
  const withAlways = (shown: Readonly<Record<string, readonly SourceKind[]>>) =>
    new Map(Object.entries(shown).map(([name, kinds]) => [name, new Set<SourceKind>([...ALWAYS, ...kinds])]));
  return { reports: withAlways(SHOWN), facts: withAlways(FACTS) };
};

type MonthEnd = {
  readonly month: string;
  /** The end of the month, exclusive, as Postgres writes it in UTC. */
  readonly to: string;
  readonly program: string;
  /** A text that no earlier export had, for what is new. */
  readonly fresh: string;
  readonly before: Partial<SourceMarks>;
  /** The last reading that its closing balances rest on, if all of them tie: no later one can change them. */
  readonly tiedBy: string | null;
};

/** The marks of a month. What belongs to an instant keeps its mark unless something new concerns the time before the end. */
export const sourceMarks = (marks: Marks, end: MonthEnd): SourceMarks => {
  const { month, to, program, fresh, before, tiedBy } = end;
  const { counts, states, news } = marks;
  const count = (kind: string): string => counts.get(kind) ?? '';
  const lines = (kind: string): readonly StateLine[] => states.get(kind) ?? [];
  const dated = (kind: Dated): string => {
    const first = news.get(kind) ?? null;
    const isNew = first !== null && (first < to || (kind === 'rates' && first === to));
    return isNew || before[kind] === undefined ? fresh : before[kind];
  };
  const inTime = Object.fromEntries(DATED.map((kind) => [kind, dated(kind)])) as Record<Dated, string>;
  const results = lines('results');
  const restsOn = tiedBy ?? marks.seen.compared;
  const isLate = (news.get('entries') ?? restsOn) < restsOn;
  return {
    ...inTime,
    late: isLate || before.late === undefined ? fresh : before.late,
    returns: count('returns'),
    official: count('official'),
    program,
    entities: count('entities'),
    names: count('names'),
    profiles: count('profiles'),
    counterparties: count('counterparties'),
    chart: count('chart'),
    labels: count('labels'),
    rejects: count('rejects'),
    erasures: count('erasures'),
    external: count('external'),
    cautions: count('cautions'),
    seals: digest(lines('seals').filter((line) => line.month === month)),
    values: digest(lines('values').filter((line) => (line.month ?? '') <= month)),
    breaks: sha256(`${count('waivers')} ${count('severities')} ${digest(breaksOf(lines('breaks'), end))}`),
    compared: digest(lines('compared').map((line) => ({ ...line, since: earlier(line.since, to) }))),
    coverage: digest(lines('coverage').flatMap((line) => clipped(line, to))),
    results: digest(results.map((line) => asOf(line, to))),
    readings: digest(readingsAfter(tiedBy === null ? results : lines('read'), to)),
  };
};

/** Those that the month may show: not those that began, and were resolved, after the end of a month whose balances all tie. */
const breaksOf = (lines: readonly StateLine[], { to, tiedBy }: MonthEnd): readonly StateLine[] =>
  tiedBy === null
    ? lines
    : lines.filter(({ since, until }) => since === null || since < to || (until !== null && until < to));

const readingsAfter = (lines: readonly StateLine[], to: string): StateLine[] =>
  lines.filter(({ since }) => (since ?? '') >= to).map((line) => asOf(line, to));

const earlier = (instant: string | null, to: string): string =>
  instant !== null && instant < to ? instant : to;

/** Proved intervals up to the end of the month: what is proved later changes nothing that the month shows. */
const clipped = (line: StateLine, to: string): StateLine[] =>
  (line.since ?? '') >= to ? [] : [{ ...line, until: earlier(line.until, to) }];

/** A newer comparison after the month's end is the same if its result is. */
const asOf = (line: StateLine, to: string): StateLine =>
  (line.since ?? '') >= to ? { ...line, since: to, result: null } : line;

const digest = (lines: readonly StateLine[]): string => sha256(JSON.stringify(lines));
