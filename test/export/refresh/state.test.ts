// exports.json in TIEOUT_HOME: ours is read, whatever became of it; a file of another program is neither read nor replaced.
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NOTHING_SEEN } from '../../../src/export/refresh/marks.ts';
import { readState, writeState } from '../../../src/export/refresh/state.ts';
import { newFolder } from '../../room.ts';

const EMPTY = { run: null, seen: NOTHING_SEEN, folders: {} };

test('a state is read as it was written; none, a damaged or an older one says nothing', async () => {
  const home = newFolder();
  const file = join(home, 'exports.json');
  expect(readState(home)).toEqual(EMPTY);
  const state = { run: 'a run', seen: NOTHING_SEEN, folders: {} };
  await writeState(home, state);
  expect(readState(home)).toEqual(state);
  for (const text of [readFileSync(file, 'utf8').slice(0, -9), '{"form":0,"state":{}}', '']) {
    writeFileSync(file, text);
    expect(readState(home)).toEqual(EMPTY);
  }
});

const FOREIGN: readonly [string, (file: string) => void][] = [
  ['JSON', (file) => writeFileSync(file, '{"exports":[]}')],
  ['text', (file) => writeFileSync(file, '# exports')],
  ['a folder', (file) => mkdirSync(file)],
  ['a link', (file) => symlinkSync('/dev/null', file)],
];

test.each(FOREIGN)('%s of another program is refused, with what to do', (_, write) => {
  const home = newFolder();
  const file = join(home, 'exports.json');
  write(file);
  expect(() => readState(home)).toThrow(
    `${file} is not a file that tieout wrote, and so is not replaced: move it to another folder, or set another TIEOUT_HOME`,
  );
});
