// The command line: one command per verb, one clear line per mistake, and the exit codes of the design.
import { Command, InvalidArgumentError, type Option } from 'commander';
import { FailedAtEnd, UsageError } from '../base/errors.ts';
import { programVersion } from '../base/root.ts';
import { meantText } from '../base/similar.ts';
import { COMMANDS, onlyCommand } from './commands.ts';
import { mistakeText, reportEnd } from './ending.ts';
import { withHelpOption } from './help-words.ts';
import { chooseLog } from './log.ts';
import { chooseDisplay } from './terminal.ts';
import { aimAt } from './typed-commands.ts';

/** A value that is none of an option's choices is answered with the nearest one, as unknown commands and options are. */
const suggestChoices = (option: Option): void => {
  const { argChoices: choices, parseArg } = option;
  if (!choices || !parseArg) return;
  option.argParser((value: string, previous: unknown) => {
    if (choices.includes(value)) return parseArg(value, previous);
    throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.${meantText(value, choices)}`);
  });
};

/** The parser keeps the last of two values, and what was asked for with the first would not be done, without a word. */
const refuseSecondValue = (command: Command, option: Option): void => {
  const values = new Set<string>();
  command.on(`option:${option.name()}`, (value: string | null) => {
    const isList = typeof command.getOptionValue(option.attributeName()) === 'object';
    if (isList || value === null) return;
    if (values.add(value).size > 1)
      throw new UsageError(
        `${option.long} is given more than once: write it once, and run once for each value`,
      );
  });
};

/** Adds each group with its commands, or the one command alone. */
const addCommands = async (main: Command, only: string | undefined): Promise<void> => {
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    main.commandsGroup(heading);
    for (const [name, load] of Object.entries(commands))
      if (only === undefined || name === only) main.addCommand(await load());
  }
  main.commandsGroup('Help:');
};

/** The command line with all commands, or with one alone. */
export const program = async (only?: string): Promise<Command> => {
  const main = new Command('tieout')
    .description('Nightly double-entry books for an account on a crypto and fiat gateway.')
    .version(programVersion, '-V, --version', 'print the version')
    .option('--wide', 'every command: shorten nothing in tables')
    .option('--no-color', 'every command: print without colours')
    .option('--no-pager', 'every command: show long tables without $PAGER')
    .configureHelp({ showGlobalOptions: true });
  await addCommands(main, only);
  for (const command of withInner(main)) {
    for (const option of command.options) {
      suggestChoices(option);
      refuseSecondValue(command, option);
    }
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

/** The command whose empty values mean something: they clear a field. */
const CLEARING = 'entities set';

/** An empty value is what a shell makes of a variable that is not set: as a folder it would be the working folder. */
const refuseEmpty = (command: Command): void => {
  const argument = command.registeredArguments.find((_, nth) => command.processedArgs[nth] === '');
  if (argument) throw new UsageError(`the argument ${argument.name()} is empty: write a value`);
  if (`${command.parent?.name()} ${command.name()}` === CLEARING) return;
  const option = command.options.find((each) => command.getOptionValue(each.attributeName()) === '');
  if (option) throw new UsageError(`${option.long} is empty: write a value`);
};

/** What the system hands over in another encoding than UTF-8 has lost its bytes by now, and would be stored or sought without them. */
const refuseUnreadable = (words: readonly string[]): void => {
  const word = words.find((each) => each.includes('\ufffd'));
  if (word !== undefined)
    throw new UsageError(`"${word.slice(0, 60)}" has a character that is not UTF-8: write it in UTF-8`);
};

/** A statement that begins with a comment is no option, which the parser would take it for. */
const LEADING_COMMENT = /^--(?![a-z]+=)[^\n]*\n/;
const withStatement = (words: readonly string[]): string[] =>
  words.map((word) => (LEADING_COMMENT.test(word) ? ` ${word}` : word));

const endOf = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (error instanceof FailedAtEnd) return error.failure;
  return signal?.aborted ? signal.reason : error;
};

/**
 * Runs one command line and sets the exit code of the process. An error is one line on standard error. After a signal,
 * the signal's reason is reported instead of the failures that it caused.
 */
export const run = async (words: readonly string[], signal?: AbortSignal): Promise<void> => {
  const command = words.find((word) => !word.startsWith('-')) ?? '';
  const args = command === 'query' ? withStatement(words) : words;
  chooseLog({ command, json: args.includes('--json') });
  const main = await program(onlyCommand(command, args));
  return main
    .hook('preAction', (_, command) => {
      command.setOptionValue('signal', signal);
      refuseUnreadable(args);
      refuseEmpty(command);
      const { wide = false, color, pager } = main.opts();
      chooseDisplay({ isWide: wide, hasColor: color, hasPager: pager });
      aimAt({ isDemo: command.opts().demo === true, commands: new Set(demoCommands(main)) });
    })
    .parseAsync(withHelpOption(main, args), { from: 'user' })
    .then(
      () => {},
      (error: unknown) => {
        process.exitCode = reportEnd(endOf(error, signal));
      },
    );
};
