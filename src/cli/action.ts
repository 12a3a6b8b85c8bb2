// Actions: what the commands of people share. Each action is a run of its own, with the name of a person.

import type { Command } from 'commander';
import type { ProposalView, Signature, SubmittedProposal } from '../actions/proposals.ts';
import { UsageError } from '../base/errors.ts';
import type { Config } from '../config/environment.ts';
import type { Leg } from '../ledger/entry.ts';
import { withRun } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { print, printJson } from './print.ts';
import { oneLine } from './table-layout.ts';

export const approvals = () => import('../approvals/approvals.ts');

/** Runs an action as a run of its own, and sets the process's exit code to the run's. */
export const runAction = async (
  config: Config,
  job: string,
  work: (work: Work) => Promise<Result>,
): Promise<Result> => {
  const result = await withRun(config, job, { tell: () => {}, work });
  process.exitCode = result.exitCode;
  return result;
};

export type AttributedOptions = Shared & {
  readonly entity?: string;
  readonly by: string;
  readonly reason: string;
  readonly evidence?: string;
};

/** A command of a person: it requires a name and a reason. */
export const reasonedCommand = (name: string, summary: string, example: string): Command =>
  signed(bookCommand(name, summary, example)).requiredOption(
    '--reason <text>',
    'reason, kept in the audit trail',
  );

/** The same for all entities, or one. */
export const attributedCommand = (name: string, summary: string, example: string): Command =>
  reasonedCommand(name, summary, example).option('--entity <id>', 'only this entity');

/** An option for what belongs to one entity: unlike others, such a command is never about all of them. */
export const entityOption = (command: Command, owned: string): Command =>
  command.option('--entity <id>', `entity of the ${owned} (default: the main account)`);

const EVIDENCE = ['--evidence <file>', 'supporting document; its file name and SHA-256 are stored'] as const;

export const withEvidence = (command: Command): Command => command.option(...EVIDENCE);

/** The attribution of a proposal. Throws a UsageError if the name or the reason is blank. */
export const signatureOf = async (options: AttributedOptions): Promise<Signature> => ({
  only: options.entity,
  by: filled('by', options.by),
  reason: filled('reason', options.reason),
  evidence: options.evidence === undefined ? null : (await approvals()).evidenceOf(options.evidence),
});

/** The same of what becomes an entry. Throws a UsageError without evidence. */
export const evidencedSignatureOf = async (options: AttributedOptions): Promise<Signature> => {
  const signature = await signatureOf(options);
  if (signature.evidence !== null) return signature;
  throw new UsageError(
    'an entry needs --evidence FILE: a supporting document, such as a statement or an e-mail',
  );
};

/** An option that may be given several times. */
export const withLegs = (command: Command): Command =>
  command.option(
    '--leg <leg>',
    '"debit <- credit amount currency"; repeat for each leg',
    (leg: string, legs: string[] = []) => [...legs, leg],
  );

export const legsOf = async (legs: readonly string[] | undefined): Promise<Leg[]> => {
  const { readLeg } = await approvals();
  if (legs === undefined)
    throw new UsageError(
      'an entry needs --leg, such as --leg "assets:trading <- equity:external:platform 1.5 BTC"',
    );
  return legs.map(readLeg);
};

/** Submits a proposal and prints it. */
export const proposeAndPrint = async (
  options: Shared,
  job: string,
  propose: (work: Work) => Promise<SubmittedProposal>,
): Promise<void> => {
  const [done] = await submitProposals(options, job, async (work) => [await propose(work)]);
  if (options.json) printJson(submittedJson(done as SubmittedProposal));
  else print(submittedText(done as SubmittedProposal, (await approvals()).linesOf));
};

/** Submits a proposal for each entity and prints them. */
export const proposeEachAndPrint = async (
  options: Shared,
  job: string,
  propose: (work: Work) => Promise<SubmittedProposal[]>,
): Promise<void> => {
  const made = await submitProposals(options, job, propose);
  if (options.json) return printJson({ exit_code: process.exitCode, proposals: made.map(submittedJson) });
  const { linesOf } = await approvals();
  print(made.map((done) => submittedText(done, linesOf)).join('\n\n'));
};

const submitProposals = async (
  options: Shared,
  job: string,
  propose: (work: Work) => Promise<SubmittedProposal[]>,
): Promise<SubmittedProposal[]> => {
  const made: SubmittedProposal[] = [];
  await runAction(settings(options), job, async (work) => {
    made.push(...(await propose(work)));
    const results = made.map(({ result }) => result);
    const worst = results.reduce((one, other) => (other.exitCode > one.exitCode ? other : one));
    return { ...worst, summary: results.map(({ summary }) => summary).join('; ') };
  });
  return made;
};

const submittedJson = ({ shown, isNew, result: { exitCode, summary } }: SubmittedProposal) =>
  shown === null
    ? { exit_code: exitCode, is_new: false, summary }
    : { exit_code: exitCode, is_new: isNew, ...proposalJson(shown) };

const submittedText = ({ shown, result: { summary } }: SubmittedProposal, linesOf: LinesOf): string =>
  shown === null ? summary : `${summary}\n${proposalText(shown, linesOf)}`;

export const proposalJson = ({ proposal, content, cautions, obstacle }: ProposalView) => ({
  ...proposal,
  content,
  cautions,
  obstacle,
});

const contentLines = (content: ProposalView['content'], linesOf: LinesOf): string[] => {
  if (!('legs' in content)) return linesOf(content);
  const legs = content.legs.map(
    ([debit, credit, currency, amount], nth) =>
      `${debit} <- ${credit}  ${amount} ${currency}${costText(content.lots?.[nth])}`,
  );
  return content.reverses === undefined ? legs : [...legs, `reverses entry ${content.reverses}`];
};

/** What the lot of an opening's leg cost: later gains rest on it. */
const costText = (lot: OpenedLot | undefined): string =>
  lot?.cost == null ? '' : `, cost ${lot.cost} ${lot.cost_currency}, acquired on ${lot.acquired_on}`;

type OpenedLot = NonNullable<Extract<ProposalView['content'], { legs: unknown }>['lots']>[number];

type LinesOf = typeof import('../approvals/approvals.ts').linesOf;

/** A proposal for the approver: everything that it will do, and the reason. */
export const proposalText = (
  { proposal, content, cautions, obstacle }: ProposalView,
  linesOf: LinesOf,
): string =>
  [
    `  ${proposal.proposal_id}  ${content.description}, ${proposal.entity_id}${'legs' in content ? `, effective ${content.effective_at}` : ''}`,
    ...contentLines(content, linesOf).map((line) => `    ${line}`),
    `    prepared by ${proposal.prepared_by}: ${proposal.reason}`,
    ...(proposal.evidence_name === null
      ? []
      : [`    evidence ${proposal.evidence_name}, sha256 ${proposal.evidence_sha256}`]),
    ...('legs' in content ? [] : [`    content sha256 ${proposal.content_sha256}`]),
    ...cautions.map((caution) => `    CAUTION ${caution}`),
    ...(proposal.verdict === 'waiting' ? answerLines(proposal.proposal_id, obstacle) : []),
  ]
    .map(oneLine)
    .join('\n');

const answerLines = (id: string, obstacle: string | null): string[] =>
  obstacle === null
    ? [
        `    a second person approves it with: npx tieout approve ${id} --by NAME (to refuse it, add --refuse --reason TEXT)`,
      ]
    : [
        `    CAUTION it cannot be approved, only refused: ${obstacle}`,
        `    a second person refuses it with: npx tieout approve ${id} --refuse --reason TEXT --by NAME`,
      ];
