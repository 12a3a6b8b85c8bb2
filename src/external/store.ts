// Stores statements as read: what they state in land.external_statements and land.external_lines, and the personal part of each
// line apart. Rows are added, never changed.
import { sql, type Transaction } from 'kysely';
import { compactNumber } from '../base/bank-account.ts';
import { inBatches } from '../base/group.ts';
import { canonical } from '../base/json.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { landPeople } from '../land/land.ts';
import { seal } from '../privacy/people.ts';
import { type ExternalAccount, storeAccount } from './accounts.ts';
import { addressKey } from './chain-text.ts';
import { marksOf } from './marks.ts';
import type { KnownStatement } from './sequence.ts';
import type { ExternalFormat, ExternalLine, ExternalStatement } from './statement.ts';

/** Who imports which file for which books. */
export type ImportedFile = {
  readonly entity: string;
  readonly format: ExternalFormat;
  readonly reading: string | null;
  readonly fileName: string;
  readonly sha256: string;
  readonly network: string | null;
  readonly by: string;
  readonly at: string;
  readonly key: Buffer;
  /** Only lines with one of these are with the platform; none: all are. */
  readonly counterparties: readonly string[];
};

/** The last statement of an account that counts, and how many statements and lines have a number, withdrawn ones included. */
type StoredPlace = {
  readonly last: KnownStatement | null;
  readonly statements: number;
  readonly lines: number;
};

export const storedPlace = async (
  tx: Transaction<DB>,
  { entity, account }: OwnAccount,
): Promise<StoredPlace> => {
  const all = await numberedStatements(tx, { entity, account });
  const lines = all.reduce((count, statement) => count + statement.lines, 0);
  return { last: all.findLast(({ isWithdrawn }) => !isWithdrawn) ?? null, statements: all.length, lines };
};

export type OwnAccount = { readonly entity: string; readonly account: string };

/** A statement as stored, with the number that it has there. */
export type StoredStatement = KnownStatement & { readonly number: number };

/** The statements of an account that count, in order. */
export const storedStatements = async (tx: Transaction<DB>, own: OwnAccount): Promise<StoredStatement[]> =>
  (await numberedStatements(tx, own)).filter(({ isWithdrawn }) => !isWithdrawn);

const numberedStatements = async (
  tx: Transaction<DB>,
  { entity, account }: OwnAccount,
): Promise<(StoredStatement & { readonly isWithdrawn: boolean })[]> => {
  const rows = await tx
    .selectFrom('books.external_statements')
    .select(['statement_number', 'bank_number', 'opening', 'closing', 'lines', 'withdrawn_at'])
    .select([sql<string>`starts_on::text`.as('starts_on'), sql<string>`ends_on::text`.as('ends_on')])
    .where('entity_id', '=', entity)
    .where('account_name', '=', account)
    .orderBy('statement_number')
    .execute();
  return rows.map((row) => ({
    number: row.statement_number ?? 0,
    bankNumber: row.bank_number,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    opening: row.opening,
    closing: row.closing,
    lines: row.lines ?? 0,
    isWithdrawn: row.withdrawn_at !== null,
  }));
};

/** Stores statements that follow the stored ones. Returns the number of lines that are not with the platform. */
export const storeStatements = async (
  tx: Transaction<DB>,
  file: ImportedFile,
  {
    account,
    statements,
  }: { readonly account: ExternalAccount; readonly statements: readonly ExternalStatement[] },
): Promise<{ unrelated: number }> => {
  const place = await storedPlace(tx, { entity: file.entity, account: account.name });
  await storeAccount(tx, account, file);
  const counts = { statement: place.statements, line: place.lines, unrelated: 0 };
  for (const statement of statements) {
    counts.statement += 1;
    await storeStatement(tx, file, { account, statement, number: counts.statement });
    const lines = statement.lines.map((line, index) => ({ line, number: counts.line + index + 1 }));
    counts.line += lines.length;
    counts.unrelated += await storeLines(tx, file, {
      account: account.name,
      statement: counts.statement,
      lines,
    });
  }
  return { unrelated: counts.unrelated };
};

const storeStatement = async (
  tx: Transaction<DB>,
  file: ImportedFile,
  { account, statement, number }: { account: ExternalAccount; statement: ExternalStatement; number: number },
): Promise<void> => {
  await tx
    .insertInto('land.external_statements')
    .values({
      entity_id: file.entity,
      account_name: account.name,
      statement_number: number,
      format: file.format,
      reading: file.reading,
      file_name: file.fileName,
      file_sha256: file.sha256,
      bank_number: statement.bankNumber,
      starts_on: statement.startsOn,
      ends_on: statement.endsOn,
      opening: statement.opening,
      closing: statement.closing,
      lines: statement.lines.length,
      by_name: file.by,
      at: file.at,
    })
    .execute();
};

type Numbered = { readonly line: ExternalLine; readonly number: number };

const BATCH = 5_000;

const storeLines = async (
  tx: Transaction<DB>,
  file: ImportedFile,
  { account, statement, lines }: { account: string; statement: number; lines: readonly Numbered[] },
): Promise<number> => {
  let unrelated = 0;
  for (const batch of inBatches(lines, BATCH)) {
    const rows = batch.map((numbered) => rowOf(file, { account, statement, numbered }));
    unrelated += rows.filter(({ row }) => !row.is_related).length;
    await insertRows(
      tx,
      'land.external_lines',
      rows.map(({ row }) => row),
    );
    const people = rows.flatMap(({ row, people }) =>
      people.map((person) => ({ record_id: `${account} ${row.line_number}`, version: 1, ...person })),
    );
    await landPeople(tx, { entity: file.entity, stream: 'bank-lines' }, people);
  }
  return unrelated;
};

const rowOf = (
  file: ImportedFile,
  { account, statement, numbered }: { account: string; statement: number; numbered: Numbered },
) => {
  const { line, number } = numbered;
  const { payload, people } = seal(received(line), file.key);
  const row = {
    entity_id: file.entity,
    account_name: account,
    line_number: number,
    statement_number: statement,
    file_line: line.fileLine,
    booked_on: line.bookedOn,
    value_on: line.valueOn,
    happened_at: line.happenedAt,
    amount: line.amount,
    hash: line.hash,
    address: line.address,
    reference_marks: marksOf(line, file.key),
    is_related: isRelated(line, file.counterparties),
    payload: canonical(payload),
  };
  return { row, people };
};

/** A line as received. Its personal texts have the names by which the privacy room knows them. */
const received = (line: ExternalLine) => ({
  ...line.facts,
  bookedOn: line.bookedOn,
  valueOn: line.valueOn,
  amount: line.amount,
  ...(line.happenedAt !== null && { happenedAt: line.happenedAt }),
  ...(line.hash !== null && { hash: line.hash, network: '', address: line.address ?? '' }),
  name: line.counterparty,
  accountNumber: line.counterpartyAccount,
  concept: line.references.length > 0 ? line.references : '',
  note: line.note,
});

const isRelated = (line: ExternalLine, counterparties: readonly string[]): boolean => {
  if (counterparties.length === 0) return true;
  const texts = [line.counterparty, line.note].map((text) => text.toLowerCase());
  const numbers = [line.counterpartyAccount, line.note, ...line.references].map(compactNumber);
  return counterparties.some(
    (counterparty) =>
      texts.some((text) => text.includes(counterparty.toLowerCase())) ||
      numbers.some((number) => number.includes(compactNumber(counterparty))) ||
      (line.address !== null && line.address === addressKey(counterparty)),
  );
};
