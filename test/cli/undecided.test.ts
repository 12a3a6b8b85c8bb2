// Books that a cut-off rebuild left: no file is written of a part of them, and the next normalize makes them whole.
import { expect, test } from 'vitest';
import { forget } from '../../src/normalize/forget.ts';
import { openStage } from '../jobs/stage.ts';
import { played } from './played.ts';
import { complaint } from './tieout.ts';

test('export and verify report refuse while landed records are not booked, and normalize completes them', async () => {
  const stage = await openStage({ days: 2 });
  await stage.night();
  const env = { TIEOUT_HOME: stage.home, DATABASE_URL: stage.database.url };
  const [dir] = await stage.rows("select '2026-11' as period");
  const exporting = ['export', '--period', '2026-11'];
  const verifying = ['verify', 'report', `${stage.home}/exports/${dir?.period}`];
  expect((await played(exporting, env)).exitCode).toBe(0);
  await forget(stage.database.db); // what a rebuild commits first
  for (const args of [exporting, [...exporting, '--format', 'hledger'], verifying]) {
    const ended = await played(args, env);
    const said = /^tieout: landed records are not booked yet \(.*\d+ of main\): run npx tieout normalize/;
    expect([ended.exitCode, complaint(ended)], args.join(' ')).toEqual([2, [expect.stringMatching(said)]]);
  }
  await played(['normalize'], env);
  expect((await played(exporting, env)).exitCode).toBe(0);
});
