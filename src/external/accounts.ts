// Accounts of our own outside the platform: named at the first import, with the number that the file states.
import { sql, type Transaction } from 'kysely';
import { compactNumber, isIban, looksLikeIban, maskedNumber, spellingsOf } from '../base/bank-account.ts';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import { commitmentOf } from '../privacy/people.ts';
import { addressKey } from './chain-text.ts';
import type { ExternalStatement, RefuseFile } from './statement.ts';

export type ExternalAccount = {
  readonly name: string;
  readonly kind: 'bank' | 'chain';
  readonly currency: string;
  readonly masked: string | null;
  readonly numberMarks: readonly string[];
  readonly address: string | null;
  readonly isNew: boolean;
};

type Own = { readonly entity: string; readonly key: Buffer };

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u;

/** What `--account` names: the number of an account, or a name for it. Throws a UsageError for an IBAN with wrong digits. */
export const namedAccount = (text: string): { number: string | null; name: string } => {
  if (looksLikeIban(text)) {
    if (!isIban(text))
      throw new UsageError(
        `--account ${maskedNumber(text)}: is no IBAN, its check digits are wrong: copy it again`,
      );
    return { number: text, name: maskedNumber(text) };
  }
  if (!NAME.test(text))
    throw new UsageError(
      `--account ${JSON.stringify(text.slice(0, 60))}: write an IBAN, or a name of letters, digits, blanks, points and hyphens, at most 40`,
    );
  return { number: null, name: text };
};

/** `is_bare`: every statement of it was withdrawn, so the file that defined it may have been another account's. */
const knownAccounts = async (tx: Transaction<DB>, entity: string) =>
  tx
    .selectFrom('land.external_accounts as a')
    .select(['account_name', 'kind', 'currency', 'masked', 'number_marks', 'address'])
    .select(
      sql<boolean>`not exists (
        select from books_internal.standing_statements s where (s.entity_id, s.account_name) = (a.entity_id, a.account_name)
      )`.as('is_bare'),
    )
    .where('entity_id', '=', entity)
    .orderBy(sql`account_name collate "C"`)
    .execute();

type KnownAccount = Awaited<ReturnType<typeof knownAccounts>>[number];

const accountOf = (known: KnownAccount): ExternalAccount => ({
  name: known.account_name,
  kind: known.kind === 'chain' ? 'chain' : 'bank',
  currency: known.currency,
  masked: known.masked,
  numberMarks: known.number_marks,
  address: known.address,
  isNew: false,
});

/** A file's statements, and the account that a person named for them. */
type BankFile = Own & { readonly accountText: string; readonly statements: readonly ExternalStatement[] };

/**
 * The account that a file is imported for, and the file's statements of it. A new one is defined by the file; a known one must be
 * the file's, in its currency.
 */
export const bankAccountOf = async (
  tx: Transaction<DB>,
  { entity, key, accountText, statements }: BankFile,
  refuse: RefuseFile,
): Promise<{ account: ExternalAccount; statements: ExternalStatement[] }> => {
  const { number, name } = namedAccount(accountText);
  const accounts = await knownAccounts(tx, entity);
  const found = known(accounts, { number, name, key });
  if (found?.is_bare) refuseOtherBare(found, { key, statements }, refuse);
  const label = found?.account_name ?? name;
  const marks = number === null ? (found?.number_marks ?? []) : marksIn(number, key);
  const own = ownStatements(statements, { marks, key, label }, refuse);
  const stated = own.find(({ accountNumber }) => accountNumber !== null)?.accountNumber ?? number;
  const currency = found?.currency ?? own[0]?.currency ?? '';
  refuseOtherCurrency(own, { name: label, currency }, refuse);
  if (found) return { account: accountOf(found), statements: own };
  refuseOtherName(accounts, { stated, key }, refuse);
  const masked = stated === null ? null : maskedNumber(stated);
  const numberMarks = stated === null ? [] : marksIn(stated, key);
  return {
    account: { name, kind: 'bank', currency, masked, numberMarks, address: null, isNew: true },
    statements: own,
  };
};

const marksIn = (number: string, key: Buffer): string[] =>
  spellingsOf(number).map((spelling) => commitmentOf(spelling, key));

const withNumber = (
  accounts: readonly KnownAccount[],
  number: string,
  key: Buffer,
): KnownAccount | undefined => {
  const marks = marksIn(number, key);
  return accounts.find(
    ({ number_marks, is_bare }) => !is_bare && number_marks.some((mark) => marks.includes(mark)),
  );
};

