// Overlap: what a file has that is imported already. It may be whole statements, or the first lines of a statement that no number tells
// from the last one: its opening balance may still be the last closing balance, if these lines sum to zero.
import { sql, type Transaction } from 'kysely';
import { compare, subtract, sum } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import { isAlike, type KnownStatement } from './sequence.ts';
import type { ExternalStatement, RefuseFile } from './statement.ts';
import type { OwnAccount, StoredStatement } from './store.ts';

/** The statements of a file that are not stored yet. What only looks like a stored one, with other amounts, is not it. */
export const newStatements = async (
  tx: Transaction<DB>,
  own: OwnAccount,
  {
    statements,
    stored,
  }: {
    readonly statements: readonly ExternalStatement[];
    readonly stored: readonly StoredStatement[];
  },
): Promise<ExternalStatement[]> => {
  const alike = stored.filter((known) => statements.some((statement) => isAlike(statement, known)));
  const amounts = await storedAmounts(
    tx,
    own,
    alike.map(({ number }) => number),
  );
  const isStored = (statement: ExternalStatement): boolean =>
    alike.some(
      (known) =>
        isAlike(statement, known) && (amounts.get(known.number) ?? '') === amountsOf(statement.lines),
    );
  return statements.filter((statement) => !isStored(statement));
};

/** All amounts in order of size: formats list the lines of a day in different orders. */
const amountsOf = (lines: ExternalStatement['lines']): string =>
  lines
    .map(({ amount }) => amount)
    .sort(compare)
    .join(' ');

const storedAmounts = async (
  tx: Transaction<DB>,
  { entity, account }: OwnAccount,
  numbers: readonly number[],
): Promise<ReadonlyMap<number, string>> => {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{ number: number; amounts: string }>`
    select statement_number as number, string_agg(trim_scale(amount)::text, ' ' order by amount) as amounts
    from land.external_lines
    where entity_id = ${entity} and account_name = ${account} and statement_number = any(${numbers})
    group by statement_number`.execute(tx);
  return new Map(rows.map(({ number, amounts }) => [number, amounts]));
};

type Follower = {
  readonly entity: string;
  readonly account: string;
  readonly statement: ExternalStatement;
  readonly before: KnownStatement;
};

/** Refuses a statement whose first lines are the last ones that are imported, by day, amount and balance. */
export const refuseOverlap = async (
  tx: Transaction<DB>,
  { entity, account, statement, before }: Follower,
  refuse: RefuseFile,
): Promise<void> => {
  const { bankNumber, opening, lines } = statement;
  if (bankNumber !== null && before.bankNumber !== null) return;
  if (opening === null || before.closing === null) return;
  const { rows } = await sql<DayAmount>`
    select l.booked_on::text as "bookedOn", trim_scale(l.amount)::text as amount
    from land.external_lines l
    left join land.external_withdrawals w using (entity_id, account_name, statement_number)
    where l.entity_id = ${entity} and l.account_name = ${account} and w.at is null
    order by l.line_number desc limit ${lines.length}`.execute(tx);
  const repeated = overlapOf(keysFrom(opening, lines), keysUpTo(before.closing, rows).reverse());
  if (repeated > 0)
    refuse(
      lines[0]?.fileLine ?? null,
      `the first lines of the file, ${repeated} of them, are the last ones that are imported, up to ${before.endsOn}: they would count twice; export what comes after them`,
    );
};

type DayAmount = { readonly bookedOn: string; readonly amount: string };

/** A line by its day, its amount and the balance after it. */
const keyOf = ({ bookedOn, amount }: DayAmount, balance: string): string =>
  `${bookedOn} ${amount} ${balance}`;

const keysFrom = (opening: string, lines: readonly DayAmount[]): string[] => {
  let balance = opening;
  return lines.map((line) => {
    balance = sum([balance, line.amount]);
    return keyOf(line, balance);
  });
};

/** The keys of lines that are the last first. */
const keysUpTo = (closing: string, lines: readonly DayAmount[]): string[] => {
  let balance = sum([closing]);
  return lines.map((line) => {
    const key = keyOf(line, balance);
    balance = subtract(balance, line.amount);
    return key;
  });
};

/** How many of the first keys of `next` are the last ones of `known`; linear in both (Knuth, Morris and Pratt). */
const overlapOf = (next: readonly string[], known: readonly string[]): number => {
  const shorter: number[] = [0];
  const longer = (length: number, key: string | undefined): number => {
    let matched = length;
    while (matched > 0 && next[matched] !== key) matched = shorter[matched - 1] ?? 0;
    return next[matched] === key ? matched + 1 : 0;
  };
  for (let place = 1; place < next.length; place += 1)
    shorter.push(longer(shorter[place - 1] ?? 0, next[place]));
  return known.reduce((length, key) => longer(length, key), 0);
};
