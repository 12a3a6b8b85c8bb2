// A batch whose accounts have names like the text that a table guards is proved like any other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { hand } from '../../export/packages/batches.ts';
import { makeValueWorld, tell } from '../../export/value-world.ts';
import { newFolder } from '../../room.ts';

const MAP = `account,currency,counterparty_type,code,name,tax
assets:trading,BTC,,1,"Coins, -rest",
assets:trading,EUR,,2,'t Geld,
`;

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

test('a name that begins with an apostrophe', async () => {
  const folder = newFolder();
  await makeValueWorld(books);
  await tell(books, [
    '2026-10-03 buy assets:trading BTC 0.5 100.00',
    '2026-10-03 buy assets:trading EUR -100 -100.00',
  ]);
  const mapFile = join(folder, 'map.csv');
  writeFileSync(mapFile, MAP);
  const batch = await hand({ books, folder }, 'quickbooks', { mapFile });
  const { proofs } = await verifyFolder(batch?.dir ?? '');
  expect(proofs.flatMap(({ proof, first }) => (first === null ? [] : [[proof, first]]))).toEqual([]);
  expect(proofs.map(({ checked }) => checked)).not.toContain('0');
});
