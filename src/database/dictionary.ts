// The dictionary of schema books: every view and function for analysts, with the comments in the schema.
import type { Database } from './connection.ts';
import { loadSql } from './sql.ts';

type DictionaryColumn = { readonly name: string; readonly type: string; readonly comment: string };

/** A view or function. `call` is its form in a query: a function has its arguments. */
export type DictionaryObject = {
  readonly name: string;
  readonly kind: 'view' | 'function';
  readonly call: string;
  readonly comment: string;
  readonly columns: readonly DictionaryColumn[];
};

type ObjectRow = Omit<DictionaryObject, 'columns' | 'comment'> & {
  readonly comment: string | null;
  readonly column_name: string | null;
  readonly type: string;
  readonly column_comment: string | null;
};

/** Reads the dictionary. A missing comment is an empty text. A function that returns one value has no columns. */
export const readDictionary = async ({ pool }: Pick<Database, 'pool'>): Promise<DictionaryObject[]> => {
  const { rows } = await pool.query<ObjectRow>(loadSql('dictionary/objects.sql'));
  const objects = new Map<string, DictionaryObject & { columns: DictionaryColumn[] }>();
  for (const { name, kind, call, comment, ...column } of rows) {
    const object = objects.get(name) ?? { name, kind, call, comment: comment ?? '', columns: [] };
    objects.set(name, object);
    if (column.column_name === null) continue;
    object.columns.push({
      name: column.column_name,
      type: column.type,
      comment: column.column_comment ?? '',
    });
  }
  return [...objects.values()];
};

/** The first sentence of a comment. */
export const firstSentence = (comment: string): string => /^.+?\.(?=\s|$)/s.exec(comment)?.[0] ?? comment;
