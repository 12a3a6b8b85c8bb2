// What the report page tells, read from the same moment as the files beside it. Of a closed month, what a night may
// change (breaks, tie-outs, coverage, rejects) is not asked of the books: its seal has it.
import { msOf } from '../../base/time.ts';
import type { Part } from '../reports/sealed.ts';
import type { Snapshot } from '../reports/snapshot.ts';
import { type MoneyFacts, moneyOf } from './money-facts.ts';
import { allOf, type ReadRows, type Row, rowsIn } from './rows.ts';

/** Rows of one standing, the gravest first: no more than a page can show, how many there are, and their worth together. */
export type BreakGroup = {
  readonly shown: readonly Row[];
  readonly total: number;
  readonly worth: string | null;
};

export type BreakFacts = {
  readonly open: BreakGroup;
  readonly waived: BreakGroup;
  readonly resolved: BreakGroup;
  /** Of the open ones: their age in days (null: to the end of time), and how many there are of it. */
  readonly ages: ReadonlyMap<string | null, number>;
  /** Those that a person called settled, and no comparison has seen to tie since. */
  readonly unseen: number;
};

export type PageFacts = {
  readonly entities: readonly Row[];
  readonly breaks: BreakFacts;
  readonly ties: readonly Row[];
  readonly coverage: readonly Row[];
  readonly rejects: readonly Row[];
  readonly seals: readonly Row[];
  /** The columns of the calendar: days, or weeks or months of a long period. */
  readonly calendar: readonly Row[];
  readonly calendarStep: '1 day' | '7 days' | '1 month';
  readonly money: MoneyFacts;
};

/** The period, cut in a timezone, the reporting currency, and where each entity's part comes from. */
export type PageAsk = {
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly currency: string;
  readonly entity: string;
  readonly parts: readonly Part[];
};

/** Breaks of one standing that a page shows; the others are in breaks.csv. */
const BREAKS_MAX = 60;

const DAY_MS = 86_400_000;

/** Reads all of it. */
export const pageFacts = async (snapshot: Snapshot, ask: PageAsk): Promise<PageFacts> => {
  const { from, to, timezone, entity, parts } = ask;
  const read = rowsIn(snapshot);
  const ofOpen = openRows(read, parts);
  const days = (msOf(to) - msOf(from)) / DAY_MS;
  const calendarStep = days <= 62 ? '1 day' : days <= 400 ? '7 days' : '1 month';
  const unit = days <= 62 ? 'day' : 'month';
  return {
    entities: await allOf(read('entities', { entity })),
    breaks: await breakFacts(ofOpen('breaks', { from, to })),
    ties: await allOf(ofOpen('ties', { to })),
    coverage: await allOf(ofOpen('coverage', { from, to })),
    rejects: await allOf(ofOpen('rejects', {})),
    seals: await sealsOf(read, ask),
    calendar: await allOf(read('days', { from, to, timezone, step: calendarStep })),
    calendarStep,
    money: await moneyOf(read, { from, to, timezone, entity, unit }, ask.currency),
  };
};

/** Asks only of the entities whose month is open; where there is none, nothing. */
const openRows = (read: ReadRows, parts: readonly Part[]): ReadRows =>
  async function* (file, values) {
    const open = parts.flatMap((part) => (part.from === 'books' ? [part.entity] : []));
    if (open.length > 0) yield* read(file, { ...values, entity: open.includes('') ? '' : open.join(',') });
  };

const sealsOf = async (read: ReadRows, { period, parts }: PageAsk): Promise<Row[]> => {
  const sealed = parts.flatMap((part) => (part.from === 'seal' ? [part.entity] : []));
  if (sealed.length === 0) return [];
  return (await allOf(read('seals', { period }))).filter(({ entity_id }) => sealed.includes(entity_id ?? ''));
};

const breakFacts = async (rows: AsyncGenerator<Row>): Promise<BreakFacts> => {
  const groups = { open: groupOf(), waived: groupOf(), resolved: groupOf() };
  const ages = new Map<string | null, number>();
  let unseen = 0;
  for await (const row of rows) {
    const standing = row.standing as keyof typeof groups;
    const group = groups[standing];
    group.total += 1;
    group.worth = row.standing_worth ?? null;
    if (group.shown.length < BREAKS_MAX) group.shown.push(row);
    const age = row.age_days ?? null;
    if (standing === 'open') ages.set(age, (ages.get(age) ?? 0) + 1);
    if (standing === 'resolved' && row.is_seen_to_tie === null) unseen += 1;
  }
  return { ...groups, ages, unseen };
};

const groupOf = (): { shown: Row[]; total: number; worth: string | null } => ({
  shown: [],
  total: 0,
  worth: null,
});
