// Vacuum of the embedded server: by the last process that leaves it.
import { rmSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { inSession } from '../../src/database/connection.ts';
import { openServer, removeServer, type Server } from '../../src/postgres/postgres.ts';
import { QUICK } from '../database.ts';
import { newHome } from '../homes.ts';

const home = newHome();
const open = () => openServer(home, { settings: QUICK });
afterAll(async () => {
  await removeServer(home);
  rmSync(home, { recursive: true, force: true });
});

test('the last to leave vacuums what is due, once, and nobody before', async () => {
  const ask = (server: Server, statement: string) =>
    inSession(server.url, 'test', async (session) => (await session.query(statement)).rows[0]);
  const vacuums = (server: Server) =>
    ask(
      server,
      "select vacuum_count::int, n_dead_tup::int from pg_stat_user_tables where relname = 'written'",
    );
  const [first, second] = [await open(), await open()];
  await ask(first, 'create table public.written as select generate_series(1, 5000) as n');
  await ask(first, 'delete from public.written where n % 5 > 0');
  await first.release();
  await expect.poll(() => vacuums(second)).toEqual({ vacuum_count: 0, n_dead_tup: 4_000 });
  await second.release();
  for (let visit = 0; visit < 2; visit += 1) {
    const later = await open();
    expect(await vacuums(later)).toEqual({ vacuum_count: 1, n_dead_tup: 0 });
    await later.release();
  }
});
