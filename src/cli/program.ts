// The command line: one command per verb, one clear line per mistake, and the exit codes of the design.
import { Command } from 'commander';
import { programVersion } from '../base/root.ts';
import { approveCommand } from './approve-command.ts';
import { breakCommands } from './break-commands.ts';
import { confirmCommand } from './confirm-command.ts';
import { counterpartyCommands } from './counterparty-commands.ts';
import { demoCommand } from './demo-command.ts';
import { reportEnd } from './ending.ts';
import { entityCommands } from './entity-commands.ts';
import { entryCommands } from './entry-commands.ts';
import { eraseCommand } from './erase-command.ts';
import { lotsCommand } from './lots-command.ts';
import { periodCommands } from './period-commands.ts';
import { ratesCommand } from './rates-command.ts';
import { readCommands } from './read-commands.ts';
import { rebuildCommand } from './rebuild-command.ts';
import { rejectCommands } from './reject-commands.ts';
import { runCommands } from './run-commands.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { budgetCommand, dutiesCommand, valuesCommand } from './second-person-commands.ts';
import { aimAt } from './typed-commands.ts';
import { verifyCommand } from './verify-command.ts';

/** Every command, ready to parse. */
export const program = (): Command => {
  const main = new Command('tieout')
    .description('Nightly double-entry books for an account on a crypto and fiat gateway.')
    .version(programVersion)
    .configureHelp({ showGlobalOptions: true });
  for (const command of [
    demoCommand(),
    ...runCommands(),
    ...readCommands(),
    ...periodCommands(),
    ...entryCommands(),
    rejectCommands(),
    ratesCommand(),
    lotsCommand(),
    breakCommands(),
    approveCommand(),
    budgetCommand(),
    valuesCommand(),
    dutiesCommand(),
    entityCommands(),
    counterpartyCommands(),
    rebuildCommand(),
    verifyCommand(),
    confirmCommand(),
    eraseCommand(),
    sandboxCommand(),
  ])
    main.addCommand(command);
  for (const command of withInner(main))
    command
      .exitOverride()
      .configureOutput({ outputError: (text, write) => write(`tieout: ${text.replace(/^error: /, '')}`) });
  return main;
};

/** A command and all below it: commander hands its settings down to none that is added. */
const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];

/** The names of all commands below one that take --demo: `status`, `breaks show`. */
const demoCommands = (command: Command): string[] =>
  command.commands.flatMap((inner) => [
    ...(inner.options.some(({ long }) => long === '--demo') ? [inner.name()] : []),
    ...demoCommands(inner).map((name) => `${inner.name()} ${name}`),
  ]);

/**
 * Runs one command line to its end and sets the exit code of the process; a mistake is one line on standard error. Every
 * command is handed the signal: what failed because it fired is not what ended the command.
 */
export const run = (args: readonly string[], signal?: AbortSignal): Promise<void> =>
  program()
    .hook('preAction', (main, command) => {
      command.setOptionValue('signal', signal);
      aimAt({ isDemo: command.opts().demo === true, commands: new Set(demoCommands(main)) });
    })
    .parseAsync(args, { from: 'user' })
    .then(
      () => {},
      (error: unknown) => {
        process.exitCode = reportEnd(signal?.aborted ? signal.reason : error);
      },
    );
