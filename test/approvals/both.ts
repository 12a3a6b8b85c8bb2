// Both people: Ada prepares and Grace approves, over books without a night.
import { approve, type Change, type Content, propose } from '../../src/approvals/approvals.ts';
import type { Database } from '../../src/database/connection.ts';
import type { Settings } from '../../src/run/settings.ts';

const KEPT: Settings = { timezone: 'UTC', currency: 'EUR' };

/** Puts a change prepared by Ada and approved by Grace in force; both act as the owner. */
export const byBoth = async (
  db: Database['db'],
  content: Content | Change,
  { entity = 'main', settings = KEPT, reason = 'as agreed' } = {},
) => {
  const desk = { db, decider: db, settings };
  const evidence = { name: 'invoices.pdf', sha256: 'a'.repeat(64) };
  const { proposal, isNew } = await propose(desk, { entity, content, reason, by: 'Ada', evidence });
  if (proposal.verdict === 'waiting') await approve(desk, { id: proposal.proposal_id, entity, by: 'Grace' });
  return isNew;
};
