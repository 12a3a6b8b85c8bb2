// The chart of accounts of an export: an account without a line stops it, and names are in the language of the profile.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chartChange } from '../../../src/approvals/approvals.ts';
import { exportReports } from '../../../src/export/export.ts';
import { byBoth } from '../../approvals/both.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { makeWorld, october } from '../world.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const line = (account: string, code: string, name_en: string) => ({
  account,
  class: '',
  currency: '',
  code,
  name_en,
  name_es: `${name_en} (es)`,
  name_de: `${name_en} (de)`,
  statement: 'balance sheet',
  statement_class: 'assets',
});

test('reports are written with the codes of the chart, until an account has no line in it', async () => {
  const lines = ['assets:*', 'equity:*', 'expenses:*', 'liabilities:*'].map((account, index) =>
    line(account, `${index + 1}000`, `Name ${index + 1}`),
  );
  const wanted = { chart: 'own.csv', lines, classes: null, entity: null, from: null };
  await byBoth(books.db, await chartChange(books.db, wanted, 1));
  const written = await exportReports({
    ...october(books.pool),
    profile: 'excel-es',
    outDir: join(newFolder(), 'written'),
  });
  expect(readFileSync(join(written.dir, 'trial_balance.csv'), 'utf8')).toMatch(
    /main;;assets:trading;;EUR;.*;1000;.*;Name 1 \(es\);Dinero fiat;/,
  );
  await books.pool.query(
    `insert into ledger.totals (entity_id, account, currency, debit, credit) values
      ('main', 'income:rewards', 'BTC', 0, 1), ('Zeta', 'income:rewards', 'SOL', 0, 1)`,
  );
  const outDir = join(newFolder(), 'refused');
  await expect(exportReports({ ...october(books.pool), outDir })).rejects.toThrow(
    [
      'the chart of accounts has no line for these accounts: print it with npx tieout chart show 1, add lines, and propose it with npx tieout chart import',
      'Zeta income:rewards SOL (coin)',
      'main income:rewards BTC (coin)',
    ].join('\n  '),
  );
});
