// A proposal as it is stored, and whether somebody altered it since.
import { canonical, sha256 } from '../base/json.ts';

/** A proposal as it is stored: its content is canonical JSON. */
export type StoredProposal = {
  readonly entity_id: string;
  readonly proposal_id: string;
  readonly content: string;
  readonly content_sha256: string | null;
  readonly reason: string;
  readonly evidence_sha256: string | null;
  readonly prepared_by: string;
};

/**
 * Twelve hex digits over content, reason, evidence and preparer: proposing the same again gives the same id, and what was altered since
 * has another one than the approver names.
 */
export const idOfStored = (stored: Omit<StoredProposal, 'proposal_id' | 'content_sha256'>): string => {
  const [entity, ...rest] = [stored.entity_id, stored.reason, stored.evidence_sha256, stored.prepared_by].map(
    canonical,
  );
  return sha256(`[${[entity, stored.content, ...rest].join(',')}]`).slice(0, 12);
};

/** Its id is a digest of what was prepared: who writes other content and its digest cannot keep the id that the approver names. */
export const isAltered = (stored: StoredProposal): boolean =>
  idOfStored(stored) !== stored.proposal_id || sha256(stored.content) !== stored.content_sha256;
