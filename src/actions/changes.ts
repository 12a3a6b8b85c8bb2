// Proposals that book no entry: lots from a file, official rates, budgets, accepted value findings.
import {
  acceptance,
  budgetChange,
  type Duties,
  importOf,
  type LotChoiceFile,
  type LotsFile,
  lotChoiceChange,
  lotsChange,
  setDuties,
} from '../approvals/approvals.ts';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { ratesText } from '../land/land.ts';
import type { OfficialFile } from '../land/official.ts';
import { closedThrough, sealsOf } from '../ledger/ledger.ts';
import { offlineResult } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { begunMonth, monthsOf } from './close.ts';
import { entityOf, type Signature, type SubmittedProposal, submitProposal } from './proposals.ts';

/** Proposes a file's lots, unless they are stored. */
export const importLots = async (
  work: Work,
  file: LotsFile,
  signature: Signature,
): Promise<SubmittedProposal> => {
  const entity = await entityOf(work, signature.only);
  const content = lotsChange(file);
  const known = await importOf(work.db, entity, content);
  if (known === null) return submitProposal(work, signature, { entity, content });
  return nothingProposed(`the lots of ${file.name} are those of ${known}`);
};

const nothingProposed = (why: string): SubmittedProposal => ({
  result: offlineResult(0, `${why}: nothing was proposed`),
  shown: null,
  isNew: false,
});

/** Proposes the lots that disposals use, from a file. */
export const chooseLots = async (
  work: Work,
  file: LotChoiceFile,
  signature: Signature,
): Promise<SubmittedProposal> => {
  const entity = await entityOf(work, signature.only);
  const content = await lotChoiceChange(work.db, entity, file);
  return submitProposal(work, signature, { entity, content });
};

/** Proposes a file's official rates, unless the newest stored file has the same ones. */
export const importRates = async (work: Work, file: OfficialFile, by: string): Promise<SubmittedProposal> => {
  const rates = await ratesText(work.db, file);
  if (rates === null) return nothingProposed(`the rates of ${file.name} are already stored`);
  const description = `${counted(file.rates.length, 'official rate')} of ${counted(file.days, 'day')} in ${file.name}`;
  const content = { action: 'rates', description, ...rates } as const;
  const signature = { by, reason: `the rates of ${file.name}`, evidence: null };
  return submitProposal(work, signature, { entity: work.config.entity, content });
};

/** Proposes the limit on the value of waived breaks and value findings in a month, for each entity that a close includes. */
export const proposeBudget = async (
  work: Work,
  ceiling: string,
  signature: Signature,
): Promise<SubmittedProposal[]> => {
  const { currency } = work.config;
  const made: SubmittedProposal[] = [];
  for (const entity of await monthsOf(work, signature.only)) {
    const content = await budgetChange(work.db, entity, { ceiling, currency });
    made.push(await submitProposal(work, signature, { entity, content }));
  }
  return made;
};

/** Proposes to accept a number of value findings for the close of a month, for each entity with that month open. */
export const acceptUnvalued = async (
  work: Work,
  { month, limit }: { readonly month: string; readonly limit: number },
  signature: Signature,
): Promise<SubmittedProposal[]> => {
  const { period } = await begunMonth(work, month);
  const entities = await monthsOf(work, signature.only);
  const open: string[] = [];
  for (const entity of entities) {
    const closed = closedThrough(await sealsOf(work.db, entity), null);
    if (closed === null || period > closed) open.push(entity);
  }
  if (open.length === 0)
    throw new UsageError(
      `${period} of ${entities.join(', ')} is closed: value findings are accepted before the close`,
    );
  const made: SubmittedProposal[] = [];
  for (const entity of open) {
    const content = await acceptance(work.db, entity, { period, findingsMax: limit });
    made.push(await submitProposal(work, signature, { entity, content }));
  }
  return made;
};

/** Records whether one person may prepare and approve. */
export const switchDuties = async (
  work: Work,
  wanted: { readonly isOnePerson: boolean; readonly by: string; readonly reason: string },
): Promise<{ readonly result: Result; readonly duties: Duties }> => {
  const duties = await setDuties(await work.as('approver'), wanted);
  return { result: offlineResult(0, dutiesText(duties)), duties };
};

/** The setting as a cover page shows it. */
export const dutiesText = ({ is_one_person, version, set_by, set_at, reason }: Duties): string =>
  `${is_one_person ? 'ONE PERSON PREPARES AND APPROVES' : 'two people: one prepares, another approves'} (version ${version}, by ${set_by} at ${set_at}: ${reason})`;
