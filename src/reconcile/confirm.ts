// Confirm: compares a statement of balances signed by the platform with the books at the same instant, to 18 decimals. The
// comparison and its result are stored with the digest of the signed file.
import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { sha256 } from '../base/json.ts';
import { sign, subtract } from '../base/money.ts';
import type { Books } from '../database/connection.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { EARN, TRADING, TRADING_BOTS } from '../ledger/accounts.ts';
import { readStatement, type StatedLine } from './statement.ts';

/** A file: its name without folders, and its bytes. */
export type StatementEvidence = { readonly name: string; readonly bytes: Uint8Array };

export type Confirm = {
  readonly entity: string;
  readonly asOf: string;
  readonly statement: StatementEvidence;
  readonly evidence: StatementEvidence | null;
  readonly by: string;
  readonly at: string;
};

type LineStatus = 'agrees' | 'differs' | 'not-in-books' | 'not-in-statement';

/** One account; `line` and `stated` are null if it is not in the statement. difference = stated − booked. */
export type ConfirmedLine = Omit<
  Selectable<DB['reconcile.confirmation_lines']>,
  'entity_id' | 'confirmation_id' | 'position' | 'status'
> & { readonly status: LineStatus };

export type Confirmation = {
  readonly confirmationId: string;
  readonly entity: string;
  readonly asOf: string;
  readonly sha256: string;
  readonly evidenceSha256: string | null;
  /** The end of proved coverage, at most `asOf`; null if nothing is proved. */
  readonly coveredTo: string | null;
  readonly lines: readonly ConfirmedLine[];
  readonly differing: number;
};

/**
 * Compares and stores the result. The caller holds the writer lock, so the books do not change meanwhile. Throws a UsageError
 * if the statement cannot be read.
 */
export const confirm = async (db: Books, ask: Confirm): Promise<Confirmation> => {
  const stated = readStatement(ask.statement.name, ask.statement.bytes);
  return db.transaction().execute(async (tx) => {
    const lines = compared(stated, await bookedAt(tx, ask));
    const confirmation: Confirmation = {
      confirmationId: randomBytes(6).toString('hex'),
      entity: ask.entity,
      asOf: ask.asOf,
      sha256: sha256(ask.statement.bytes),
      evidenceSha256: ask.evidence && sha256(ask.evidence.bytes),
      coveredTo: await coveredTo(tx, ask),
      lines,
      differing: lines.filter(({ status }) => status !== 'agrees').length,
    };
    await store(tx, ask, confirmation);
    return confirmation;
  });
};

type StatedBalance = { account: string; currency: string; balance: string };

/** The balances that the platform holds for an entity; trading and bots are one account, as in tie-outs, and zeros are included. */
const bookedAt = async (tx: Books, { entity, asOf }: Confirm): Promise<StatedBalance[]> => {
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

const coveredTo = async (tx: Books, { entity, asOf }: Confirm): Promise<string | null> => {
  const query = loadSql('export/as_of.sql', { to: asOf, entity });
  const [row] = await readRows<{ as_of: string | null }>(tx, query);
  return row?.as_of ?? null;
};

const store = async (tx: Books, ask: Confirm, made: Confirmation): Promise<void> => {
  await tx
    .insertInto('reconcile.confirmations')
    .values({
      entity_id: ask.entity,
      confirmation_id: made.confirmationId,
      as_of: ask.asOf,
      file_name: ask.statement.name,
      file_sha256: made.sha256,
      by_name: ask.by,
      at: ask.at,
      evidence_name: ask.evidence?.name ?? null,
      evidence_sha256: made.evidenceSha256,
      covered_to: made.coveredTo,
      lines: made.lines.length,
      agreed: made.lines.length - made.differing,
      differing: made.differing,
    })
    .execute();
  await insertRows(
    tx,
    'reconcile.confirmation_lines',
    made.lines.map((line) => ({ entity_id: ask.entity, confirmation_id: made.confirmationId, ...line })),
  );
};
