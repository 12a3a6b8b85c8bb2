// The generator of the dictionary and of the diagram in sql/README.md.
import type { DictionaryObject } from '../../src/database/dictionary.ts';

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');

const columnsText = ({ columns }: DictionaryObject): string =>
  columns.map(({ name, type, comment }) => `| \`${name}\` | ${type} | ${cell(comment)} |`).join('\n');

const objectText = (object: DictionaryObject): string => {
  const summary = `<summary><code>${object.call}</code>: ${cell(object.comment)}</summary>`;
  const table =
    object.columns.length === 0
      ? ''
      : `\n| column | type | meaning |\n|---|---|---|\n${columnsText(object)}\n`;
  return `<details>${summary}\n${table}\n</details>`;
};

/** One folded table per view and function. */
export const dictionaryText = (objects: readonly DictionaryObject[]): string =>
  objects.map(objectText).join('\n');

export type ForeignKey = {
  readonly child: string;
  readonly parent: string;
  readonly columns: string;
  readonly is_optional: boolean;
};

const node = (table: string): string => table.replace('.', '_');

/** A mermaid diagram: many of a child to one parent, with the columns that refer to it. */
export const diagramText = (keys: readonly ForeignKey[]): string => {
  const lines = keys.map(
    ({ child, parent, columns, is_optional }) =>
      `  ${node(child)} }o--${is_optional ? 'o|' : '||'} ${node(parent)} : "${columns}"`,
  );
  return ['```mermaid', 'erDiagram', ...lines, '```'].join('\n');
};

/** A document with new text between `<!-- NAME:begin -->` and `<!-- NAME:end -->`. Throws if it lacks them. */
export const withPart = (document: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `\n<!-- ${name}:end -->`];
  const from = document.indexOf(begin);
  const to = document.indexOf(end, from);
  if (from < 0 || to < 0) throw new Error(`the document has no part ${name}`);
  return document.slice(0, from + begin.length) + text + document.slice(to);
};
