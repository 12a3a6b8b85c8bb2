// Which columns of a lake stay decimals: amounts count by currency, as people add them up.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql } from '../../../src/database/database.ts';
import { openDuckDb } from '../../../src/export/lake/duckdb.ts';
import { DECIMAL, openParquetWriter, type ParquetWriter } from '../../../src/export/lake/parquet.ts';
import { fileColumns, tablesOf } from '../../../src/export/lake/tables.ts';
import { freshDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';

/** Twice this fits into 128 bits, three times does not. */
const LARGE = '60000000000000000000';

let writer: ParquetWriter;
beforeAll(async () => {
  writer = await openParquetWriter();
});
afterAll(() => writer.close());

/** The columns that do not fit, after each row has become a file of its own. */
const unfitIn = async (columns: readonly string[], rows: readonly (readonly string[])[]) => {
  const typed = columns.map((name) => ({ name, type: /currency|symbol/.test(name) ? 'text' : 'numeric' }));
  await writer.begin(fileColumns({ name: 'view', keys: [], columns: typed }, []));
  const unfit: string[] = [];
  for (const row of rows) {
    await writer.add([row], 0);
    unfit.push(...(await writer.unfit()));
    await writer.write(join(newFolder(), 'part.parquet'));
  }
  return unfit;
};

test.each<[string, string[], string[][], string[]]>([
  ['many large currencies', ['currency', 'amount'], ['A', 'B', 'C'].map((currency) => [currency, LARGE]), []],
  [
    'one large currency in two files',
    ['currency', 'amount'],
    [
      ['A', LARGE],
      ['B', '1'],
      ['A', `-${LARGE}`],
    ],
    ['amount'],
  ],
  [
    'a fee in a currency of its own',
    ['currency', 'amount', 'fee_currency', 'fee_amount'],
    [
      ['A', LARGE, 'C', LARGE],
      ['B', LARGE, 'C', LARGE],
    ],
    ['fee_amount'],
  ],
  [
    'money, of which the currency says of what',
    ['currency', 'units', 'cost'],
    [
      ['A', LARGE, LARGE],
      ['B', LARGE, LARGE],
    ],
    ['cost'],
  ],
  [
    'orders of one currency against two',
    ['symbol', 'amount', 'filled_amount'],
    [
      ['A/EUR', LARGE, LARGE],
      ['B/EUR', LARGE, '1'],
      ['A/USD', '1', LARGE],
    ],
    ['filled_amount'],
  ],
])('%s', async (_, columns, rows, unfit) => {
  expect(await unfitIn(columns, rows)).toEqual(unfit);
});

test('every amount of the views has its currency', async () => {
  const books = await freshDatabase();
  const { rows } = await books.pool.query(loadSql('export/lake_columns.sql'));
  await books.close();
  const lines = tablesOf(rows).flatMap((table) =>
    fileColumns(table, []).flatMap(({ name, type, currency }) =>
      type === DECIMAL ? [`${table.name}.${name}: ${currency || 'the whole column'}\n`] : [],
    ),
  );
  await expect(lines.join('')).toMatchFileSnapshot('currencies.txt');
});

test('DuckDB refuses a sum that does not fit, and never returns another one', async () => {
  const { connection, close } = await openDuckDb();
  await connection.run(`create table t as select i, ${LARGE}::${DECIMAL} as amount from range(3) r(i)`);
  for (const sum of ['sum(amount)', 'sum(amount) over (order by i)', 'list_sum(list(amount))', 'avg(amount)'])
    await expect(connection.runAndReadAll(`select ${sum} from t`)).rejects.toThrow('Overflow');
  close();
});
