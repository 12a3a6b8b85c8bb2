// The facts on the report page, read from the same snapshot as the files beside it. For a closed month, facts that a night
// may change (breaks, tie-outs, coverage, rejects) come from its seal, not from the books.
import { DAY_MS, msOf } from '../../base/time.ts';
import { together } from '../../base/together.ts';
import { cautionValues } from '../reports/cautions.ts';
import type { Manifest } from '../reports/manifest.ts';
import type { Reuse } from '../reports/reuse.ts';
import type { EntityPart } from '../reports/sealed.ts';
import type { Snapshot } from '../reports/snapshot.ts';
import { addFigures, type Figures, readFigures } from './figures.ts';
import { type MoneyFacts, moneyOf } from './money-facts.ts';
import { allOf, type ReadRows, type ReportRow, rowsIn } from './rows.ts';
import { sealedReport, withSealedNames } from './sealed-report.ts';

/** Breaks of one status, highest severity first: at most as many as a page shows, with their total number and value. */
export type BreakGroup = {
  readonly shown: readonly ReportRow[];
  readonly total: number;
  readonly value: string | null;
};

type BreakFacts = {
  readonly open: BreakGroup;
  readonly waived: BreakGroup;
  readonly resolved: BreakGroup;
  /** The ages of open breaks in days (null: without an upper bound), with the number of breaks of each. */
  readonly ages: ReadonlyMap<string | null, number>;
  /** Breaks that a person resolved, and that no later comparison has confirmed. */
  readonly unseen: number;
};

export type PageFacts = {
  readonly entities: readonly ReportRow[];
  readonly breaks: BreakFacts;
  readonly ties: readonly ReportRow[];
  readonly coverage: readonly ReportRow[];
  readonly rejects: readonly ReportRow[];
  readonly seals: readonly ReportRow[];
  readonly cautions: readonly ReportRow[];
  /** The columns of the calendar: days, or weeks or months of a long period. */
  readonly calendar: readonly ReportRow[];
  readonly calendarStep: '1 day' | '7 days' | '1 month';
  readonly money: MoneyFacts;
  readonly figures: Figures;
  /** Each month of the period and entity, with what was done to close it. */
  readonly closeStates: readonly ReportRow[];
};

/** The period, cut in a timezone, the reporting currency, and the source of each entity's rows. */
export type PageQuery = Pick<Manifest, 'period' | 'from' | 'to' | 'timezone' | 'currency'> & {
  readonly entity: string;
  readonly lastRun?: string;
  readonly parts: readonly EntityPart[];
};

/** The most breaks of one status on a page; the others are in breaks.csv. */
const BREAKS_MAX = 60;

/** Reads all facts of the page. */
export const pageFacts = async (snapshot: Snapshot, query: PageQuery, reuse: Reuse): Promise<PageFacts> => {
  const { from, to, timezone, entity, lastRun: last_run = '', parts } = query;
  const sealed = await sealedReports(snapshot, query);
  const read = withSealedNames(rowsIn(snapshot, reuse), sealed);
  const reports = [...sealed.values()];
  const ofOpen = rowsOfEntities(read, openOf(parts));
  const calendarStep = stepOf(query);
  const [
    [money, figures],
    closing,
    breaks,
    ties,
    entities,
    coverage,
    rejects,
    seals,
    calendar,
    closeStates,
    cautions,
  ] = await together([
    moneyFacts(read, query),
    allOf(ofOpen('closing', { to })),
    breakFacts(ofOpen('breaks', { from, to })),
    allOf(ofOpen('ties', { last_run })),
    allOf(read('entities', { entity })),
    allOf(ofOpen('coverage', { from, to, last_run })),
    allOf(ofOpen('rejects', {})),
    sealsOf(read, query),
    allOf(read('days', { from, to, timezone, step: calendarStep })),
    allOf(read('close_state', { from, to, timezone, entity })),
    allOf(read('cautions', cautionValues({ from, to, timezone, entity }))),
  ]);
  return {
    entities,
    breaks,
    ties: [...closing, ...ties, ...reports.flatMap((report) => report.ties)],
    coverage: [...coverage, ...reports.flatMap((report) => report.coverage)],
    rejects,
    seals,
    cautions,
    calendar,
    calendarStep,
    money,
    figures: addFigures([figures, ...reports]),
    closeStates,
  };
};

/** Reads what needs only the books and their values, so that `reuse` has it before the balances are compared. */
export const readMoney = async (snapshot: Snapshot, query: PageQuery, reuse: Reuse): Promise<void> => {
  await moneyFacts(rowsIn(snapshot, reuse), query);
};

const moneyFacts = (
  read: ReadRows,
  { from, to, timezone, entity, currency, parts }: PageQuery,
): Promise<[MoneyFacts, Figures]> => {
  const unit = stepOf({ from, to }) === '1 day' ? 'day' : 'month';
  return together([
    moneyOf(read, { from, to, timezone, entity, unit }, currency),
    readFigures(rowsOfEntities(read, openOf(parts)), { from, to, timezone, entity }),
  ]);
};

const stepOf = ({ from, to }: Pick<PageQuery, 'from' | 'to'>): PageFacts['calendarStep'] => {
  const days = (msOf(to) - msOf(from)) / DAY_MS;
  return days <= 62 ? '1 day' : days <= 400 ? '7 days' : '1 month';
};

/** What the seals of closed entities have. */
const sealedReports = async (snapshot: Snapshot, { parts, period }: PageQuery) => {
  const sealed = parts.filter((part) => part.from === 'seal');
  const reports = await together(
    sealed.map(async (part) => [part.entity, await sealedReport(snapshot, part, period)] as const),
  );
  return new Map(reports);
};

/** The entities whose month is open; '' stands for all. */
const openOf = (parts: readonly EntityPart[]): string[] =>
  parts.flatMap((part) => (part.from === 'books' ? [part.entity] : []));

/** Reads only these entities; if there are none, no rows. */
const rowsOfEntities = (read: ReadRows, chosen: readonly string[]): ReadRows =>
  async function* (file, values) {
    if (chosen.length > 0)
      yield* read(file, { ...values, entity: chosen.includes('') ? '' : chosen.join(',') });
  };

const sealsOf = async (read: ReadRows, { period, parts }: PageQuery): Promise<ReportRow[]> => {
  const sealed = parts.flatMap((part) => (part.from === 'seal' ? [part.entity] : []));
  if (sealed.length === 0) return [];
  return (await allOf(read('seals', { period }))).filter(({ entity_id }) => sealed.includes(entity_id ?? ''));
};

const breakFacts = async (rows: AsyncGenerator<ReportRow>): Promise<BreakFacts> => {
  const groups = { open: groupOf(), waived: groupOf(), resolved: groupOf() };
  const ages = new Map<string | null, number>();
  let unseen = 0;
  for await (const row of rows) {
    const standing = row.standing as keyof typeof groups;
    const group = groups[standing];
    group.total += 1;
    group.value = row.standing_value ?? null;
    if (group.shown.length < BREAKS_MAX) group.shown.push(row);
    const age = row.age_days ?? null;
    if (standing === 'open') ages.set(age, (ages.get(age) ?? 0) + 1);
    if (standing === 'resolved' && row.is_seen_to_tie === null) unseen += 1;
  }
  return { ...groups, ages, unseen };
};

const groupOf = (): { shown: ReportRow[]; total: number; value: string | null } => ({
  shown: [],
  total: 0,
  value: null,
});
