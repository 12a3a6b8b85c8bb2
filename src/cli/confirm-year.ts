// confirm --year: which year, and how the comparison with the platform's figures of it is shown.
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { compare, readAmount, sign, subtract } from '../base/money.ts';
import { order } from '../base/time.ts';
import { parsePeriod } from '../export/export.ts';
import { type ConfirmedYear, type YearlyDifference, yearlyName } from '../reconcile/confirm.ts';
import { print, table } from './print.ts';
import type { Cell } from './table-layout.ts';

/** The bounds of a calendar year that is over, and the tolerance in money. Throws a UsageError for anything else. */
export const yearIn = (
  { year = '', tolerance = '0' }: { readonly year?: string; readonly tolerance?: string },
  { timezone, now }: { readonly timezone: string; readonly now: string },
) => {
  if (!/^\d{4}$/.test(year))
    throw new UsageError(`--year ${year.slice(0, 60)}: write a calendar year, such as 2026`);
  const { from, to } = parsePeriod(year, timezone);
  if (order(to, now) > 0)
    throw new UsageError(
      `--year ${year}: is not over before ${to}: the platform reports a year when it is over`,
    );
  return { year, from, to, tolerance: toleranceIn(tolerance) };
};

const toleranceIn = (text: string): string => {
  const read = /^\d+(\.\d{1,2})?$/.test(text) ? readAmount(text) : { wrong: '' };
  if ('amount' in read) return read.amount;
  throw new UsageError(
    `--tolerance ${text.slice(0, 60)}: write money with two decimals at most, such as 0.05`,
  );
};

type Line = ConfirmedYear['lines'][number];

export const yearAsJson = (made: ConfirmedYear) => ({
  confirmation_id: made.confirmationId,
  entity_id: made.entity,
  year: made.year,
  as_of: made.asOf,
  value_currency: made.currency,
  tolerance: made.tolerance,
  file_sha256: made.sha256,
  evidence_sha256: made.evidenceSha256,
  covered_to: made.coveredTo,
  differing: made.differing,
  entries_posted_later: made.postedLater,
  lines: made.lines.map((line) => ({ ...line, likely: likelyOf(line, made.lines) })),
});

/** The table of all rows, and what to know about them. */
export const printYear = (made: ConfirmedYear): void => {
  const { currency, lines, differing, year } = made;
  const head = ['line', 'what', 'units', 'booked', currency, 'booked', 'count', 'booked', ''];
  print(
    table(
      head,
      lines.map((line) => cellsOf(line, lines)),
    ),
  );
  const tolerance = sign(made.tolerance) === 0 ? '' : `, with a tolerance of ${made.tolerance} ${currency}`;
  print(
    `\n${lines.length - differing} of ${lines.length} rows agree in ${year}${tolerance}; stored as ${made.confirmationId}`,
  );
  if (made.postedLater > 0)
    print(
      `counted, although posted after ${year}, because their month was closed: ${counted(made.postedLater, 'entry', 'entries')}; dac8_check.csv of the later months has them under the year ${year}`,
    );
};

const cellsOf = (line: Line, lines: readonly Line[]): Cell[] => [
  line.line,
  yearlyName(line),
  line.stated_units,
  line.booked_units,
  line.stated_value,
  line.booked_value,
  line.stated_count,
  line.booked_count,
  verdictOf(line, lines),
];

const verdictOf = (line: Line, lines: readonly Line[]): string => {
  const likely = likelyOf(line, lines);
  return [VERDICTS[line.status](line), ...(likely === null ? [] : [likely])].join(': ');
};

const VERDICTS: Readonly<Record<Line['status'], (line: Line) => string>> = {
  agrees: () => 'agrees',
  differs: (line) => `DIFFERS in ${line.differing.map((figure) => DIFFERENCES[figure](line)).join(', ')}`,
  'not-in-books': () => 'NOT IN THE BOOKS',
  'not-in-file': () => 'NOT IN THE FILE',
};

/** Stated less booked. */
const DIFFERENCES: Readonly<Record<YearlyDifference, (line: Line) => string>> = {
  units: (line) => `units by ${subtract(line.stated_units ?? '0', line.booked_units)}`,
  money: (line) =>
    line.booked_value === null
      ? 'money, of which the books have none'
      : `money by ${subtract(line.stated_value ?? '0', line.booked_value)}`,
  count: (line) => `count by ${subtract(line.stated_count ?? '0', line.booked_count)}`,
};

/** What usually makes such a difference; null where the figures show none. */
const likelyOf = (line: Line, lines: readonly Line[]): string | null => {
  if (line.status === 'agrees') return null;
  if (line.status !== 'differs') return classedOtherwise(line, lines);
  if (line.differing.includes('money') && compare(line.valued, line.booked_count) < 0)
    return `only ${line.valued} of ${line.booked_count} have a value in the books; value_findings.csv says why`;
  return LIKELY[line.differing.join(' ')] ?? null;
};

const MISSING = 'one side lacks transactions, or has some in another row';
const LIKELY: Readonly<Record<string, string>> = {
  money: 'the same transactions at another rate',
  count: 'counted otherwise, as orders or as their fills',
  units: 'another amount for the same transactions',
  'units money': 'another amount for the same transactions, such as before or after a fee',
  'units count': MISSING,
  'units money count': MISSING,
  'money count': 'counted otherwise, and at another rate',
};

/** A row that one side lacks, while the other lacks one with the same units: the same transactions under two names. */
const classedOtherwise = (line: Line, lines: readonly Line[]): string | null => {
  const wanted = line.status === 'not-in-books' ? 'not-in-file' : 'not-in-books';
  const twin = lines.find(
    (other) =>
      other.status === wanted && other.asset === line.asset && compare(unitsOf(other), unitsOf(line)) === 0,
  );
  if (twin) return `the same units are ${yearlyName(twin)} on the other side`;
  return null;
};

const unitsOf = ({ stated_units, booked_units }: Line): string => stated_units ?? booked_units;
