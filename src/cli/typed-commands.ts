// Commands that messages suggest. On the demo's books each of them needs --demo, or it would work on other books: printed
// text passes through here, and stays unchanged for all other books.

type SelectedBooks = { readonly isDemo: boolean; readonly commands: ReadonlySet<string> };

let selectedBooks: SelectedBooks = { isDemo: false, commands: new Set() };

/** Sets the books that the command line works on, and the commands that take --demo: `status`, `breaks show`. */
export const aimAt = (aim: SelectedBooks): void => {
  selectedBooks = aim;
};

const COMMAND = /\btieout((?: [a-z][a-z-]*)+)(?! --demo)/g;
const WORDS_MAX = 3;

/** Adds --demo to each command in a text, if the books are the demo's. */
export const typedNext = (text: string): string =>
  selectedBooks.isDemo ? text.replaceAll(COMMAND, (all: string, words: string) => aimed(words) ?? all) : text;

const aimed = (text: string): string | null => {
  const words = text.trim().split(' ');
  for (let count = Math.min(WORDS_MAX, words.length); count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    if (selectedBooks.commands.has(name)) return ['tieout', name, '--demo', ...words.slice(count)].join(' ');
  }
  return null;
};
