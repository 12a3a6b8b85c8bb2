// Overlap: a file without statement numbers that begins with lines that are imported already. Its opening balance may still be the last
// closing balance, if these lines sum to zero.
import { sql, type Transaction } from 'kysely';
import { subtract, sum } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import type { KnownStatement } from './sequence.ts';
import type { ExternalStatement, RefuseFile } from './statement.ts';

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
  if (bankNumber !== null || opening === null || before.closing === null) return;
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
