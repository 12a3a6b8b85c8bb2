// A bank account as a CSV in our own form, for banks without another format: each line with the balance after it, so that a
// missing line shows. The newest line may be first.
import { compactNumber } from '../../base/bank-account.ts';
import { compare, subtract, sum } from '../../base/money.ts';
import {
  BANK_LINE,
  dayOf,
  type ExternalLine,
  type ExternalStatement,
  type RefuseFile,
  shown,
} from '../statement.ts';
import { type ColumnRow, rowsIn, signedAmount, tableOf } from './columns.ts';

const REQUIRED = ['date', 'amount', 'currency', 'balance'] as const;
const OPTIONAL = ['value_date', 'reference', 'counterparty', 'counterparty_account', 'text'] as const;
type BankColumn = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number];

const COLUMNS = {
  required: REQUIRED,
  optional: OPTIONAL,
  how: `the first line names ${REQUIRED.join(', ')}, and may name ${OPTIONAL.join(', ')}`,
};

/** A line with the balance after it; null where the file has no balances. */
export type StatedLine = {
  readonly line: ExternalLine;
  readonly balance: string | null;
  readonly currency: string;
};

/** The balances of a file whose lines have none, as a person states them. */
type Balances = { readonly opening: string; readonly closing: string };

export const readBankCsv = (
  file: { name: string; bytes: Uint8Array },
  refuse: RefuseFile,
): ExternalStatement[] => {
  const rows = rowsIn<BankColumn>(tableOf(file.name, file.bytes, refuse), COLUMNS, refuse);
  const stated = rows.map((row) => statedLine(row, refuse));
  const statement = statementOf(stated, null, refuse);
  return statement ? [statement] : [];
};

/** The lines as one statement, oldest first; null without lines. */
export const statementOf = (
  stated: readonly StatedLine[],
  balances: Balances | null,
  refuse: RefuseFile,
): ExternalStatement | null => {
  const lines = balances === null ? inOrder(stated, refuse) : inDayOrder(stated, refuse);
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined) return null;
  const other = lines.find(({ currency }) => currency !== first.currency);
  if (other)
    refuse(
      other.line.fileLine,
      `is in ${other.currency}, and the lines before in ${first.currency}: split the file`,
    );
  return {
    fileLine: first.line.fileLine,
    bankNumber: null,
    accountNumber: null,
    currency: first.currency,
    startsOn: first.line.bookedOn,
    endsOn: last.line.bookedOn,
    opening: balances?.opening ?? subtract(first.balance ?? '0', first.line.amount),
    closing: balances?.closing ?? last.balance,
    lines: lines.map(({ line }) => line),
  };
};

/** Oldest first: as the file has them, or turned round. Each balance is the one before plus the amount. */
const inOrder = (stated: readonly StatedLine[], refuse: RefuseFile): readonly StatedLine[] => {
  const gap = gapIn(stated);
  if (gap === null) return stated;
  const turned = [...stated].reverse();
  if (gapIn(turned) === null) return turned;
  return refuse(
    gap.line.fileLine,
    `the balance ${gap.balance} is not the balance before plus ${gap.line.amount}: a line is missing or out of order`,
  );
};

const gapIn = (stated: readonly StatedLine[]): StatedLine | null =>
  stated.find(({ line, balance }, index) => {
    const before = stated[index - 1];
    if (before === undefined) return false;
    return (
      compare(sum([before.balance ?? '0', line.amount]), balance ?? '0') !== 0 ||
      line.bookedOn < before.line.bookedOn
    );
  }) ?? null;

/** Without balances the days alone show the order. */
const inDayOrder = (stated: readonly StatedLine[], refuse: RefuseFile): readonly StatedLine[] => {
  const early = earlierIn(stated);
  if (early === null) return stated;
  const turned = [...stated].reverse();
  if (earlierIn(turned) === null) return turned;
  return refuse(
    early.line.fileLine,
    'is earlier than the line before, and others are later: download it again',
  );
};

const earlierIn = (stated: readonly StatedLine[]): StatedLine | null =>
  stated.find(({ line }, index) => line.bookedOn < (stated[index - 1]?.line.bookedOn ?? '')) ?? null;

const statedLine = ({ line, cell }: ColumnRow<BankColumn>, refuse: RefuseFile): StatedLine => {
  const day = (column: BankColumn) =>
    dayOf(cell(column)) ??
    refuse(line, `the ${column} ${shown(cell(column))} is no day: write it as 2026-10-31`);
  const bookedOn = day('date');
  if (!/^[A-Z0-9]{1,20}$/.test(cell('currency')))
    refuse(line, `the currency ${shown(cell('currency'))} is no code: write capitals, such as EUR`);
  return {
    currency: cell('currency'),
    balance: signedAmount(cell('balance'), { line, column: 'balance' }, refuse),
    line: {
      ...BANK_LINE,
      fileLine: line,
      bookedOn,
      valueOn: cell('value_date') === '' ? bookedOn : day('value_date'),
      amount: signedAmount(cell('amount'), { line, column: 'amount' }, refuse),
      references: [cell('reference')].filter((reference) => reference !== ''),
      note: cell('text'),
      counterparty: cell('counterparty'),
      counterpartyAccount: compactNumber(cell('counterparty_account')),
      facts: {},
    },
  };
};
