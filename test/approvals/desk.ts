// A desk for tests: Ada prepares, Grace approves, over the books of real nights.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waiveOne } from '../../src/actions/breaks.ts';
import { proposeBudget } from '../../src/actions/changes.ts';
import { momentIn } from '../../src/actions/moments.ts';
import {
  adjust,
  approveProposal,
  dismissReject,
  open,
  refuseProposal,
  reverseEntry,
  type Signature,
  type SubmittedProposal,
  settle,
} from '../../src/actions/proposals.ts';
import { readLeg, readOpening } from '../../src/approvals/approvals.ts';
import type { Result, Work } from '../../src/run/work.ts';
import { as } from '../close/month.ts';
import type { Stage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';

const EVIDENCE = { name: 'mail.eml', sha256: 'ab'.repeat(32) };
const ada = (more: Partial<Signature> = {}): Signature => ({
  by: 'Ada',
  reason: 'a mail of the platform',
  evidence: EVIDENCE,
  ...more,
});

/** Proposed by Ada, approved by Grace; an earlier approval is found again. */
export const approved = async (
  stage: Stage,
  propose: (work: Work) => Promise<SubmittedProposal>,
): Promise<Result> => {
  const { shown, result } = await as(stage, propose);
  if (shown?.proposal.verdict !== 'waiting') return result;
  return as(stage, (work) => approveProposal(work, { id: shown.proposal.proposal_id, by: 'Grace' }));
};

export const deskOn = (stage: Stage) => ({
  adjust: (leg: string, effectiveAt: string, more?: Partial<Signature>): Promise<SubmittedProposal> =>
    as(stage, (work) => adjust(work, { legs: [readLeg(leg)], at: effectiveAt }, ada(more))),
  reverse: (entryId: string, more?: Partial<Signature>): Promise<SubmittedProposal> =>
    as(stage, (work) => reverseEntry(work, entryId, ada(more))),
  settle: (record: string, legs: readonly string[], more?: Partial<Signature>): Promise<SubmittedProposal> =>
    as(stage, (work) => {
      const what = { stream: 'wallet-transactions', recordId: record, at: null, legs: legs.map(readLeg) };
      return settle(work, what, ada(more));
    }),
  dismiss: (stream: string, recordId: string) =>
    approved(stage, (work) => dismissReject(work, { stream, recordId }, { by: 'Ada', reason: 'of nothing' })),
  open: (csv: string, more?: Partial<Signature>): Promise<SubmittedProposal> =>
    as(stage, (work) => {
      const reading = { reporting: 'EUR', momentOf: momentIn('UTC') };
      return open(work, readOpening(fileOf(csv), reading), ada(more));
    }),
  approve: (id: string, by = 'Grace') => as(stage, (work) => approveProposal(work, { id, by })),
  refuse: (id: string, by = 'Grace') =>
    as(stage, (work) => refuseProposal(work, { id, by, reason: 'not so' })),
  waive: (id: string, period: string) =>
    approved(stage, (work) => waiveOne(work, { id, period, by: 'Ada', reason: 'they will pay it' })),
  budget: (ceiling: string, by: string) =>
    approved(stage, async (work) => {
      const signature = { by, reason: 'what we bear', evidence: null, only: 'main' };
      const [done] = await proposeBudget(work, ceiling, signature);
      return done as SubmittedProposal;
    }),
});

/** A file with this text, removed after the test. */
export const fileOf = (text: string, name = 'opening.csv'): string => {
  const folder = newFolder();
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

export const idOf = ({ shown }: SubmittedProposal): string => shown?.proposal.proposal_id ?? '';
