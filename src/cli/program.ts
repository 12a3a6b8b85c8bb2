// The command line: one command per verb, one clear line per mistake, and the exit codes of the design.
import { Command, CommanderError } from 'commander';
import { codeOf } from '../db.ts';
import { FailedError, UsageError } from '../errors.ts';
import { GatewayError } from '../gateway/errors.ts';
import { programVersion } from '../root.ts';
import { approveCommand } from './approve-command.ts';
import { breakCommands } from './break-commands.ts';
import { confirmCommand } from './confirm-command.ts';
import { counterpartyCommands } from './counterparty-commands.ts';
import { demoCommand } from './demo-command.ts';
import { entityCommands } from './entity-commands.ts';
import { entryCommands } from './entry-commands.ts';
import { eraseCommand } from './erase-command.ts';
import { lotsCommand } from './lots-command.ts';
import { periodCommands } from './period-commands.ts';
import { oneLine } from './print.ts';
import { ratesCommand } from './rates-command.ts';
import { readCommands } from './read-commands.ts';
import { rebuildCommand } from './rebuild-command.ts';
import { rejectCommands } from './reject-commands.ts';
import { runCommands } from './run-commands.ts';
import { sandboxCommand } from './sandbox-command.ts';
import { verifyCommand } from './verify-command.ts';

const USAGE = 64;
const FAILED = 2;

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

/** What an error means to the shell. A fault of ours shows where it was; everything else is one line. */
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
  const text = error instanceof Error ? error.message : String(error);
  const isKnown =
    error instanceof UsageError || error instanceof FailedError || error instanceof GatewayError;
  const isLost = LOST.test(codeOf(error)) || /^Connection terminated/.test(text);
  const told = isKnown ? text : isLost ? `the database was lost: ${text}` : faultOf(error, text);
  process.stderr.write(`tieout: ${told.split('\n').map(oneLine).join('\n')}\n`);
  return error instanceof UsageError ? USAGE : FAILED;
};

/** A database that went away in the middle: its shutdown, its connection, its disk. Sockets say it in words. */
const LOST = /^(08...|53...|57P..|58...|ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT)$/;

const faultOf = (error: unknown, text: string): string =>
  `a fault in tieout: ${error instanceof Error ? (error.stack ?? text) : text}`;

/** Runs one command line to its end and sets the exit code of the process; a mistake is one line on standard error. */
export const run = (args: readonly string[]): Promise<void> =>
  program()
    .parseAsync(args, { from: 'user' })
    .then(
      () => {},
      (error: unknown) => {
        process.exitCode = exitCodeOf(error);
      },
    );
