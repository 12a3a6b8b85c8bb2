// Markdown as the tests of the manuals read it: headings, links, code, tables and shown commands.
import { posix } from 'node:path';
import { filesIn, textOf } from './source.ts';

type Manual = { readonly path: string; readonly text: string };

/** Every manual of the package. */
export const manuals = (): Manual[] =>
  filesIn('.')
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: textOf(path) }));

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;
const withoutFences = (text: string): string => text.replace(FENCE, '');
const withoutCode = (text: string): string => withoutFences(text).replace(/`[^`\n]*`/g, '');

/** The targets of its links and pictures. */
export const linksIn = (text: string): string[] =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

/** The anchors that GitHub gives its headings. */
const anchorsIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );

/** The text of code spans outside fences. */
export const spansIn = (text: string): string[] =>
  [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The lines of its shell examples; lines that continue after a backslash are joined. */
export const shellLinesIn = (text: string): string[] =>
  [...text.matchAll(FENCE)]
    .filter(([, language = '']) => ['sh', 'cron'].includes(language))
    .flatMap(([, , code = '']) => code.replace(/\\\n/g, ' ').split('\n'));

/** The rows of its tables, each as its cells. */
export const rowsIn = (text: string): string[][] =>
  [...withoutFences(text).matchAll(/^\|(.*)\|$/gm)]
    .map(([, row = '']) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => !/^:?-*:?$/.test(cell)));

/** The text from one heading to the next of its level. */
export const sectionOf = (text: string, heading: string): string =>
  text.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`)) ?? '';

/** Its links to files and headings that do not exist. */
export const brokenLinks = (
  { path, text }: Manual,
  all: readonly Manual[],
  files: readonly string[],
): string[] =>
  linksIn(text).filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : posix.join(posix.dirname(path), file);
    if (!files.includes(target)) return true;
    if (anchor === undefined) return false;
    return !anchorsIn(all.find((manual) => manual.path === target)?.text ?? '').includes(anchor);
  });

const OURS = /(?:^|[\s"'(])((?:sql|src|test|jobs|migrations)\/[\w./-]*\w\/?)(?=$|[\s"'),:;])/g;

/** Paths in its code that do not exist in the package. */
export const missingPaths = ({ text }: Manual, files: readonly string[]): string[] => {
  const code = [...spansIn(text), ...shellLinesIn(text)];
  const paths = code.flatMap((line) => [...line.matchAll(OURS)].map(([, path = '']) => path));
  return paths.filter(
    (path) => !files.includes(path) && !files.some((file) => file.startsWith(posix.join(path, '/'))),
  );
};
