// Bank and chain: imports statements of our accounts outside the platform, and compares them with the books at once.
import { sql } from 'kysely';
import { counted } from '../base/counted.ts';
import { groupBy } from '../base/group.ts';
import type { Books } from '../database/connection.ts';
import type { ViewRow } from '../database/view-row.ts';
import {
  type BankImport,
  type ChainImport,
  type ImportOutcome,
  importBank,
  importChain,
  type Withdrawal,
  type Withdrawn,
  withdrawImport,
} from '../external/external.ts';
import { reconcileExternal } from '../reconcile/reconcile.ts';
import { offlineResult } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';

type ImportedBreak = ViewRow<'books.breaks', 'break_id' | 'subject' | 'reason' | 'status'>;

/** What was stored, how its lines stand, and the open breaks of the entity on statements of that kind. */
export type ImportReport = {
  readonly entity: string;
  readonly outcome: ImportOutcome;
  readonly paired: number;
  readonly states: readonly { readonly status: string; readonly lines: number }[];
  readonly breaks: readonly ImportedBreak[];
  readonly result: Result;
};

/** Imports a bank's file; all of it or nothing. */
export const bankImport = (work: Work, ask: BankImport): Promise<ImportReport> =>
  work.db
    .transaction()
    .execute(async (tx) => reported(tx, work, { ask, outcome: await importBank(tx, ask) }));

/** Imports a list of an address's transactions; all of it or nothing. */
export const chainImport = (work: Work, ask: ChainImport): Promise<ImportReport> =>
  work.db
    .transaction()
    .execute(async (tx) => reported(tx, work, { ask, outcome: await importChain(tx, ask) }));

const reported = async (
  tx: Books,
  work: Work,
  {
    ask,
    outcome,
  }: { ask: { readonly entity: string; readonly file: { readonly name: string } }; outcome: ImportOutcome },
): Promise<ImportReport> => {
  const compared = await comparedAgain(tx, work, { entity: ask.entity, ...outcome });
  const what = `${counted(outcome.lines, 'new line')} of ${ask.file.name}`;
  return {
    entity: ask.entity,
    outcome,
    ...compared,
    result: resultOf(ask.entity, outcome, { what, ...compared }),
  };
};

/** What no longer counts, and what the other lines make now. */
export type WithdrawalReport = Omit<ImportReport, 'outcome'> & {
  readonly kind: 'bank' | 'chain';
  readonly withdrawn: Withdrawn;
};

/** Withdraws an import and compares again, as one change. */
export const withdraw = (work: Work, ask: Withdrawal): Promise<WithdrawalReport> =>
  work.db.transaction().execute(async (tx) => {
    const withdrawn = await withdrawImport(tx, ask);
    const place = { kind: ask.kind, account: withdrawn.account };
    const compared = await comparedAgain(tx, work, { entity: ask.entity, ...place });
    const what = `${withdrawn.fileName} withdrawn with ${counted(withdrawn.lines, 'line')}`;
    const result = resultOf(ask.entity, place, { what, ...compared });
    return { entity: ask.entity, kind: ask.kind, withdrawn, ...compared, result };
  });

type AccountName = { readonly kind: 'bank' | 'chain'; readonly account: string };
type AccountStanding = Pick<ImportReport, 'paired' | 'states' | 'breaks'>;

const comparedAgain = async (
  tx: Books,
  work: Work,
  { entity, kind, account }: AccountName & { readonly entity: string },
): Promise<AccountStanding> => {
  const paired = await reconcileExternal(tx, work.run, entity);
  const breaks = await openBreaks(tx, entity, `${kind}_lines`);
  return { paired, breaks, states: await statesOf(tx, entity, account) };
};

const resultOf = (
  entity: string,
  { kind, account }: AccountName,
  { what, paired, breaks }: AccountStanding & { readonly what: string },
): Result =>
  offlineResult(
    breaks.length === 0 ? 0 : 1,
    `${kind} ${account} of ${entity}: ${what}, ${counted(paired, 'pair')}, ${counted(breaks.length, 'open break')}`,
  );

