// The command line: one command per verb, one clear line per mistake, and the exit codes of the design.
import { Command, InvalidArgumentError, type Option } from 'commander';
import { programVersion } from '../base/root.ts';
import { meantText } from '../base/similar.ts';
import { approveCommand } from './approve-command.ts';
import { dumpCommand, restoreCommand } from './backup-commands.ts';
import { breakCommands } from './break-commands.ts';
import { completionCommand } from './completion-command.ts';
import { confirmCommand } from './confirm-command.ts';
import { consolidateCommand } from './consolidate-command.ts';
import { counterpartyCommands } from './counterparty-commands.ts';
import { dbCommand, psqlCommand } from './database-commands.ts';
import { demoCommand } from './demo-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { mistakeText, reportEnd } from './ending.ts';
import { entityCommands } from './entity-commands.ts';
import { adjustCommand, openCommand } from './entry-commands.ts';
import { eraseCommand } from './erase-command.ts';
import { initCommand } from './init-command.ts';
import { listenCommand } from './listen-command.ts';
import { chooseLog } from './log.ts';
import { lotsCommand } from './lots-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { closeCommand, reopenCommand, restateCommand } from './period-commands.ts';
import { queryCommand } from './query-command.ts';
import { ratesCommand } from './rates-command.ts';
import { rebuildCommand } from './rebuild-command.ts';
import { rejectCommands } from './reject-commands.ts';
import { runCommands } from './run-commands.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { budgetCommand, dutiesCommand, valuesCommand } from './second-person-commands.ts';
import { serveCommand } from './serve-command.ts';
import { statusCommand } from './status-command.ts';
import { chooseDisplay } from './terminal.ts';
import { aimAt } from './typed-commands.ts';
import { verifyCommand } from './verify-command.ts';
import { viewsCommand } from './views-command.ts';
import { workerCommand } from './worker-command.ts';

/** The commands in the groups of `tieout --help`, in their order. */
const groups = (): Readonly<Record<string, readonly Command[]>> => ({
  'Get started:': [demoCommand(), initCommand(), doctorCommand(), sandboxCommand(), completionCommand()],
  'Nightly run:': [...runCommands(), workerCommand(), listenCommand(), serveCommand()],
  'Inspect:': [statusCommand(), queryCommand(), viewsCommand(), psqlCommand(), consolidateCommand()],
  'Breaks:': [breakCommands(), rejectCommands(), adjustCommand(), approveCommand()],
  'Close:': [
    closeCommand(),
    reopenCommand(),
    restateCommand(),
    budgetCommand(),
    valuesCommand(),
    dutiesCommand(),
  ],
  'Master data:': [entityCommands(), counterpartyCommands(), ratesCommand(), lotsCommand(), openCommand()],
  'Proofs:': [verifyCommand(), confirmCommand()],
  'Database:': [
    dbCommand(),
    dumpCommand(),
    restoreCommand(),
    migrateCommand(),
    rebuildCommand(),
    eraseCommand(),
  ],
});

/** A value that is none of an option's choices is answered with the nearest one, as unknown commands and options are. */
const suggestChoices = (option: Option): void => {
  const { argChoices: choices, parseArg } = option;
  if (!choices || !parseArg) return;
  option.argParser((value: string, previous: unknown) => {
    if (choices.includes(value)) return parseArg(value, previous);
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${meantText(value, choices)}`);
  });
};

/** The command line with all commands. */
export const program = (): Command => {
  const main = new Command('tieout')
    .description('Nightly double-entry books for an account on a crypto and fiat gateway.')
    .version(programVersion, '-V, --version', 'print the version')
    .option('--wide', 'every command: shorten nothing in tables')
    .option('--no-color', 'every command: print without colours')
    .option('--no-pager', 'every command: show long tables without $PAGER')
    .configureHelp({ showGlobalOptions: true });
  for (const [heading, commands] of Object.entries(groups())) {
    main.commandsGroup(heading);
    for (const command of commands) main.addCommand(command);
  }
  main.commandsGroup('Help:');
  for (const command of withInner(main)) {
    for (const option of command.options) suggestChoices(option);
    if (command.commands.length > 0) command.helpCommand('help [command]', 'show help for a command');
    command
      .helpOption('-h, --help', 'show help')
      .exitOverride()
      .configureOutput({ outputError: (text, write) => write(mistakeText(text)) });
  }
  return main;
};

/** A command and all its subcommands, because commander does not pass settings down to subcommands added later. */
const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];

const demoCommands = (command: Command): string[] =>
  command.commands.flatMap((inner) => [
    ...(inner.options.some(({ long }) => long === '--demo') ? [inner.name()] : []),
    ...demoCommands(inner).map((name) => `${inner.name()} ${name}`),
  ]);

/**
 * Runs one command line and sets the exit code of the process. An error is one line on standard error. After a signal,
 * the signal's reason is reported instead of the failures that it caused.
 */
export const run = (args: readonly string[], signal?: AbortSignal): Promise<void> => {
  const command = args.find((word) => !word.startsWith('-')) ?? '';
  chooseLog({ command, json: args.includes('--json') });
  return program()
    .hook('preAction', (main, command) => {
      command.setOptionValue('signal', signal);
      const { wide = false, color, pager } = main.opts();
      chooseDisplay({ isWide: wide, hasColor: color, hasPager: pager });
      aimAt({ isDemo: command.opts().demo === true, commands: new Set(demoCommands(main)) });
    })
    .parseAsync(args, { from: 'user' })
    .then(
      () => {},
      (error: unknown) => {
        process.exitCode = reportEnd(signal?.aborted ? signal.reason : error);
      },
    );
};
