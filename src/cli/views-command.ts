// views: what analysts can query, from the comments of the schema.
import type { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import { meantText } from '../base/similar.ts';
import type { DictionaryObject } from '../database/dictionary.ts';
import { firstSentence, readDictionary } from '../database/schema.ts';
import { withBooks } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { printJson, printLong, table } from './print.ts';
import { tableWidth } from './terminal.ts';

const listText = (objects: readonly DictionaryObject[]): string =>
  table(
    ['name', 'one row'],
    objects.map(({ call, comment }) => [call, firstSentence(comment)]),
  );

const INDENT = '  ';

/** Text over lines of at most `width` characters, between words. */
const wrapped = (text: string, width: number): string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
};

/** In a terminal the meaning stands under its column: shortened to what is left beside it, it would say nothing. */
const columnText = ({ name, type, comment }: DictionaryObject['columns'][number], width: number): string =>
  [`${name}${INDENT}${type}`, ...wrapped(comment, width - INDENT.length).map((line) => INDENT + line)].join(
    '\n',
  );

const objectText = ({ call, kind, comment, columns }: DictionaryObject): string => {
  const title = `books.${call} (${kind})\n${comment}\n`;
  if (columns.length === 0) return title;
  const width = tableWidth();
  if (width !== null) return [title, ...columns.map((column) => columnText(column, width))].join('\n');
  const rows = columns.map(({ name, type, comment: meaning }) => [name, type, meaning]);
  return `${title}\n${table(['column', 'type', 'meaning'], rows)}`;
};

/** The view or function of that name, with or without its schema. Throws UsageError for an unknown one. */
const objectNamed = (objects: readonly DictionaryObject[], typed: string): DictionaryObject => {
  const name = typed
    .toLowerCase()
    .replace(/^books\./, '')
    .replace(/\(.*$/, '');
  const found = objects.find((object) => object.name === name);
  if (found) return found;
  const advice = meantText(
    name,
    objects.map((object) => object.name),
  );
  throw new UsageError(`books has no view or function ${typed}.${advice} npx tieout views lists them all`);
};

export const viewsCommand = (): Command =>
  bookCommand('views', 'list what analysts can query, or describe one view', 'npx tieout views postings')
    .argument('[name]', 'a view or function of schema books')
    .action(async (name: string | undefined, options: Shared) => {
      const objects = await withBooks(settings(options), readDictionary, { as: 'analyst', isReading: true });
      if (name === undefined) return options.json ? printJson(objects) : printLong(listText(objects));
      const object = objectNamed(objects, name);
      return options.json ? printJson(object) : printLong(objectText(object));
    });
