// The terminal: width, colours and pager. Options and environment variables take precedence. If standard output is not a
// terminal, nothing is shortened, coloured or paged.
import { spawnSync } from 'node:child_process';
import { styleText } from 'node:util';
import { childEnv, displayEnv } from '../config/config.ts';

type Choices = { readonly isWide: boolean; readonly hasColor: boolean; readonly hasPager: boolean };

let choices: Choices = { isWide: false, hasColor: true, hasPager: true };

/** The values of --wide, --no-color and --no-pager. */
export const chooseDisplay = (chosen: Choices): void => {
  choices = chosen;
};

const COLUMNS = 80; // if the terminal does not report its width

/** The width of a table in columns; null if it may be as wide as its cells. */
export const tableWidth = (): number | null =>
  process.stdout.isTTY && !choices.isWide ? process.stdout.columns || COLUMNS : null;

/** `bad`: failed, or a break; `warning`: needs attention; `good`: clean. */
export type Tone = 'bad' | 'warning' | 'good';
const COLORS = { bad: 'red', warning: 'yellow', good: 'green' } as const;

const takesColor = (stream: NodeJS.WriteStream): boolean => {
  const { NO_COLOR, TERM } = displayEnv();
  return choices.hasColor && stream.isTTY && NO_COLOR === undefined && TERM !== 'dumb';
};

/** The text in the colour of its tone, if the stream is a terminal with colours. */
export const paint = (tone: Tone, text: string, stream: NodeJS.WriteStream = process.stdout): string =>
  takesColor(stream) ? styleText(COLORS[tone], text, { validateStream: false }) : text;

/** What a terminal obeys or hides, except line breaks, tabs and the colours above: a file name or a reason may hold it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the colours begin with one
const OBEYED = /(?!\n|\t|\u001b\[(?:3[123]|39)m)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text that a terminal only shows. */
export const shownOnly = (text: string): string => text.replaceAll(OBEYED, ' ');

const isLong = (text: string): boolean => text.split('\n').length >= (process.stdout.rows || 24);

/** Shows a long text page by page; false if there is no pager or none is needed. */
export const showPaged = (text: string): boolean => {
  const { PAGER = 'less -FRX', TERM, LESS, LANG, LC_ALL } = displayEnv();
  if (!process.stdout.isTTY || !choices.hasPager || TERM === 'dumb' || PAGER === 'cat' || !isLong(text))
    return false;
  const env = Object.entries({ TERM, LESS, LANG, LC_ALL }).filter(([, value]) => value !== undefined);
  const shown = spawnSync(PAGER, {
    input: text,
    shell: true,
    stdio: ['pipe', 'inherit', 'ignore'],
    env: childEnv(Object.fromEntries(env) as Record<string, string>),
  });
  return shown.status === 0; // 127: the pager is not installed
};