const openBreaks = async (db: Books, entity: string, check: string): Promise<ImportedBreak[]> => {
  const { rows } = await sql<ImportedBreak>`
    select break_id, subject, reason, status from books.breaks
    where entity_id = ${entity} and check_name = ${check} and status not in ('waived', 'resolved')
    order by since, break_id`.execute(db);
  return rows;
};

const statesOf = async (db: Books, entity: string, account: string) => {
  const { rows } = await sql<{ status: string; lines: number }>`
    select status, count(*)::int as lines from books.external_lines
    where entity_id = ${entity} and account_name = ${account}
    group by 1 order by 1`.execute(db);
  return rows;
};

/** A file as imported for an account, oldest first. */
type ImportRow = {
  readonly entity_id: string;
  readonly account_name: string;
  readonly file_sha256: string;
  readonly file_name: string;
  readonly format: string;
  readonly imported_by: string;
  readonly imported_at: string;
  readonly starts_on: string;
  readonly ends_on: string;
  readonly statements: number;
  readonly lines: number;
  readonly withdrawn_by: string | null;
  readonly withdrawn_at: string | null;
  readonly withdrawal_reason: string | null;
};

const importRows = async (db: Books, { kind, only }: Listed): Promise<ImportRow[]> => {
  const { rows } = await sql<ImportRow>`
    select s.entity_id, s.account_name, s.file_sha256, s.file_name, s.format, s.imported_by, s.imported_at,
      min(s.starts_on)::text as starts_on, max(s.ends_on)::text as ends_on, count(*)::int as statements, sum(s.lines)::int as lines,
      s.withdrawn_by, s.withdrawn_at, s.withdrawal_reason
    from books.external_statements s
    join books.external_accounts a using (entity_id, account_name)
    where a.kind = ${kind} and (${only ?? null}::text is null or s.entity_id = ${only ?? null})
    group by s.entity_id, s.account_name, s.file_sha256, s.file_name, s.format, s.imported_by, s.imported_at, s.withdrawn_by,
      s.withdrawn_at, s.withdrawal_reason
    order by min(s.statement_number)`.execute(db);
  return rows;
};

export type ExternalAccountRow = ViewRow<
  'books.external_accounts',
  'entity_id' | 'account_name' | 'currency' | 'statements' | 'lines',
  'masked' | 'balance'
> & {
  readonly imports: readonly ImportRow[];
  readonly starts_on: string | null;
  readonly ends_on: string | null;
  readonly matched: number;
  readonly open: number;
  readonly differs: number;
  readonly unrelated: number;
};

type Listed = { readonly kind: 'bank' | 'chain'; readonly only: string | undefined };

/** The accounts of a kind, each with how its lines stand and with the files that were imported for it. */
export const externalAccounts = async (db: Books, listed: Listed): Promise<ExternalAccountRow[]> => {
  const imports = groupBy(await importRows(db, listed), accountKey);
  const accounts = await accountRows(db, listed);
  return accounts.map((account) => ({ ...account, imports: imports.get(accountKey(account)) ?? [] }));
};

const accountKey = ({ entity_id, account_name }: { entity_id: string; account_name: string }): string =>
  `${entity_id} ${account_name}`;

const accountRows = async (
  db: Books,
  { kind, only }: Listed,
): Promise<Omit<ExternalAccountRow, 'imports'>[]> => {
  const { rows } = await sql<Omit<ExternalAccountRow, 'imports'>>`
    select a.entity_id, a.account_name, a.masked, a.currency, a.statements::int, a.lines::int, a.starts_on::text, a.ends_on::text, a.balance,
      state.matched, state.open, state.differs, state.unrelated
    from books.external_accounts a
    cross join lateral (
      select (count(*) filter (where status = 'matched'))::int as matched, (count(*) filter (where status = 'open'))::int as open,
        (count(*) filter (where status = 'differs'))::int as differs, (count(*) filter (where status = 'unrelated'))::int as unrelated
      from books.external_lines l
      where (l.entity_id, l.account_name) = (a.entity_id, a.account_name)
    ) as state
    where a.kind = ${kind} and (${only ?? null}::text is null or a.entity_id = ${only ?? null})
    order by a.entity_id collate "C", a.account_name collate "C"`.execute(db);
  return rows;
};
