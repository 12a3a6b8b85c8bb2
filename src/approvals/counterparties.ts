// Counterparties: rules from a file that classify the other side of deposits and withdrawals. The first matching rule
// applies. A bank account is personal data: only each entity's commitment to it and a masked form are stored.

import { type Kysely, sql } from 'kysely';
import { compactNumber, maskedNumber, spellingsOf } from '../base/bank-account.ts';
import { counted } from '../base/counted.ts';
import { STATED_TYPES } from '../base/counterparty-types.ts';
import { type CsvRow, readCsvFile } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { isOneLine } from '../base/unseen.ts';
import type { DB } from '../database/db-types.ts';
import { commitmentOf } from '../privacy/people.ts';
import type { CounterpartiesChange } from './changes.ts';
import type { Enacted } from './enacted.ts';

const RULE_COLUMNS = [
  'class',
  'address',
  'bank_account',
  'operation',
  'counterparty',
  'counterparty_type',
] as const;
type RuleRow = CsvRow<(typeof RULE_COLUMNS)[number]>;

/** One rule; null for columns that are empty. `bankAccount` is as written, and is never stored. */
export type Rule = {
  readonly line: number;
  readonly class: string | null;
  readonly address: string | null;
  readonly bankAccount: string | null;
  readonly operation: string | null;
  readonly counterparty: string;
  readonly counterpartyType: string;
};

const CLASSES = ['bank', 'blockchain', 'card', 'person', 'platform'];
const RULES_MAX = 1_000;
const TEXT_MAX = 200;

/** Reads a whole file, one rule per line. Throws UsageError with line and column. */
export const readRules = (path: string): Rule[] => {
  const rows = readCsvFile(path, RULE_COLUMNS);
  if (rows.length > RULES_MAX)
    throw new UsageError(`${path}: has ${rows.length} rules: write at most ${RULES_MAX}`);
  return rows.map((row) => ruleOf(path, row));
};

const ruleOf = (path: string, { line, cells }: RuleRow): Rule => {
  const refuse = (column: string, why: string): never => {
    throw new UsageError(`${path}: line ${line}, column ${column}: ${why}`);
  };
  for (const column of RULE_COLUMNS)
    if (!isOneLine(cells[column]) || cells[column].length > TEXT_MAX)
      refuse(column, `write one line of at most ${TEXT_MAX} visible characters`);
  if (cells.counterparty === '') refuse('counterparty', 'is empty: write who it is');
  const among = (column: 'class' | 'counterparty_type', words: readonly string[]) =>
    words.includes(cells[column]) || refuse(column, `"${cells[column]}": write ${words.join(', ')}`);
  among('counterparty_type', STATED_TYPES);
  if (cells.class !== '') among('class', CLASSES);
  const conditions = [cells.class, cells.address, cells.bank_account, cells.operation];
  if (conditions.every((cell) => cell === ''))
    refuse('class', 'and address, bank_account and operation are empty: name at least one of them');
  for (const column of ['address', 'bank_account'] as const)
    if (SHORTENED.test(cells[column]))
      refuse(column, `"${cells[column]}" is a number that a spreadsheet shortened: write it whole, as text`);
  if (cells.bank_account !== '' && compactNumber(cells.bank_account).length < ACCOUNT_MIN)
    refuse(
      'bank_account',
      `"${cells.bank_account}" has less than ${ACCOUNT_MIN} characters: write the whole account`,
    );
  const [kind, address, bankAccount, operation] = conditions.map((cell) => (cell === '' ? null : cell)) as (
    | string
    | null
  )[];
  return {
    line,
    class: kind ?? null,
    address: addressOf(address),
    bankAccount: bankAccount ?? null,
    operation: operation ?? null,
    counterparty: cells.counterparty,
    counterpartyType: cells.counterparty_type,
  };
};

/** Hexadecimal addresses ignore case, so they are compared in small letters. */
const addressOf = (text: string | null | undefined): string | null =>
  text && /^0x[0-9a-f]+$/i.test(text) ? text.toLowerCase() : (text ?? null);

/** What spreadsheets make of a long number, or of hexadecimal digits that look like one. */
const SHORTENED = /^\d([.,]\d+)?E[+-]?\d+$/i;

/** A shorter text is not an account, and masking it would reveal it whole. */
const ACCOUNT_MIN = 10;

/** A proposal of a file's rules, with personal data as commitments under each entity's key. */
export const rulesChange = async (
  db: Kysely<DB>,
  { rules, fileName }: { readonly rules: readonly Rule[]; readonly fileName: string },
): Promise<CounterpartiesChange> => {
  const keys = await db
    .selectFrom('land.people_keys')
    .select(['entity_id', 'key'])
    .orderBy('entity_id')
    .execute();
  const accounts = keys.flatMap(({ entity_id, key }) =>
    rules.flatMap(({ line, bankAccount }) =>
      (bankAccount === null ? [] : spellingsOf(bankAccount)).map(
        (text) => [entity_id, String(line), commitmentOf(text, key)] as const,
      ),
    ),
  );
  const many = counted(rules.length, 'rule');
  return {
    action: 'counterparties',
    description: `${many} of ${fileName} for counterparties`,
    base: await rulesInForce(db),
    file_name: fileName,
    accounts,
    rules: rules.map(({ bankAccount, counterpartyType, line, ...rule }) => ({
      ...rule,
      line: String(line),
      counterparty_type: counterpartyType,
      bank_account: bankAccount === null ? null : maskedNumber(bankAccount),
    })),
  };
};

/** The version of the rules in force; 0 if there are none. */
export const rulesInForce = async (db: Kysely<DB>): Promise<string> => {
  const { rows } = await sql<{ version: string }>`
    select coalesce(max(version), 0)::text as version from decide.counterparty_files`.execute(db);
  return rows[0]?.version ?? '0';
};

/** Puts an approved file's rules in force. */
export const importRules = async (tx: Kysely<DB>, enacted: Enacted<CounterpartiesChange>): Promise<void> => {
  const { base, file_name, rules, accounts } = enacted.change;
  const version = Number.parseInt(base, 10) + 1;
  const proposal = { proposal_entity: enacted.entity, proposal_id: enacted.proposalId };
  await tx
    .insertInto('decide.counterparty_files')
    .values({ version, file_name, by_name: enacted.by, at: enacted.at, ...proposal })
    .execute();
  await tx
    .insertInto('decide.counterparty_rules')
    .values(rules.map(({ line, ...rule }) => ({ version, line: Number.parseInt(line, 10), ...rule })))
    .execute();
  if (accounts.length === 0) return;
  await tx
    .insertInto('decide.counterparty_accounts')
    .values(
      accounts.map(([entity_id, line, commitment]) => ({
        entity_id,
        version,
        line: Number.parseInt(line, 10),
        commitment,
      })),
    )
    .execute();
};