/** The name of an account whose statements were all withdrawn stays with its number and currency. */
const refuseOtherBare = (
  { account_name, currency, number_marks }: KnownAccount,
  { key, statements }: Pick<BankFile, 'key' | 'statements'>,
  refuse: RefuseFile,
): void => {
  const isSame = (statement: ExternalStatement): boolean =>
    statement.currency === currency &&
    (statement.accountNumber === null ||
      number_marks.length === 0 ||
      marksIn(statement.accountNumber, key).some((mark) => number_marks.includes(mark)));
  if (!statements.some(isSame))
    refuse(
      null,
      `the withdrawn file that defined account ${account_name} was of another account or in ${currency}: choose another --account name`,
    );
};

const known = (
  accounts: readonly KnownAccount[],
  { number, name, key }: { readonly number: string | null; readonly name: string; readonly key: Buffer },
): KnownAccount | undefined => {
  const numbered = number === null ? undefined : withNumber(accounts, number, key);
  const found = numbered ?? accounts.find(({ account_name }) => account_name === name);
  if (found?.kind === 'chain')
    throw new UsageError(
      `--account ${name}: is an address on a chain: use npx tieout chain import, or another name`,
    );
  return found;
};

/** The statements of one account: those with its number, or all if the account has none yet. */
const ownStatements = (
  statements: readonly ExternalStatement[],
  { marks, key, label }: { readonly marks: readonly string[]; readonly key: Buffer; readonly label: string },
  refuse: RefuseFile,
): ExternalStatement[] => {
  const isOwn = ({ accountNumber }: ExternalStatement): boolean =>
    accountNumber === null ||
    marks.length === 0 ||
    marksIn(accountNumber, key).some((mark) => marks.includes(mark));
  const own = statements.filter(isOwn);
  const shownNumbers = (some: readonly ExternalStatement[]): string[] =>
    [...new Set(some.flatMap(({ accountNumber }) => accountNumber ?? []).map(compactNumber))].map(
      maskedNumber,
    );
  if (own.length === 0)
    refuse(null, `is of account ${shownNumbers(statements).join(', ')}, not of ${label}: name that account`);
  if (shownNumbers(own).length > 1)
    refuse(null, `has statements of ${shownNumbers(own).join(', ')}: name one of them with --account IBAN`);
  return own;
};

/** One account has one name, so that its statements follow each other. */
const refuseOtherName = (
  accounts: readonly KnownAccount[],
  { stated, key }: { readonly stated: string | null; readonly key: Buffer },
  refuse: RefuseFile,
): void => {
  const other = stated === null ? undefined : withNumber(accounts, stated, key);
  if (other && stated !== null)
    refuse(
      null,
      `is of account ${maskedNumber(stated)}, imported as ${other.account_name}: use that --account`,
    );
};

const refuseOtherCurrency = (
  statements: readonly ExternalStatement[],
  { name, currency }: { name: string; currency: string },
  refuse: RefuseFile,
): void => {
  if (!/^[A-Z0-9]{1,20}$/.test(currency)) refuse(null, 'names no currency: download it again');
  const other = statements.find((statement) => statement.currency !== currency);
  if (other)
    refuse(
      other.fileLine,
      `is in ${other.currency}, and account ${name} is in ${currency}: give it another --account name`,
    );
};

/** The account of an address and its coin; its name is the address, and the coin where the address has several. */
export const chainAccountOf = async (
  tx: Transaction<DB>,
  {
    entity,
    address,
    currency,
  }: { readonly entity: string; readonly address: string; readonly currency: string },
): Promise<ExternalAccount> => {
  const own = addressKey(address);
  const found = (await knownAccounts(tx, entity)).find(
    (one) => one.address === own && one.currency === currency,
  );
  if (found) return accountOf(found);
  return {
    name: `${own} ${currency}`,
    kind: 'chain',
    currency,
    masked: null,
    numberMarks: [],
    address: own,
    isNew: true,
  };
};

export const storeAccount = async (
  tx: Transaction<DB>,
  account: ExternalAccount,
  signed: {
    readonly entity: string;
    readonly network: string | null;
    readonly by: string;
    readonly at: string;
  },
): Promise<void> => {
  if (!account.isNew) return;
  await tx
    .insertInto('land.external_accounts')
    .values({
      entity_id: signed.entity,
      account_name: account.name,
      kind: account.kind,
      currency: account.currency,
      masked: account.masked,
      number_marks: [...account.numberMarks],
      address: account.address,
      network: signed.network,
      by_name: signed.by,
      at: signed.at,
    })
    .execute();
};
