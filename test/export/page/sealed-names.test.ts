// The names of closed entities on a page over several: those of the seal, and none for an entity that had none, whatever its id.
import { expect, test } from 'vitest';
import type { ReadRows } from '../../../src/export/page/rows.ts';
import { withSealedNames } from '../../../src/export/page/sealed-report.ts';

test.each(['main', 'constructor', 'toString', 'hasOwnProperty'])('%s', async (id) => {
  const read = async function* () {
    yield { entity_id: id, entity_name: 'its name today', name: 'its name today' };
  } as unknown as ReadRows;
  const rowsOf = async (names: Readonly<Record<string, string>>) => {
    const sealed = new Map([[id, { entity_names: names }]]) as unknown as Parameters<
      typeof withSealedNames
    >[1];
    return (await withSealedNames(read, sealed)('entities', {}).next()).value;
  };
  expect(await rowsOf({})).toEqual({ entity_id: id, entity_name: null, name: null });
  expect(await rowsOf({ [id]: 'sealed' })).toEqual({ entity_id: id, entity_name: 'sealed', name: null });
});
