// Help of a command in a command: commander reads one word after `help`, so `help breaks waive` printed the help of `breaks`.
import type { Command } from 'commander';

const HELP = 'help';

/** `help breaks waive` and `breaks help waive` as `breaks waive --help`; words that name no command are left to be refused. */
export const withHelpOption = (main: Command, words: readonly string[]): readonly string[] => {
  const path: string[] = [];
  const options = words.filter((word) => word.startsWith('-'));
  let command = main;
  let asks = false;
  for (const name of words.filter((word) => !word.startsWith('-'))) {
    if (command.commands.length === 0) break; // what follows are its arguments
    if (name === HELP) asks = true;
    else {
      path.push(name);
      const inner = command.commands.find((each) => each.name() === name);
      if (!inner) return asks ? [...path, ...options] : words;
      command = inner;
    }
  }
  return asks ? [...path, ...options, '--help'] : words;
};
