// Labels: proposed as a whole file and in force once another person approves it. They change no figure, no id and no proof.
import { type Kysely, sql } from 'kysely';
import { counted } from '../base/counted.ts';
import type { DB } from '../database/db-types.ts';
import type { LabelsChange } from './changes.ts';
import type { Enacted } from './enacted.ts';
import type { Label, LabelLine } from './label-file.ts';

/** The version in force; 0 if no labels were approved. */
export const labelsInForce = async (db: Kysely<DB>): Promise<string> => {
  const { rows } = await sql<{ version: string }>`
    select coalesce(max(version), 0)::text as version from decide.label_files`.execute(db);
  return rows[0]?.version ?? '0';
};

/** A proposal of a file's labels. Throws UsageError for a label of something that is not in the books, or that is the id of another. */
export const labelsChange = async (
  db: Kysely<DB>,
  { lines, fileName }: { readonly lines: readonly LabelLine[]; readonly fileName: string },
): Promise<LabelsChange> => {
  await refuseUnknown(db, lines);
  return {
    action: 'labels',
    description: `${counted(lines.length, 'label')} of ${fileName}`,
    base: await labelsInForce(db),
    file_name: fileName,
    labels: lines.map(({ kind, id, label }) => ({ kind, id, label })),
  };
};

const WHERE: Readonly<Record<string, string>> = {
  entity: 'npx tieout entities list',
  pocket: 'npx tieout chart accounts',
  account: 'npx tieout chart accounts',
  counterparty: 'npx tieout counterparties list',
};

const refuseUnknown = async (db: Kysely<DB>, lines: readonly LabelLine[]): Promise<void> => {
  const { rows } = await sql<
    Pick<Label, 'kind' | 'id'>
  >`select kind, id from books_internal.labelled_ids`.execute(db);
  const known = new Set(rows.map(({ kind, id }) => `${kind} ${id}`));
  for (const { kind, id, label, refuse } of lines) {
    if (!known.has(`${kind} ${id}`))
      refuse('id', `no ${kind} ${id.slice(0, 100)} is in the books: look with ${WHERE[kind]}`);
    if (label !== id && known.has(`${kind} ${label}`))
      refuse('label', `"${label}" is the id of another ${kind}: write another label`);
  }
};

/** Puts approved labels in force. */
export const importLabels = async (tx: Kysely<DB>, enacted: Enacted<LabelsChange>): Promise<void> => {
  const { base, file_name, labels } = enacted.change;
  const version = Number.parseInt(base, 10) + 1;
  const proposal = { proposal_entity: enacted.entity, proposal_id: enacted.proposalId };
  await tx
    .insertInto('decide.label_files')
    .values({ version, file_name, by_name: enacted.by, at: enacted.at, ...proposal })
    .execute();
  await tx
    .insertInto('decide.labels')
    .values(labels.map((label) => ({ version, ...label })))
    .execute();
};
