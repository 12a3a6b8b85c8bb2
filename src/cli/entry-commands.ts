// Commands that propose an entry: open and adjust. Nothing is booked until another person approves it.
import type { Command } from 'commander';
import { ACTIONS, momentIn, momentOption } from '../actions/actions.ts';
import { UsageError } from '../base/errors.ts';
import {
  type AttributedOptions,
  approvals,
  entityOption,
  evidencedSignatureOf,
  legsOf,
  proposeAndPrint,
  reasonedCommand,
  signatureOf,
  withEvidence,
  withLegs,
} from './action.ts';
import { settings } from './options.ts';

export const openCommand = (): Command =>
  withEvidence(
    entityOption(
      reasonedCommand(
        'open',
        'propose opening balances from a CSV file',
        'npx tieout open --file opening.csv --by "Ada B." --reason "opened in 2019" --evidence statement.pdf',
      ),
      'balances',
    ),
  )
    .requiredOption(
      '--file <csv>',
      'one lot per line: account,currency,units,cost,cost_currency,acquired_on,date; cost is the total of the lot, date is the same on every line',
    )
    .action(async (options: AttributedOptions & { readonly file: string }) => {
      const { timezone, currency } = settings(options);
      const signature = await evidencedSignatureOf(options);
      const reading = { reporting: currency, momentOf: momentIn(timezone) };
      const opening = (await approvals()).readOpening(options.file, reading);
      await proposeAndPrint(options, 'open', async (work) =>
        (await ACTIONS.proposals()).open(work, opening, signature),
      );
    });

type AdjustOptions = AttributedOptions & {
  readonly leg?: readonly string[];
  readonly at?: string;
  readonly reverse?: string;
  readonly transfer?: string;
};

export const adjustCommand = (): Command =>
  withLegs(
    withEvidence(
      entityOption(
        reasonedCommand(
          'adjust',
          'propose a manual entry, or the reversal of one',
          'npx tieout adjust --leg "assets:trading <- equity:external:platform 1.5 BTC" --at 2026-10-31 --by "Ada B." --reason "promised by mail" --evidence mail.eml',
        ),
        'entry',
      ),
    ),
  )
    .option('--at <moment>', 'effective date: an instant or a day (its start)')
    .option('--reverse <entry>', 'id of the manual entry to reverse')
    .option(
      '--transfer <record>',
      'id of the own transfer of which the leg books as a fee what did not arrive',
    )
    .action(async (options: AdjustOptions) => {
      if (options.reverse !== undefined) return reverse(options, options.reverse);
      const legs = await legsOf(options.leg);
      if (options.at === undefined)
        throw new UsageError(
          'an adjustment needs --at, its effective date: a day (2026-10-31) or an instant',
        );
      const effectiveAt = momentOption(options.at, settings(options).timezone);
      const signature = await evidencedSignatureOf(options);
      await proposeAndPrint(options, 'adjust', async (work) =>
        (await ACTIONS.proposals()).adjust(
          work,
          { legs, at: effectiveAt, transfer: options.transfer },
          signature,
        ),
      );
    });

const reverse = async (options: AdjustOptions, entryId: string): Promise<void> => {
  if ([options.leg, options.at, options.transfer].some((option) => option !== undefined))
    throw new UsageError(
      '--reverse reverses a whole entry at its own effective date: remove --leg, --at and --transfer',
    );
  const signature = await signatureOf(options);
  await proposeAndPrint(options, 'adjust', async (work) =>
    (await ACTIONS.proposals()).reverseEntry(work, entryId, signature),
  );
};
