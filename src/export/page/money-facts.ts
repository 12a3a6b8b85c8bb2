// The money of a period, per currency: the balance at the end of each day, inflows, outflows and fees. Sums are exact: the
// lines of a currency lead from its opening to its closing balance.
import { negate, subtract, sum } from '../../base/money.ts';
import { TAX_WITHHELD } from '../../ledger/accounts.ts';
import { allOf, type ReadRows, type ReportRow } from './rows.ts';

/** One currency. Lists have one figure for each day (or month) of the period, in order. */
export type Money = {
  readonly currency: string;
  readonly opening: string;
  readonly in: readonly string[];
  readonly out: readonly string[];
  /** Received from other currencies, less what was exchanged into them. */
  readonly swapped: string;
  readonly rewards: string;
  readonly fees: ReadonlyMap<string, readonly string[]>;
  /** Withheld at the source: a receivable from the tax office, so not part of the balance. */
  readonly withheld: string;
  /** Opening balances, and entries of people against other accounts. */
  readonly other: string;
  readonly closing: string;
  /** The balance at the end of each day. */
  readonly levels: readonly string[];
  readonly postings: number;
};

/** `days` are the first dates of days, or of months if `unit` is month. The busiest currency comes first. */
export type MoneyFacts = {
  readonly unit: 'day' | 'month';
  readonly days: readonly string[];
  /** The instant at which each of them begins. */
  readonly starts: readonly string[];
  readonly currencies: readonly Money[];
};

type MoneyQuery = {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly entity: string;
  readonly unit: 'day' | 'month';
};

/** Reads and sums. `first` is the currency to put first. */
export const moneyOf = async (read: ReadRows, query: MoneyQuery, first: string): Promise<MoneyFacts> => {
  const { from, to, timezone, unit } = query;
  const steps = await allOf(read('days', { from, to, timezone, step: `1 ${unit}` }));
  const days = steps.map((step) => step.day ?? '');
  const starts = steps.map((step) => step.starts_at ?? '');
  const rows = new Map<string, ReportRow[]>();
  for await (const row of read('moves', query)) {
    const currency = row.currency ?? '';
    rows.set(currency, [...(rows.get(currency) ?? []), row]);
  }
  const all = [...rows].map(([currency, rowsOfCurrency]) => currencyOf(currency, rowsOfCurrency, days));
  const shown = all.filter(({ opening, postings }) => opening !== '0' || postings > 0);
  const rank = ({ currency, postings }: Money) => (currency === first ? Number.MAX_SAFE_INTEGER : postings);
  return { unit, days, starts, currencies: shown.sort((a, b) => rank(b) - rank(a)) };
};

const currencyOf = (currency: string, rows: readonly ReportRow[], days: readonly string[]): Money => {
  const now = rows.filter(({ day }) => day !== null);
  const linesWhere = (isWanted: (line: string) => boolean): readonly ReportRow[] =>
    now.filter(({ line }) => isWanted(line ?? ''));
  const holdings = linesWhere((line) => line === 'held');
  const opening = totalDebit(rows.filter(({ day, line }) => day === null && line === 'held'));
  const outside = linesWhere((line) => line.startsWith('equity:external:'));
  const costs = linesWhere((line) => line.startsWith('expenses:'));
  const rewards = linesWhere((line) => line.startsWith('income:'));
  const withheld = linesWhere((line) => line === TAX_WITHHELD);
  const swapped = linesWhere((line) => line === 'equity:conversion');
  const known = new Set([...holdings, ...outside, ...costs, ...rewards, ...withheld, ...swapped]);
  const levels = levelsOf(opening, perDay(holdings, days, netDebit));
  return {
    currency,
    opening,
    levels,
    closing: levels.at(-1) ?? opening,
    in: perDay(outside, days, ({ credit }) => credit ?? '0'),
    out: perDay(outside, days, ({ debit }) => debit ?? '0'),
    swapped: negate(totalDebit(swapped)),
    rewards: negate(totalDebit(rewards)),
    withheld: totalDebit(withheld),
    fees: new Map(
      [...new Set(costs.map(({ line }) => line ?? ''))].map((line) => [
        line.replace(/^expenses:(?:fees:)?/, ''),
        perDay(
          costs.filter((cost) => cost.line === line),
          days,
          netDebit,
        ),
      ]),
    ),
    other: negate(totalDebit(now.filter((it) => !known.has(it)))),
    postings: now.reduce((total, { postings }) => total + Number.parseInt(postings ?? '0', 10), 0),
  };
};

const netDebit = ({ debit, credit }: ReportRow): string => subtract(debit ?? '0', credit ?? '0');

const totalDebit = (rows: readonly ReportRow[]): string => sum(rows.map(netDebit));

const perDay = (
  rows: readonly ReportRow[],
  days: readonly string[],
  figure: (row: ReportRow) => string,
): string[] => {
  const sums = new Map<string, string>();
  for (const row of rows) sums.set(row.day ?? '', sum([sums.get(row.day ?? '') ?? '0', figure(row)]));
  return days.map((day) => sums.get(day) ?? '0');
};

const levelsOf = (opening: string, moves: readonly string[]): string[] => {
  let level = opening;
  return moves.map((move) => {
    level = sum([level, move]);
    return level;
  });
};
