// A lake opened in DuckDB, and questions to it: the text of a file with its parameters as psql substitutes them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { packageRoot } from '../../src/base/root.ts';

export type Lake = {
  readonly rows: (sql: string) => Promise<Record<string, unknown>[]>;
  readonly close: () => void;
};

/** Opens a folder with its lake.sql, in a process that may not load extensions. */
export const openLake = async (dir: string): Promise<Lake> => {
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' });
  const connection = await instance.connect();
  await connection.run(`set variable lake = '${dir}'`);
  await connection.run(readFileSync(join(dir, 'lake.sql'), 'utf8'));
  return {
    rows: async (sql) =>
      (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[],
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
};

/** The text of a file below sql/ with each variable in quotes, or bare, as the file asks for it. */
export const substituted = (path: string, values: Readonly<Record<string, string>>): string =>
  Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`:'${name}'`, `'${value}'`),
    readFileSync(join(packageRoot, 'sql', path), 'utf8'),
  );

/** One row as text: no value is empty, true is t, an instant is written as elsewhere, and a figure has no zeros at its end, also inside a text. */
export const rowText = (row: Record<string, unknown>): string =>
  Object.values(row)
    .map((value) => (value === null ? '' : plain(String(value))))
    .join(' | ');

const plain = (text: string): string =>
  ({ true: 't', false: 'f' })[text] ??
  (/^\d{4}-\d\d-\d\d .*\+00$/.test(text) ? text.replace(' ', 'T').replace('+00', 'Z') : null) ??
  text.replaceAll(/(?<=\d)\.0+(?!\d)|(?<=\.\d*[1-9])0+(?!\d)/g, '');
