// migrate: a wrong option is refused before a database is created for it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { emptyDatabase, freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { typed } from './played.ts';
import { complaint } from './tieout.ts';

test.each(['1', 'abc', '-1', '1.5', '1e3', '', ' 8', '1025'])(
  'migrate --partitions "%s" quotes what was typed, and creates nothing',
  async (count) => {
    const home = join(newFolder(), 'home');
    const ended = await typed(['migrate', '--partitions', count], { TIEOUT_HOME: home });
    expect(complaint(ended)).toEqual([
      `tieout: --partitions is "${count}": write a whole number from 2 to 1024`,
    ]);
    expect([ended.exitCode, existsSync(home)]).toEqual([64, false]);
  },
);

test('a dry run claims nothing but what would be done, and that nothing was', async () => {
  const [empty, current] = [await emptyDatabase(), await freshDatabase()];
  onTestFinished(async () => {
    await empty.close();
    await current.close();
  });
  const rehearsed = async (url: string) =>
    (await typed(['migrate', '--dry-run'], { DATABASE_URL: url })).stdout;
  expect(await rehearsed(empty.url)).toMatch(
    /^(applied migration \d+\n)+recreated the views and rights\ndry run: nothing was changed\n$/,
  );
  expect(await rehearsed(current.url)).toBe('the schema is already current: nothing was changed\n');
});
