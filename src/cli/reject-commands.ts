// rejects: the records that no rule accepts, and people's decisions on them.
import { Command } from 'commander';
import { ACTIONS, momentOption } from '../actions/actions.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import {
  type AttributedOptions,
  attributedCommand,
  evidencedSignatureOf,
  legsOf,
  proposeAndPrint,
  signatureOf,
  withEvidence,
  withLegs,
} from './action.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { nextText, printJson, printLong, table } from './print.ts';

type RejectListOptions = Shared & { readonly entity?: string };

const listCommand = (): Command =>
  bookCommand('list', 'list rejected records and the decisions about them', 'npx tieout rejects list')
    .option('--entity <id>', 'only this entity')
    .action(async (options: RejectListOptions) => {
      const rows = await withBooks(settings(options), async ({ db }) => {
        await bookedEntities({ db }, options.entity);
        return (await ACTIONS.lists()).rejectsIn(db, options.entity);
      });
      if (options.json) return printJson(rows);
      const head = ['entity', 'stream', 'record', 'version', 'effective at', 'reason', 'decision', 'by'];
      const cells = rows.map((row) => [
        row.entity_id,
        row.stream,
        row.record_id,
        row.version,
        row.effective_at,
        row.reason,
        row.decision,
        row.decided_by,
      ]);
      const isOpen = rows.some(({ decision }) => decision === null);
      const lines = [
        rows.length === 0 ? 'no record is rejected' : table(head, cells),
        ...(isOpen ? NEXT : []),
      ];
      printLong(lines.join('\n'));
    });

/** A correction of an older record is seen by a full reading only. */
const NEXT = [
  '',
  nextText([
    'npx tieout nightly --full   # if the platform has corrected one: reads every list again',
    'npx tieout rejects settle --help   # books one as what the platform says that it was',
    'npx tieout rejects dismiss --help   # puts one aside, if nothing is to be booked',
  ]),
];

const ofRecord = (command: Command): Command =>
  command
    .argument('<stream>', 'stream, such as wallet-transactions')
    .argument('<record>', 'record id, as the gateway wrote it');

type SettleOptions = AttributedOptions & { readonly leg?: readonly string[]; readonly at?: string };

const settleCommand = (): Command =>
  ofRecord(
    withLegs(
      withEvidence(
        attributedCommand(
          'settle',
          'propose an entry for a rejected record',
          'npx tieout rejects settle wallet-transactions 0c91 --leg "equity:external:platform <- assets:trading 12.5 EUR" --by "Ada B." --reason "a fee, by mail" --evidence mail.eml',
        ),
      ),
    ),
  )
    .option('--at <moment>', 'effective date, if it differs from that of the record')
    .action(async (stream: string, recordId: string, options: SettleOptions) => {
      const legs = await legsOf(options.leg);
      const effectiveAt =
        options.at === undefined ? null : momentOption(options.at, settings(options).timezone);
      const signature = await evidencedSignatureOf(options);
      await proposeAndPrint(options, 'settle', async (work) =>
        (await ACTIONS.proposals()).settle(work, { stream, recordId, legs, at: effectiveAt }, signature),
      );
    });

const dismissCommand = (): Command =>
  ofRecord(
    attributedCommand(
      'dismiss',
      'propose to dismiss a rejected record; nothing is booked',
      'npx tieout rejects dismiss movements 7f3a --by "Ada B." --reason "a test of the platform, of nothing"',
    ),
  ).action(async (stream: string, recordId: string, options: AttributedOptions) => {
    const { only, by, reason } = await signatureOf(options);
    await proposeAndPrint(options, 'dismiss', async (work) =>
      (await ACTIONS.proposals()).dismissReject(work, { stream, recordId }, { only, by, reason }),
    );
  });

export const rejectCommands = (): Command =>
  new Command('rejects')
    .description('list rejected records, settle them with an entry, or dismiss them')
    .addCommand(listCommand())
    .addCommand(settleCommand())
    .addCommand(dismissCommand())
    .addHelpText('after', '\nExample:\n  npx tieout rejects list\n');
