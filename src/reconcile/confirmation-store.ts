// What every confirmation stores: which file was compared, as of when, by whom, and how many lines agree.
import { randomBytes } from 'node:crypto';
import { sha256 } from '../base/json.ts';
import type { Books } from '../database/connection.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { StatementEvidence } from './stated.ts';

/** The file that a person provides, and for which books. */
export type ConfirmAsk = {
  readonly entity: string;
  readonly asOf: string;
  readonly statement: StatementEvidence;
  readonly evidence: StatementEvidence | null;
  readonly by: string;
  readonly at: string;
};

/** A comparison as stored. */
export type StoredConfirmation = {
  readonly confirmationId: string;
  readonly sha256: string;
  readonly evidenceSha256: string | null;
  /** The end of proved coverage, at most the instant of the comparison; null if nothing is proved. */
  readonly coveredTo: string | null;
  readonly differing: number;
};

type Compared = {
  readonly lines: number;
  readonly differing: number;
  /** Of a year: the year, the currency of its money, and the difference in money that counts as none. */
  readonly yearly: { readonly year: string; readonly currency: string; readonly tolerance: string } | null;
};

/** Stores the head of a comparison. Its lines are the caller's. */
export const storeConfirmation = async (
  tx: Books,
  ask: ConfirmAsk,
  { lines, differing, yearly }: Compared,
): Promise<StoredConfirmation> => {
  const stored: StoredConfirmation = {
    confirmationId: randomBytes(6).toString('hex'),
    sha256: sha256(ask.statement.bytes),
    evidenceSha256: ask.evidence && sha256(ask.evidence.bytes),
    coveredTo: await coveredTo(tx, ask),
    differing,
  };
  await tx
    .insertInto('reconcile.confirmations')
    .values({
      entity_id: ask.entity,
      confirmation_id: stored.confirmationId,
      as_of: ask.asOf,
      year: yearly?.year ?? null,
      currency: yearly?.currency ?? null,
      tolerance: yearly?.tolerance ?? null,
      file_name: ask.statement.name,
      file_sha256: stored.sha256,
      by_name: ask.by,
      at: ask.at,
      evidence_name: ask.evidence?.name ?? null,
      evidence_sha256: stored.evidenceSha256,
      covered_to: stored.coveredTo,
      lines,
      agreed: lines - differing,
      differing,
    })
    .execute();
  return stored;
};

const coveredTo = async (tx: Books, { entity, asOf }: ConfirmAsk): Promise<string | null> => {
  const query = loadSql('export/as_of.sql', { to: asOf, entity, last_run: '' });
  const [row] = await readRows<{ as_of: string | null }>(tx, query);
  return row?.as_of ?? null;
};
