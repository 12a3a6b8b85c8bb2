// Aliases in SQL: a column, a table or a common table expression has a name that says what it contains. The name of a
// column that leaves the books, in a file or a seal, is a promise; it is written in quotes, as "in" and "at" are.
import type { Node, Source } from './source.ts';

const WORD = '(?:it|its|at|of|told|said|kept|asked|given|named|held|looked|came|went)';

const ALIAS = new RegExp(
  [
    String.raw`\bas\s+${WORD}\b`,
    String.raw`\bas\s+\w+\s*\((?:[^()]*,)?\s*${WORD}\s*[,)]`, // in a list of columns
    String.raw`(?:\b(?:with|recursive)|,)\s+${WORD}\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+)?(?:materialized\s+)?\(`,
    String.raw`(?:\)|\b(?:from|join|update|using)\s+[\w.]+)\s+${WORD}\b(?!\s+time\s+zone)`, // without "as"
    String.raw`(?<![\w.])${WORD}\.[a-z_*]`,
  ].join('|'),
  'gi',
);

/** Spaces instead of a text: what follows stays on its line. */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

const withoutProse = (text: string): string =>
  text.replaceAll(/--.*$|\/\*[\s\S]*?\*\/|'[^'\n]*'/gm, (part) => blank(part));

/** The aliases in a text of SQL that say nothing. */
export const emptyAliases = (path: string, text: string): string[] =>
  [...withoutProse(text).matchAll(ALIAS)].map(
    (it) => `${path}:${text.slice(0, it.index).split('\n').length} ${it[0].replaceAll(/\s+/g, ' ')}`,
  );

const SQL_START = /^.\s*(?:--.*\s+)*(?:with|select|insert|update|delete|merge|create|alter|do)\s/i;

/** The parts of a file that are SQL: templates with the tag `sql`, and texts that begin as a statement. */
const sqlParts = ({ nodes, text }: Source): Pick<Node, 'start' | 'end'>[] => {
  const tagged = nodes.filter((node) => (node.tag as { name?: unknown } | undefined)?.name === 'sql');
  const templates = new Set(tagged.map(({ quasi }) => (quasi as Node).start));
  return nodes
    .filter(({ type }) => type === 'TemplateLiteral' || type === 'Literal')
    .filter(({ start, end }) => templates.has(start) || SQL_START.test(text.slice(start, end)))
    .flatMap(
      ({ start, end, quasis }) => (quasis as Node[] | undefined) ?? [{ start: start + 1, end: end - 1 }],
    );
};

/** The same in the SQL of a TypeScript file. */
export const emptyAliasesInCode = (source: Source): string[] => {
  const { path, text } = source;
  const statements = sqlParts(source).reduce(
    (all, { start, end }) => all.slice(0, start) + text.slice(start, end) + all.slice(end),
    blank(text),
  );
  return emptyAliases(path, statements);
};
