// Labels: imports a file, and lists those in force.
import { basename } from 'node:path';
import { sql } from 'kysely';
import { type LabelLine, labelsChange } from '../approvals/approvals.ts';
import type { Books } from '../database/connection.ts';
import type { Work } from '../run/work.ts';
import { type SubmittedProposal, submitProposal } from './proposals.ts';

/** Proposes the labels of a file, to replace those in force. */
export const proposeLabels = async (
  work: Work,
  { lines, path, by }: { readonly lines: readonly LabelLine[]; readonly path: string; readonly by: string },
): Promise<SubmittedProposal> => {
  const fileName = basename(path);
  const content = await labelsChange(work.db, { lines, fileName });
  const signature = { by, reason: `the labels of ${fileName}`, evidence: null };
  return submitProposal(work, signature, { entity: work.config.entity, content });
};

type LabelRow = Readonly<
  Record<'kind' | 'id' | 'label' | 'file_name' | 'imported_by' | 'imported_at', string>
> & { readonly version: number };

/** The labels in force, by kind and id. */
export const labelRows = async (db: Books): Promise<LabelRow[]> => {
  const { rows } = await sql<LabelRow>`
    select kind, id, label, version, file_name, imported_by, imported_at from books.labels
    order by array_position(array['entity', 'pocket', 'account', 'counterparty'], kind), id collate "C"`.execute(
    db,
  );
  return rows;
};
