// Confirm: compares what the platform states of the books with the books themselves, and stores the comparison with the digest of
// the file: a signed statement of balances here, to 18 decimals, and the platform's figures of a year in confirm-year.
import { type Selectable, sql } from 'kysely';
import { sign, subtract } from '../base/money.ts';
import type { Books } from '../database/connection.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { EARN, TRADING, TRADING_BOTS } from '../ledger/accounts.ts';
import { type ConfirmAsk, type StoredConfirmation, storeConfirmation } from './confirmation-store.ts';
import { readStatement, type StatedLine } from './statement.ts';

export { type ConfirmedYear, confirmYear, type YearlyDifference } from './confirm-year.ts';
export type { ConfirmAsk } from './confirmation-store.ts';
export type { StatementEvidence } from './stated.ts';
export { yearlyName } from './yearly-statement.ts';

type LineStatus = 'agrees' | 'differs' | 'not-in-books' | 'not-in-statement';

/** One account; `line` and `stated` are null if it is not in the statement. difference = stated − booked. */
export type ConfirmedLine = Omit<
  Selectable<DB['reconcile.confirmation_lines']>,
  'entity_id' | 'confirmation_id' | 'position' | 'status'
> & { readonly status: LineStatus };

export type Confirmation = StoredConfirmation & {
  readonly entity: string;
  readonly asOf: string;
  readonly lines: readonly ConfirmedLine[];
};

/**
 * Compares and stores the result. The caller holds the writer lock, so the books do not change meanwhile. Throws a UsageError
 * if the statement cannot be read.
 */
export const confirm = async (db: Books, ask: ConfirmAsk): Promise<Confirmation> => {
  const stated = readStatement(ask.statement.name, ask.statement.bytes);
  return db.transaction().execute(async (tx) => {
    const lines = compared(stated, await bookedAt(tx, ask));
    const differing = lines.filter(({ status }) => status !== 'agrees').length;
    const stored = await storeConfirmation(tx, ask, { lines: lines.length, differing, yearly: null });
    await insertRows(
      tx,
      'reconcile.confirmation_lines',
      lines.map((line) => ({ entity_id: ask.entity, confirmation_id: stored.confirmationId, ...line })),
    );
    return { ...stored, entity: ask.entity, asOf: ask.asOf, lines };
  });
};

type StatedBalance = { account: string; currency: string; balance: string };

/** The balances that the platform holds for an entity; trading and bots are one account, as in tie-outs, and zeros are included. */
const bookedAt = async (tx: Books, { entity, asOf }: ConfirmAsk): Promise<StatedBalance[]> => {
  const { rows } = await sql<StatedBalance>`
    with holding as (
      select case account when ${TRADING_BOTS} then ${TRADING} else account end as account, currency, balance
      from books.balances_at(${asOf}::timestamptz)
      where entity_id = ${entity}
        and (account in (${TRADING}, ${TRADING_BOTS}, ${EARN}) or account like 'assets:pocket:%')
      union all
      select 'assets:pocket:' || lower(pocket_id), currency, 0 from land.pockets where entity_id = ${entity}
    )
    select account, currency, trim_scale(sum(balance)) as balance from holding
    group by account, currency
    order by account collate "C", currency collate "C"`.execute(tx);
  return rows;
};

const compared = (stated: readonly StatedLine[], booked: readonly StatedBalance[]): ConfirmedLine[] => {
  const place = (it: { account: string; currency: string }) => `${it.account} ${it.currency}`;
  const known = new Map(booked.map((row) => [place(row), row.balance]));
  const statedPlaces = new Set(stated.map(place));
  const unstated = booked.filter((row) => sign(row.balance) !== 0 && !statedPlaces.has(place(row)));
  return [
    ...stated.map((line) => confirmedLine(line, known.get(place(line)) ?? null)),
    ...unstated.map(({ account, currency, balance }) => ({
      line: null,
      account,
      currency,
      stated: null,
      booked: balance,
      difference: subtract('0', balance),
      status: 'not-in-statement' as const,
    })),
  ];
};

/** A statement of zero for an account that the books do not have is no difference. */
const confirmedLine = (stated: StatedLine, booked: string | null): ConfirmedLine => {
  const difference = subtract(stated.stated, booked ?? '0');
  const unequal = booked === null ? 'not-in-books' : 'differs';
  return {
    ...stated,
    booked: booked ?? '0',
    difference,
    status: sign(difference) === 0 ? 'agrees' : unequal,
  };
};
