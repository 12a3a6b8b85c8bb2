// A commit that succeeds while its answer is lost on the way.
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../src/database/migrate.ts';
import { emptyDatabase, untilTestEnds } from '../database.ts';
import { silentProxy } from './silent-proxy.ts';

test('a migration whose commit was answered to nobody is applied, and says so', async () => {
  const { url } = await untilTestEnds(emptyDatabase());
  const way = await silentProxy(url);
  onTestFinished(way.close);
  way.loseAnswer('commit');
  expect((await migrate(way.url)).viewsRecreated).toBe(true);
  expect((await migrate(url)).viewsRecreated).toBe(false);
});
