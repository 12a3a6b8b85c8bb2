// approve: lists what awaits approval; approves or refuses a proposal, or approves a closed month.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { UsageError } from '../base/errors.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { approvals, proposalJson, proposalText, runAction } from './action.ts';
import { bookCommand, filled, personName, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

type ApproveOptions = Shared & {
  readonly by?: string;
  readonly entity?: string;
  readonly refuse?: boolean;
  readonly reason?: string;
};

const PROPOSAL = /^[0-9a-f]{12}$/;
const MONTH = /^\d{4}-\d{2}$/;

export const approveCommand = (): Command =>
  bookCommand(
    'approve',
    'list items that await approval, or approve one by id or month',
    'npx tieout approve 5d1f0c9b72ae --by "Grace H."',
  )
    .argument('[what]', 'proposal id or closed month, such as 2026-10 (default: list all)')
    .option('--by <name>', 'approver; must not be the preparer', personName)
    .option('--entity <id>', 'only this entity')
    .option('--refuse', 'refuse the proposal; nothing is booked')
    .option('--reason <text>', 'reason for the refusal, kept in the audit trail')
    .action(async (what: string | undefined, options: ApproveOptions) => {
      if (what === undefined) return list(options);
      const answer = answerTo(what, options);
      const result = await runAction(settings(options), 'approve', answer);
      if (options.json) printJson({ exit_code: result.exitCode, summary: result.summary });
      else print(result.summary);
    });

const list = async (options: ApproveOptions): Promise<void> => {
  if (options.by !== undefined || options.refuse)
    throw new UsageError(
      '--by and --refuse need a proposal id or a month; approve alone lists what awaits approval',
    );
  const config = settings(options);
  const { shown, seals } = await withBooks(config, async ({ db }) => {
    await bookedEntities({ db }, options.entity);
    const { waiting } = await ACTIONS.proposals();
    const { unapproved } = await ACTIONS.lists();
    return {
      shown: await waiting({ db, config }, options.entity),
      seals: await unapproved(db, options.entity),
    };
  });
  if (options.json) return printJson({ proposals: shown.map(proposalJson), seals });
  const { linesOf } = await approvals();
  const months = seals.map((seal) => [
    seal.period,
    seal.entity_id,
    seal.prepared_by,
    seal.sealed_at,
    seal.root,
  ]);
  const sections = [
    ...shown.map((one) => proposalText(one, linesOf)),
    ...(seals.length > 0
      ? [
          table(['month', 'entity', 'closed by', 'at', 'root'], months),
          'to approve a closed month, a second person types: npx tieout approve MONTH --entity ID --by NAME',
        ]
      : []),
  ];
  print(sections.length === 0 ? 'nothing awaits approval' : sections.join('\n\n'));
};

/** The action of the answer. Every usage error is found before a database is opened. */
const answerTo = (what: string, { by, entity: only, refuse, reason }: ApproveOptions) => {
  if (!PROPOSAL.test(what) && !MONTH.test(what))
    throw new UsageError(
      `"${what.slice(0, 60)}" is neither the id of a proposal (twelve hex digits) nor a month: npx tieout approve lists both`,
    );
  if (by === undefined) throw new UsageError('approve needs --by NAME: the approver');
  const name = filled('by', by);
  if (MONTH.test(what)) {
    if (refuse) throw new UsageError('a closed month cannot be refused: reopen it with npx tieout reopen');
    return async (work: Work) => {
      const { approveMonths } = await ACTIONS.close();
      return approveMonths(work, { period: what, only, by: name });
    };
  }
  if (!refuse) {
    if (reason !== undefined) throw new UsageError('--reason is the reason for a refusal: add --refuse');
    return async (work: Work) =>
      (await ACTIONS.proposals()).approveProposal(work, { id: what, only, by: name });
  }
  if (reason === undefined) throw new UsageError('--refuse needs a --reason');
  const why = filled('reason', reason);
  return async (work: Work) =>
    (await ACTIONS.proposals()).refuseProposal(work, { id: what, only, by: name, reason: why });
};
