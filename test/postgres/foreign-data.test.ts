// What stands in place of the data and is no database: it is not ours.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { QUICK } from '../database.ts';
import { newHome } from '../homes.ts';

let home: string;
beforeEach(() => {
  home = newHome();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

test.each([
  ['a folder of somebody else', ['mine.txt', 'more.txt'], 'mine.txt, more.txt'],
  ['a file', null, 'a file'],
])('%s is refused and stays as it is', async (_, names, shown) => {
  const own = join(home, 'postgres');
  const data = join(own, 'data');
  mkdirSync(names === null ? own : data, { recursive: true });
  for (const file of names?.map((name) => join(data, name)) ?? [data]) writeFileSync(file, 'mine');
  const refusal = openServer(home, { settings: QUICK });
  await expect(refusal).rejects.toThrow(UsageError);
  await expect(refusal).rejects.toThrow(`tieout did not create what it contains (${shown})`);
  expect(readdirSync(own)).toEqual(['data']);
  if (names !== null) expect(readdirSync(data)).toEqual(names);
});
