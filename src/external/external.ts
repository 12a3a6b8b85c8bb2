// The external room: statements of our accounts outside the platform, at banks and on chains, stored as stated, and each line paired
// with the entry of the books that is the same payment. It books nothing.
import type { Transaction } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import type { DB } from '../database/db-types.ts';
import { peopleKey } from '../privacy/people.ts';
import { bankAccountOf, chainAccountOf, type ExternalAccount, namedAccount } from './accounts.ts';
import { newTransactions } from './chain-list.ts';
import { readChainCsv } from './formats/chain-csv.ts';
import { type MappingAsk, readMapping } from './formats/csv-mapping.ts';
import { readBankFile } from './formats/format.ts';
import { newStatements, refuseOverlap } from './overlap.ts';
import { checkFollows, checkSum, inSequence, type KnownStatement } from './sequence.ts';
import {
  dayOf,
  type ExternalFormat,
  type ExternalStatement,
  type RefuseFile,
  refuserOf,
  type StatementsRead,
} from './statement.ts';
import { type ImportedFile, storedStatements, storeStatements } from './store.ts';

export { pairExternal } from './pairing.ts';
export type { ExternalFormat } from './statement.ts';
export { type Withdrawal, type Withdrawn, withdrawImport } from './withdrawal.ts';

/** What an import has of any kind of account. */
export type Signed = {
  readonly entity: string;
  readonly file: { readonly name: string; readonly bytes: Uint8Array };
  readonly by: string;
  readonly at: string;
  readonly counterparties: readonly string[];
};

export type BankImport = Signed & {
  readonly account: string;
  /** What a person says of the file; null: its content shows it. */
  readonly format: ExternalFormat | null;
  readonly mapping: MappingAsk | null;
};
export type ChainImport = Signed & {
  readonly address: string;
  readonly currency: string;
  readonly network: string | null;
  /** The last day that the list has whole; null: that of its last transaction. */
  readonly until: string | null;
};

/** What an import stored; `known` statements were stored before, by this file or another. */
export type ImportOutcome = {
  readonly account: string;
  readonly kind: 'bank' | 'chain';
  readonly currency: string;
  readonly isNewAccount: boolean;
  readonly format: string;
  readonly reading: string | null;
  readonly sha256: string;
  readonly statements: readonly ExternalStatement[];
  readonly known: number;
  readonly lines: number;
  readonly unrelated: number;
};

/** Reads and stores a bank's file, all of it or nothing. What was imported before is left out. */
export const importBank = async (tx: Transaction<DB>, ask: BankImport): Promise<ImportOutcome> => {
  const refuse = refuserOf(ask.file.name);
  namedAccount(ask.account);
  const mapping = ask.mapping && readMapping(ask.mapping);
  const read = readBankFile(ask.file, { format: ask.format, mapping }, refuse);
  for (const statement of read.statements) checkSum(statement, refuse);
  const key = await peopleKey(tx, ask.entity);
  const own = { entity: ask.entity, key, accountText: ask.account, statements: read.statements };
  const { account, statements } = await bankAccountOf(tx, own, refuse);
  const place = { entity: ask.entity, account: account.name };
  const stored = await storedStatements(tx, place);
  const fresh = await newStatements(tx, place, { statements: inSequence(statements), stored });
  const [statement, before] = [fresh[0], stored.at(-1)];
  if (statement && before) await refuseOverlap(tx, { ...place, statement, before }, refuse);
  checkAllFollow(fresh, before, refuse);
  return storeOutcome(tx, fileOf(ask, read, key), { account, fresh, read: statements });
};

/** Each statement follows the one before it. */
const checkAllFollow = (
  fresh: readonly ExternalStatement[],
  last: KnownStatement | undefined,
  refuse: RefuseFile,
): void =>
  fresh.forEach((statement, index) => {
    const previous = fresh[index - 1];
    const before = previous ? { ...previous, lines: previous.lines.length } : last;
    if (before) checkFollows(statement, before, refuse);
  });

/** Reads and stores a list of an address's transactions: those that are new. */
export const importChain = async (tx: Transaction<DB>, ask: ChainImport): Promise<ImportOutcome> => {
  const refuse = refuserOf(ask.file.name);
  checkChain(ask);
  const read = readChainCsv(ask.file, ask, refuse);
  const key = await peopleKey(tx, ask.entity);
  const account = await chainAccountOf(tx, ask);
  const fresh: ExternalStatement[] = [];
  for (const list of read.statements)
    fresh.push(...(await newTransactions(tx, { entity: ask.entity, account: account.name, list }, refuse)));
  return storeOutcome(
    tx,
    { ...fileOf(ask, read, key), network: ask.network },
    { account, fresh, read: read.statements },
  );
};

const checkChain = ({ address, currency, until }: ChainImport): void => {
  if (!/^[\w:.-]{8,128}$/.test(address))
    throw new UsageError(
      `--address ${JSON.stringify(address.slice(0, 60))}: is no address: copy it whole from the wallet`,
    );
  if (!/^[A-Z0-9]{1,20}$/.test(currency))
    throw new UsageError(
      `--currency ${JSON.stringify(currency.slice(0, 60))}: write the coin in capitals, such as ETH`,
    );
  if (until !== null && dayOf(until) === null)
    throw new UsageError(`--until ${until.slice(0, 60)}: write a day, 2026-10-31`);
};

const fileOf = (ask: Signed, { format, reading }: StatementsRead, key: Buffer): ImportedFile => ({
  entity: ask.entity,
  format,
  reading,
  fileName: ask.file.name,
  sha256: sha256(ask.file.bytes),
  network: null,
  by: ask.by,
  at: ask.at,
  key,
  counterparties: ask.counterparties,
});

const storeOutcome = async (
  tx: Transaction<DB>,
  file: ImportedFile,
  found: {
    readonly account: ExternalAccount;
    readonly fresh: readonly ExternalStatement[];
    readonly read: readonly ExternalStatement[];
  },
): Promise<ImportOutcome> => {
  const { account, fresh, read } = found;
  const { unrelated } = await storeStatements(tx, file, { account, statements: fresh });
  return {
    account: account.name,
    kind: account.kind,
    currency: account.currency,
    isNewAccount: account.isNew && fresh.length > 0,
    format: file.format,
    reading: file.reading,
    sha256: file.sha256,
    statements: fresh,
    known: read.length - fresh.length,
    lines: fresh.reduce((count, { lines }) => count + lines.length, 0),
    unrelated,
  };
};
