// migrate: a wrong option is refused before a database is created for it.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../room.ts';
import { complaint, tieout } from './tieout.ts';

test.each(['1', 'abc', '-1', '1.5', '1e3', '', ' 8', '1025'])(
  'migrate --partitions "%s" quotes what was typed, and creates nothing',
  async (typed) => {
    const home = join(newFolder(), 'home');
    const ended = await tieout(['migrate', '--partitions', typed], { TIEOUT_HOME: home });
    expect(complaint(ended)).toEqual([
      `tieout: --partitions is "${typed}": write a whole number from 2 to 1024`,
    ]);
    expect([ended.exitCode, existsSync(home)]).toEqual([64, false]);
  },
);
