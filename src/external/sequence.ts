// The sequence of statements: each adds up from its opening to its closing balance, and follows the one before without a gap.
import { compare, exactSum, sum } from '../base/money.ts';
import type { ExternalStatement, RefuseFile } from './statement.ts';

/** What is known of a statement that was imported before. */
export type KnownStatement = Pick<
  ExternalStatement,
  'bankNumber' | 'startsOn' | 'endsOn' | 'opening' | 'closing'
> & {
  readonly lines: number;
};

const labelOf = ({ bankNumber, startsOn, endsOn }: KnownStatement | ExternalStatement): string =>
  bankNumber === null
    ? `the statement from ${startsOn} to ${endsOn}`
    : `statement ${bankNumber} (to ${endsOn})`;

/** Refuses a statement whose lines do not lead from its opening to its closing balance. */
export const checkSum = (statement: ExternalStatement, refuse: RefuseFile): void => {
  const { opening, closing, lines, fileLine } = statement;
  if (opening === null || closing === null) return;
  const moved = exactSum(lines.map(({ amount }) => amount));
  const reached = sum([opening, moved]);
  if (compare(reached, closing) !== 0)
    refuse(
      fileLine,
      `${labelOf(statement)} opens with ${opening}, its lines sum to ${moved}, which makes ${reached}, and it closes with ${closing}: lines are missing or were changed; download it again`,
    );
};

/**
 * As one that was imported before, in this file or in another: it is the same if its lines have the same amounts. MT940 does not say
 * when a statement starts: there it is the day of the first line.
 */
export const isAlike = (statement: ExternalStatement, known: KnownStatement): boolean =>
  mayBeNumbered(statement.bankNumber, known.bankNumber) &&
  (statement.startsOn === known.startsOn || isSameNumber(statement.bankNumber, known.bankNumber)) &&
  statement.endsOn === known.endsOn &&
  statement.lines.length === known.lines &&
  isEqual(statement.opening, known.opening) &&
  isEqual(statement.closing, known.closing);

/** Formats write numbers in their own way: `10` or page 1 of it, and a CSV has none. */
const mayBeNumbered = (number: string | null, known: string | null): boolean =>
  number === null || known === null || number === known || isSameNumber(number, known);

const isSameNumber = (number: string | null, known: string | null): boolean => {
  const [now, then] = [partsOf(number), partsOf(known)];
  return now !== null && then !== null && now.number === then.number && now.page === then.page;
};

const isEqual = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : compare(a, b) === 0;

/** Refuses a statement that does not follow the one before it by number, by day and by balance. */
export const checkFollows = (
  statement: ExternalStatement,
  before: KnownStatement,
  refuse: RefuseFile,
): void => {
  const { fileLine } = statement;
  if (isSameNumber(statement.bankNumber, before.bankNumber))
    refuse(
      fileLine,
      `${labelOf(statement)} has the number of one that is imported, but not its last day, balances and amounts: if the bank corrected it, withdraw that file first (npx tieout bank list)`,
    );
  if (!mayFollow(statement.bankNumber, before.bankNumber))
    refuse(
      fileLine,
      `${labelOf(statement)} does not follow ${labelOf(before)}: import the statements between them first, oldest first`,
    );
  if (statement.endsOn < before.endsOn)
    refuse(
      fileLine,
      `${labelOf(statement)} ends before ${labelOf(before)}, which is imported: import oldest first`,
    );
  if (!isEqual(statement.opening, before.closing))
    refuse(
      fileLine,
      `${labelOf(statement)} opens with ${statement.opening}, and ${labelOf(before)} closed with ${before.closing}: ${remedyOf(statement, before)}`,
    );
};

/** What to do about a balance that does not follow: nothing lies between statements that share a day, or something of that day. */
const remedyOf = ({ startsOn }: ExternalStatement, { endsOn }: KnownStatement): string =>
  startsOn > endsOn
    ? 'import what lies between them first, oldest first'
    : 'they share days, so export exactly what comes after the last line that is imported, or withdraw that file if this one corrects it (npx tieout bank list)';

/** The next number, the next page, or a first number again, as banks begin each year. Numbers of other forms say nothing. */
const mayFollow = (number: string | null, before: string | null): boolean => {
  const [now, then] = [partsOf(number), partsOf(before)];
  if (now === null || then === null) return true;
  if (now.number === then.number) return now.page === then.page + 1n;
  return now.page <= 1n && (now.number === then.number + 1n || now.number <= 1n);
};

const partsOf = (text: string | null): { number: bigint; page: bigint } | null => {
  const [, number, page = '1'] = /^(\d{1,30})(?:\/(\d{1,10}))?$/.exec(text ?? '') ?? [];
  return number === undefined ? null : { number: BigInt(number), page: BigInt(page) };
};

/** Oldest first: banks list the statements of one file in either order. */
export const inSequence = (statements: readonly ExternalStatement[]): ExternalStatement[] =>
  [...statements].sort((a, b) => (a.endsOn < b.endsOn ? -1 : a.endsOn > b.endsOn ? 1 : byNumber(a, b)));

const byNumber = (a: ExternalStatement, b: ExternalStatement): number => {
  const [left, right] = [partsOf(a.bankNumber), partsOf(b.bankNumber)];
  if (left === null || right === null) return 0;
  if (left.number !== right.number) return left.number < right.number ? -1 : 1;
  return left.page < right.page ? -1 : left.page > right.page ? 1 : 0;
};
