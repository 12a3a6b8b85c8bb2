// Counterparties: imports rules, and lists who is on the other side, unknown ones first.
import { basename } from 'node:path';
import { sql } from 'kysely';
import { type Rule, rulesChange } from '../approvals/approvals.ts';
import type { Books } from '../database/connection.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { Work } from '../run/work.ts';
import { type SubmittedProposal, submitProposal } from './proposals.ts';

/** Proposes the rules of a file, to replace those in force. */
export const importCounterparties = async (
  work: Work,
  { rules, path, by }: { readonly rules: readonly Rule[]; readonly path: string; readonly by: string },
): Promise<SubmittedProposal> => {
  const fileName = basename(path);
  const content = await rulesChange(work.db, { rules, fileName });
  const signature = { by, reason: `the rules of ${fileName}`, evidence: null };
  return submitProposal(work, signature, { entity: work.config.entity, content });
};

type CounterpartyRow = Readonly<
  Record<'counterparty_type' | 'account' | 'currency' | 'in' | 'out', string> &
    Record<'counterparty' | 'operation' | 'address' | 'value', string | null>
> & { readonly records: number };

/** Counterparties of one entity or all, largest first; unknown ones have the details that identify them. */
export const counterpartyRows = (
  db: Books,
  { only, currency }: { readonly only?: string | undefined; readonly currency: string },
): Promise<CounterpartyRow[]> =>
  readRows<CounterpartyRow>(db, loadSql('status/counterparties.sql', { entity: only ?? '', currency }));

export type RuleRow = Readonly<
  Record<'counterparty' | 'counterparty_type' | 'imported_by' | 'imported_at' | 'not_known_to', string> &
    Record<'class' | 'address' | 'bank_account' | 'operation', string | null>
> & { readonly version: number; readonly line: number };

/** The rules in force, in order. */
export const ruleRows = async (db: Books): Promise<RuleRow[]> => {
  const { rows } = await sql<RuleRow>`select * from books.counterparty_rules order by line`.execute(db);
  return rows;
};
