// Counterparties: rules of a file that say who is on the other side of what leaves or enters. The first that holds decides.
// A bank account is personal: what is kept of it is how each entity's records hold it, a commitment, and a masked form.
import { type Kysely, sql } from 'kysely';
import { type CsvRow, readCsvFile } from '../csv-file.ts';
import type { DB } from '../db-types.ts';
import { UsageError } from '../errors.ts';
import { commitmentOf } from '../land/land.ts';
import { isoOf, nowMs } from '../time.ts';

export const RULE_COLUMNS = [
  'class',
  'address',
  'bank_account',
  'operation',
  'counterparty',
  'nature',
] as const;
type Row = CsvRow<(typeof RULE_COLUMNS)[number]>;

/** What a line says; null where it names nothing. `bankAccount` as it was written, never stored. */
export type Rule = {
  readonly line: number;
  readonly class: string | null;
  readonly address: string | null;
  readonly bankAccount: string | null;
  readonly operation: string | null;
  readonly counterparty: string;
  readonly nature: string;
};

const CLASSES = ['bank', 'blockchain', 'card', 'person', 'platform'];
const NATURES = ['own', 'own-entity', 'third-party', 'platform'];
const RULES_MAX = 1_000;
const TEXT_MAX = 200;
const UNSEEN = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Reads a whole file, a rule a line. Throws UsageError with line and column. */
export const readRules = (path: string): Rule[] => {
  const rows = readCsvFile(path, RULE_COLUMNS);
  if (rows.length > RULES_MAX)
    throw new UsageError(`${path}: has ${rows.length} rules: write at most ${RULES_MAX}`);
  return rows.map((row) => ruleOf(path, row));
};

const ruleOf = (path: string, { line, cells }: Row): Rule => {
  const refuse = (column: string, why: string): never => {
    throw new UsageError(`${path}: line ${line}, column ${column}: ${why}`);
  };
  for (const column of RULE_COLUMNS)
    if (UNSEEN.test(cells[column]) || cells[column].length > TEXT_MAX)
      refuse(column, `write one line of at most ${TEXT_MAX} characters that can be seen`);
  if (cells.counterparty === '') refuse('counterparty', 'is empty: write who it is');
  const among = (column: 'class' | 'nature', words: readonly string[]) =>
    words.includes(cells[column]) || refuse(column, `"${cells[column]}": write ${words.join(', ')}`);
  among('nature', NATURES);
  if (cells.class !== '') among('class', CLASSES);
  const named = [cells.class, cells.address, cells.bank_account, cells.operation];
  if (named.every((cell) => cell === ''))
    refuse('class', 'and address, bank_account and operation are empty: name at least one of them');
  if (cells.bank_account !== '' && compact(cells.bank_account).length < ACCOUNT_MIN)
    refuse(
      'bank_account',
      `"${cells.bank_account}" has less than ${ACCOUNT_MIN} characters: write the whole account`,
    );
  const [kind, address, bankAccount, operation] = named.map((cell) => (cell === '' ? null : cell)) as (
    | string
    | null
  )[];
  return {
    ...{ line, class: kind ?? null, address: addressOf(address), bankAccount: bankAccount ?? null },
    ...{ operation: operation ?? null, counterparty: cells.counterparty, nature: cells.nature },
  };
};

/** Of an address in hexadecimal digits, large and small letters are the same. */
const addressOf = (text: string | null | undefined): string | null =>
  text && /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : (text ?? null);

/** Less than that is no account, and would be told whole by what is shown of it. */
const ACCOUNT_MIN = 10;

const compact = (account: string): string => account.replaceAll(/[\s-]/g, '').toUpperCase();

/** `ES91…1332`: enough to know it again. */
export const masked = (account: string): string =>
  `${compact(account).slice(0, 4)}…${compact(account).slice(-4)}`;

/** The ways in which one account is written: as it is in the file, without blanks, and in groups of four. */
const writings = (account: string): string[] => {
  const whole = compact(account);
  return [...new Set([account, whole, whole.toLowerCase(), whole.replaceAll(/(.{4})(?=.)/g, '$1 ')])];
};

/** Puts a file's rules in force. Returns their version. */
export const importRules = async (
  { db, decider }: { readonly db: Kysely<DB>; readonly decider: Kysely<DB> },
  {
    rules,
    fileName,
    by,
  }: { readonly rules: readonly Rule[]; readonly fileName: string; readonly by: string },
): Promise<number> => {
  const keys = await db
    .selectFrom('land.people_keys')
    .select(['entity_id', 'key'])
    .orderBy('entity_id')
    .execute();
  return decider.transaction().execute(async (tx) => {
    const { rows } = await sql<{ next: number }>`
      select coalesce(max(version), 0)::int + 1 as next from decide.counterparty_files`.execute(tx);
    const version = rows[0]?.next ?? 1;
    const file = { version, file_name: fileName, by_name: by, at: isoOf(nowMs()) };
    await tx.insertInto('decide.counterparty_files').values(file).execute();
    await storeRules(tx, version, rules);
    await storeAccounts(tx, version, { rules, keys });
    return version;
  });
};

const storeRules = (tx: Kysely<DB>, version: number, rules: readonly Rule[]) =>
  tx
    .insertInto('decide.counterparty_rules')
    .values(
      rules.map(({ bankAccount, ...rule }) => ({
        ...{ version, ...rule },
        bank_account: bankAccount === null ? null : masked(bankAccount),
      })),
    )
    .execute();

const storeAccounts = async (
  tx: Kysely<DB>,
  version: number,
  { rules, keys }: { rules: readonly Rule[]; keys: readonly { entity_id: string; key: Buffer }[] },
): Promise<void> => {
  for (const { entity_id, key } of keys) {
    const known = rules.flatMap(({ line, bankAccount }) =>
      (bankAccount === null ? [] : writings(bankAccount)).map((text) => ({
        ...{ entity_id, version, line },
        commitment: commitmentOf(text, key),
      })),
    );
    if (known.length > 0) await tx.insertInto('decide.counterparty_accounts').values(known).execute();
  }
};
