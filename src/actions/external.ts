// Bank and chain: imports statements of our accounts outside the platform, and compares them with the books at once.
import { sql } from 'kysely';
import { counted } from '../base/counted.ts';
import type { Books } from '../database/connection.ts';
import type { ViewRow } from '../database/view-row.ts';
import {
  type BankImport,
  type ChainImport,
  type ImportOutcome,
  importBank,
  importChain,
} from '../external/external.ts';
import { reconcileExternal } from '../reconcile/reconcile.ts';
import { offlineResult } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';

export type ImportedBreak = ViewRow<'books.breaks', 'break_id' | 'subject' | 'reason' | 'status'>;

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
  const paired = await reconcileExternal(tx, work.run, ask.entity);
  const breaks = await openBreaks(tx, ask.entity, `${outcome.kind}_lines`);
  const states = await statesOf(tx, ask.entity, outcome.account);
  const summary = `${outcome.kind} ${outcome.account} of ${ask.entity}: ${counted(outcome.lines, 'new line')} of ${ask.file.name}, ${counted(paired, 'pair')}, ${counted(breaks.length, 'open break')}`;
  return {
    entity: ask.entity,
    outcome,
    paired,
    states,
    breaks,
    result: offlineResult(breaks.length === 0 ? 0 : 1, summary),
  };
};

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

export type ExternalAccountRow = ViewRow<
  'books.external_accounts',
  'entity_id' | 'account_name' | 'currency' | 'statements' | 'lines',
  'masked' | 'balance'
> & {
  readonly starts_on: string | null;
  readonly ends_on: string | null;
  readonly matched: number;
  readonly open: number;
  readonly differs: number;
  readonly unrelated: number;
};

/** The accounts of a kind, each with how its lines stand. */
export const externalAccounts = async (
  db: Books,
  { kind, only }: { readonly kind: 'bank' | 'chain'; readonly only: string | undefined },
): Promise<ExternalAccountRow[]> => {
  const { rows } = await sql<ExternalAccountRow>`
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
