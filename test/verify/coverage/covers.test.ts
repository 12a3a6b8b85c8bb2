// Every table of ours is covered: chained, digested, or recomputed; or src/verify/README.md gives the reason.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { COVERS } from '../../../src/run/covers.ts';
import { tablesIn } from '../../database/roles/alterations.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { textOf } from '../../tidy/source.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books?.close());

test('every table is in src/run/covers.ts, as a chain (with a position), a state or a proof', async () => {
  const tables = await tablesIn(books.pool);
  expect(Object.keys(COVERS).sort()).toEqual(tables.map(({ name }) => name).sort());
});

test('each is covered, or src/verify/README.md gives the reason', () => {
  const readme = textOf('src/verify/README.md').replace(/\s+/g, ' ');
  for (const [table, { chain, state, proof, none }] of Object.entries(COVERS)) {
    expect(
      [chain, state, proof, none].some((it) => it !== undefined),
      table,
    ).toBe(true);
    if (none !== undefined) expect(readme).toContain(`\`${table}\`: ${none}`);
  }
});

test('the order of a chain, its owner and the part of a state are columns', async () => {
  const tables = await tablesIn(books.pool);
  const columns = new Map(tables.map((table) => [table.name, table.columns.map(({ name }) => name)]));
  for (const [table, { chain, state }] of Object.entries(COVERS)) {
    const owner = (it: { entity?: string | null }) => (it.entity === null ? [] : [it.entity ?? 'entity_id']);
    const columnNames = [
      ...(chain ? [chain.by, ...(chain.only ?? []), ...owner(chain)] : []),
      ...(state ? [...(state.part ? [state.part] : []), ...owner(state)] : []),
    ];
    expect(columns.get(table), table).toEqual(expect.arrayContaining(columnNames));
  }
});
