// The commands in the manuals, parsed by the program's own command tree: nothing runs.
import { type Command, CommanderError } from 'commander';
import { program } from '../../src/cli/program.ts';

const WORD = /"[^"]*"|'[^']*'|#.*$|&&|\|\||[|;]|(?:[^\s"';|&]|"[^"]*")+/g;
const BETWEEN = ['&&', '||', '|', ';'];

/** The commands of one shell line, each as its words, without redirections and comments. */
export const commandsOf = (line: string): string[][] => {
  const commands: string[][] = [[]];
  for (const [word] of line.matchAll(WORD)) {
    if (BETWEEN.includes(word)) commands.push([]);
    else if (!/^#|^\d?>/.test(word)) commands.at(-1)?.push(word.replace(/^(["'])(.*)\1$/, '$2'));
  }
  return commands;
};

const withInner = (command: Command): Command[] => [command, ...command.commands.flatMap(withInner)];

/** The names of the commands under `tieout`. */
export const commandNames = async (): Promise<string[]> =>
  (await program()).commands.map((command) => command.name());

/** In running text, the name of a command or an option may appear alone. */
const UNFINISHED = ['commander.optionMissingArgument', 'commander.help'];
const loosen = (command: Command): void => {
  for (const option of command.options) option.mandatory = false;
  for (const argument of command.registeredArguments) argument.required = false;
};

/** Why the program rejects these words after `tieout`, as a whole command line or as part of one; null if it accepts them. */
export const refusalOf = async (words: readonly string[], isWhole: boolean): Promise<string | null> => {
  const main = await program();
  const silent = () => {};
  for (const command of withInner(main)) {
    command.exitOverride().configureOutput({ writeOut: silent, writeErr: silent, outputError: silent });
    if (command.commands.length === 0) command.action(silent);
    if (!isWhole) loosen(command);
  }
  try {
    await main.parseAsync([...words], { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) return (error as Error).message;
    const isFine = error.exitCode === 0 || (!isWhole && UNFINISHED.includes(error.code));
    return isFine ? null : error.message;
  }
};
