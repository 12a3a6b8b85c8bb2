// Approvals that two people settle before a month closes: the budget, and accepted value findings; and the setting
// whether two people are required at all.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { UsageError } from '../base/errors.ts';
import { readAmount } from '../base/money.ts';
import { withBooks } from '../run/run.ts';
import {
  type AttributedOptions,
  approvals,
  attributedCommand,
  proposeEachAndPrint,
  reasonedCommand,
  runAction,
  signatureOf,
} from './action.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson } from './print.ts';

/** An amount of money without a sign. Throws UsageError for anything else. */
export const budgetAmount = (name: string, text: string): string => {
  const read = readAmount(text);
  if (/^[\d.]+$/.test(text) && 'amount' in read) return read.amount;
  throw new UsageError(`${name} is "${text.slice(0, 60)}": write an amount such as 100 or 99.50`);
};

const budgetSetCommand = (): Command =>
  attributedCommand(
    'set',
    'propose the highest total value of waived breaks and value findings per month, for every entity or one',
    'npx tieout budget set 100 --by "Grace H." --reason "one per mille of the balance"',
  )
    .argument('<amount>', 'amount in the reporting currency')
    .action(async (text: string, options: AttributedOptions) => {
      const ceiling = budgetAmount('the amount', text);
      const signature = await signatureOf(options);
      await proposeEachAndPrint(options, 'budget', async (work) =>
        (await ACTIONS.changes()).proposeBudget(work, ceiling, signature),
      );
    });

export const budgetCommand = (): Command =>
  new Command('budget')
    .description('limit for differences that a close may accept; set by someone other than the closer')
    .addCommand(budgetSetCommand())
    .addHelpText('after', '\nExample:\n  npx tieout budget set 100 --by "Grace H." --reason "as agreed"\n');

type AcceptOptions = AttributedOptions & { readonly limit: string };

const acceptCommand = (): Command =>
  attributedCommand(
    'accept',
    'propose to close a month with value findings, for every entity or one',
    'npx tieout values accept 2026-10 --limit 3 --by "Ada B." --reason "tokens without a market"',
  )
    .argument('<month>', 'month, such as 2026-10')
    .requiredOption('--limit <count>', 'highest number of value findings')
    .action(async (month: string, options: AcceptOptions) => {
      if (!/^[1-9]\d{0,8}$/.test(options.limit))
        throw new UsageError(`--limit is "${options.limit.slice(0, 60)}": write a whole number such as 3`);
      const limit = Number.parseInt(options.limit, 10);
      const signature = await signatureOf(options);
      await proposeEachAndPrint(options, 'values', async (work) =>
        (await ACTIONS.changes()).acceptUnvalued(work, { month, limit }, signature),
      );
    });

export const valuesCommand = (): Command =>
  new Command('values')
    .description('value findings: what has no value in the reporting currency, or one to look at')
    .addCommand(acceptCommand())
    .addHelpText(
      'after',
      '\nExample:\n  npx tieout values accept 2026-10 --limit 3 --by "Ada B." --reason "tokens without a market"\n',
    );

const dutiesSwitch = (name: string, isOnePerson: boolean, summary: string): Command =>
  reasonedCommand(
    name,
    summary,
    `npx tieout duties ${name} --by "Ada B." --reason "${isOnePerson ? 'there is nobody else in the company' : 'Grace H. joined the company'}"`,
  ).action(async (options: AttributedOptions) => {
    const { by, reason } = await signatureOf(options);
    const result = await runAction(settings(options), 'duties', async (work) => {
      const done = await (await ACTIONS.changes()).switchDuties(work, { isOnePerson, by, reason });
      return done.result;
    });
    if (options.json) printJson({ exit_code: result.exitCode, summary: result.summary });
    else print(result.summary);
  });

/** As of books in which nobody has changed the rule. */
const NEVER_CHANGED = { version: 0, is_one_person: false, set_by: null, reason: null, set_at: null };

const dutiesShow = (): Command =>
  bookCommand(
    'show',
    'show whether an approval needs a second person, and who decided that',
    'npx tieout duties show',
  ).action(async (options: Shared) => {
    const duties = await withBooks(settings(options), async ({ db }) => (await approvals()).dutiesOf(db));
    if (options.json) return printJson(duties ?? NEVER_CHANGED);
    print(
      duties === null
        ? 'two people: one prepares, another approves'
        : (await ACTIONS.changes()).dutiesText(duties),
    );
  });

export const dutiesCommand = (): Command =>
  new Command('duties')
    .description('segregation of duties: whether one person may both prepare and approve')
    .addCommand(dutiesShow())
    .addCommand(
      dutiesSwitch(
        'one-person',
        true,
        'let one person prepare and approve from now on, in all entities; shown on every report cover',
      ),
    )
    .addCommand(
      dutiesSwitch('two-people', false, 'require a second person to approve from now on, in all entities'),
    )
    .addHelpText('after', '\nExample:\n  npx tieout duties show\n');
