// Opening balances from before our history, from a file with units and costs.
import { type CsvRow, readCsvFile } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { sign } from '../base/money.ts';
import { order } from '../base/time.ts';
import { isAccount, OPENING, WORKING_CAPITAL } from '../ledger/accounts.ts';
import type { Leg } from '../ledger/entry.ts';
import { accountOf, amountOf, checkOwnCost, currencyOf, positive } from './legs.ts';
import type { Lot } from './proposal.ts';

export const OPENING_COLUMNS = [
  'account',
  'currency',
  'units',
  'cost',
  'cost_currency',
  'acquired_on',
  'date',
] as const;
type OpeningRow = CsvRow<(typeof OPENING_COLUMNS)[number]>;

/** The balances at one instant. */
export type Opening = {
  readonly effectiveAt: string;
  readonly legs: readonly Leg[];
  readonly lots: readonly Lot[];
};

/** How to read a file: the currency that needs no cost, and how to read a day or an instant in the books' timezone. */
type OpeningFile = {
  readonly reporting: string;
  readonly momentOf: (text: string) => string | null;
};

const LINES_MAX = 10_000;

/** Reads a whole file, one lot per line, all of one date. Throws a UsageError with the faulty line. */
export const readOpening = (path: string, reading: OpeningFile): Opening => {
  const rows = readCsvFile(path, OPENING_COLUMNS, { amounts: ['units', 'cost'] });
  const refuseAt =
    ({ line }: OpeningRow) =>
    (why: string): never => {
      throw new UsageError(`${path}: line ${line}: ${why}`);
    };
  const [first] = rows;
  if (!first || rows.length > LINES_MAX)
    throw new UsageError(`${path}: has more than ${LINES_MAX} lines: split it into several files`);
  const effectiveAt = momentIn(first, reading, refuseAt(first));
  const seen = new Map<string, number>();
  const lots = rows.map((row) => {
    const refuse = refuseAt(row);
    if (momentIn(row, reading, refuse) !== effectiveAt)
      refuse(
        `its date is ${row.cells.date}, that of line ${first.line} is ${first.cells.date}: write a file per date`,
      );
    const text = JSON.stringify(row.cells);
    const twin = seen.get(text);
    if (twin !== undefined) refuse(`it repeats line ${twin}: remove one, or write their sum in one line`);
    seen.set(text, row.line);
    return lotOf(row, { ...reading, effectiveAt }, refuse);
  });
  return { effectiveAt, legs: lots.map(legOf), lots };
};

type Refuse = (why: string) => never;

const momentIn = ({ cells }: OpeningRow, { momentOf }: OpeningFile, refuse: Refuse): string =>
  momentOf(cells.date) ??
  refuse(
    `the date "${cells.date.slice(0, 40)}" is neither a day nor an instant: write 2026-10-01 or 2026-10-01T00:00:00Z`,
  );

type OpeningContext = OpeningFile & { readonly effectiveAt: string };

const lotOf = ({ cells }: OpeningRow, opening: OpeningContext, refuse: Refuse): Lot => {
  const { account } = cells;
  if (!isAccount(account)) refuse(accountOf(account));
  if (!account.startsWith('assets:') && account !== WORKING_CAPITAL)
    refuse(`${account} cannot have an opening balance: use assets:… or ${WORKING_CAPITAL}`);
  const currency = currencyOf(cells.currency, refuse);
  const units = positive(cells.units, refuse, 'write the number of units');
  const isNeeded = currency !== opening.reporting && account !== WORKING_CAPITAL;
  const paid = costOf(cells, { ...opening, isNeeded }, refuse);
  const { cost, cost_currency } = paid;
  if (cost !== null && cost_currency !== null) checkOwnCost({ units, currency, cost, cost_currency }, refuse);
  return { account, currency, units, ...paid };
};

/**
 * The total cost. Required for every asset except money in the reporting currency; its three columns are all filled or
 * all empty.
 */
const costOf = (
  cells: OpeningRow['cells'],
  { momentOf, effectiveAt, isNeeded }: OpeningContext & { readonly isNeeded: boolean },
  refuse: Refuse,
): Pick<Lot, 'cost' | 'cost_currency' | 'acquired_on'> => {
  const { cost, cost_currency, acquired_on } = cells;
  const filled = [cost, cost_currency, acquired_on].filter((cell) => cell !== '').length;
  if (filled === 0 && !isNeeded) return { cost: null, cost_currency: null, acquired_on: null };
  if (filled < 3)
    return refuse(
      'cost, cost_currency and acquired_on belong together: write the total cost, its currency and the day of acquisition',
    );
  const amount = amountOf(cost, refuse);
  if (sign(amount) < 0) refuse(`the cost ${amount} is negative: write what was paid`);
  const day = /^\d{4}-\d{2}-\d{2}$/.test(acquired_on) ? momentOf(acquired_on) : null;
  if (day === null)
    return refuse(`acquired_on "${acquired_on.slice(0, 40)}" is not a date: write 2026-10-01`);
  if (order(day, effectiveAt) > 0)
    refuse(`acquired_on ${acquired_on} is after the date of the opening, ${cells.date}`);
  return { cost: amount, cost_currency: currencyOf(cost_currency, refuse), acquired_on };
};

/** A liability has the opposite direction. */
const legOf = ({ account, currency, units: amount }: Lot): Leg =>
  account === WORKING_CAPITAL
    ? { debit: OPENING, credit: account, currency, amount }
    : { debit: account, credit: OPENING, currency, amount };
