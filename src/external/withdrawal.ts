// Withdrawal: a person takes back an imported file, because it was the wrong one. Its statements stay and count no more; the newest
// import goes first, because each statement follows the one before it.
import { sql, type Transaction } from 'kysely';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { namedAccount } from './accounts.ts';

export type Withdrawal = {
  readonly entity: string;
  readonly kind: 'bank' | 'chain';
  /** The SHA-256 of the file, or how it begins. */
  readonly file: string;
  /** Null: the only account that the file was imported for. */
  readonly account: string | null;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
};

/** What no longer counts. */
export type Withdrawn = {
  readonly account: string;
  readonly currency: string;
  readonly sha256: string;
  readonly fileName: string;
  readonly statements: number;
  readonly lines: number;
};

type ImportedStatement = {
  readonly account_name: string;
  readonly currency: string;
  readonly statement_number: number;
  readonly file_name: string;
  readonly file_sha256: string;
  readonly lines: number;
  readonly withdrawn_by: string | null;
};

/** Withdraws an import, all of its statements or nothing. Throws a UsageError if it is not known, not the newest, or sealed. */
export const withdrawImport = async (tx: Transaction<DB>, ask: Withdrawal): Promise<Withdrawn> => {
  const imported = await importedStatements(tx, ask);
  const chosen = chosenIn(imported, ask);
  refuseOlder(imported, chosen, ask.kind);
  await refuseSealed(tx, ask, chosen);
  await insertRows(
    tx,
    'land.external_withdrawals',
    chosen.map(({ account_name, statement_number }) => ({
      entity_id: ask.entity,
      account_name,
      statement_number,
      reason: ask.reason,
      by_name: ask.by,
      at: ask.at,
    })),
  );
  const [first] = chosen;
  return {
    account: first.account_name,
    currency: first.currency,
    sha256: first.file_sha256,
    fileName: first.file_name,
    statements: chosen.length,
    lines: chosen.reduce((count, { lines }) => count + lines, 0),
  };
};

const importedStatements = async (
  tx: Transaction<DB>,
  { entity, kind }: Withdrawal,
): Promise<ImportedStatement[]> => {
  const { rows } = await sql<ImportedStatement>`
    select s.account_name, a.currency, s.statement_number, s.file_name, s.file_sha256, s.lines, s.withdrawn_by
    from books.external_statements s
    join books.external_accounts a using (entity_id, account_name)
    where s.entity_id = ${entity} and a.kind = ${kind}
    order by s.account_name collate "C", s.statement_number`.execute(tx);
  return rows;
};

type Chosen = readonly [ImportedStatement, ...ImportedStatement[]];

const HEX = /^[0-9a-f]{8,64}$/;

/** The statements of the import that is meant: of one file, for one account. */
const chosenIn = (imported: readonly ImportedStatement[], { file, account, kind }: Withdrawal): Chosen => {
  const digits = file.toLowerCase();
  const list = `npx tieout ${kind} list`;
  if (!HEX.test(digits))
    throw new UsageError(
      `${file.slice(0, 80)}: write the SHA-256 of the imported file, or its first 8 digits or more: ${list} shows it`,
    );
  const name = account !== null && kind === 'bank' ? namedAccount(account).name : account;
  const found = imported.filter(
    ({ file_sha256, account_name }) =>
      file_sha256.startsWith(digits) && (name === null || account_name === name),
  );
  const standing = found.filter(({ withdrawn_by }) => withdrawn_by === null);
  const [first, ...rest] = standing;
  if (first === undefined) throw new UsageError(unknownText(digits, found, list));
  refuseSeveral(standing, digits);
  return [first, ...rest];
};

const unknownText = (digits: string, found: readonly ImportedStatement[], list: string): string =>
  found[0]
    ? `${digits}: ${found[0].withdrawn_by} withdrew this import of ${found[0].file_name} before: nothing is left to withdraw`
    : `${digits}: no import of a file with this SHA-256: ${list} shows all`;

const refuseSeveral = (standing: readonly ImportedStatement[], digits: string): void => {
  const files = [...new Set(standing.map(({ file_sha256 }) => file_sha256))];
  if (files.length > 1)
    throw new UsageError(`${digits}: ${counted(files.length, 'imported file')} begin so: write more digits`);
  const accounts = [...new Set(standing.map(({ account_name }) => account_name))];
  if (accounts.length > 1)
    throw new UsageError(
      `${digits}: the file is imported for ${accounts.join(' and ')}: name one with --account`,
    );
};

/** Later statements follow from this one: without it the first of them would have no beginning. */
const refuseOlder = (
  imported: readonly ImportedStatement[],
  [first]: Chosen,
  kind: Withdrawal['kind'],
): void => {
  const later = imported.filter(
    ({ account_name, statement_number, file_sha256, withdrawn_by }) =>
      withdrawn_by === null &&
      account_name === first.account_name &&
      statement_number > first.statement_number &&
      file_sha256 !== first.file_sha256,
  );
  if (later.length === 0) return;
  const files = [...new Map(later.map((one) => [one.file_sha256, one.file_name])).entries()].reverse();
  const commands = files.map(
    ([sha256, name]) => `npx tieout ${kind} withdraw ${sha256.slice(0, 12)} (${name})`,
  );
  throw new UsageError(
    `${first.file_name}: later statements of ${first.account_name} follow from it: withdraw them first, newest first: ${commands.join(', ')}`,
  );
};

/**
 * The reconciliation of a closed month rests on the statements that were imported when it was sealed, from the day of the first
 * payment that they could explain. A statement that was imported after the seal is in none.
 */
const refuseSealed = async (tx: Transaction<DB>, { entity }: Withdrawal, chosen: Chosen): Promise<void> => {
  const [first] = chosen;
  const numbers = chosen.map(({ statement_number }) => statement_number);
  const { rows } = await sql<{ period: string; through: string }>`
    select min(c.period) as period, max(c.period) as through
    from books_internal.statement_reach r
    join books.seals c using (entity_id)
    where r.entity_id = ${entity} and r.account_name = ${first.account_name} and r.statement_number = any (${numbers})
      and c.status = 'closed' and c.period >= r.period and c.sealed_at >= r.imported_at`.execute(tx);
  const period = rows[0]?.period ?? null;
  if (period === null) return;
  const through =
    rows[0]?.through === period ? '' : ` (closed through ${rows[0]?.through}, the last month first)`;
  throw new UsageError(
    `${first.file_name}: ${period} was closed with this statement in its reconciliation: reopen ${period} first${through} with npx tieout reopen, or leave it and import the bank's correction`,
  );
};
