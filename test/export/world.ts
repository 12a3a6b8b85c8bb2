// The small world of the tests of the export room, and a folder to export it to.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/database/connection.ts';
import type { ExportOptions } from '../../src/export/export.ts';
import { newFolder } from '../room.ts';

/** Fills a fresh database with world.sql. */
export const makeWorld = async ({ pool }: Database): Promise<void> => {
  await pool.query(readFileSync(new URL('world.sql', import.meta.url), 'utf8'));
};

/** October of the small world, to a new folder of that name. */
export const october = (pool: Database['pool']): ExportOptions => ({
  pool,
  period: '2026-10',
  outDir: join(newFolder(), '2026-10'),
  timezone: 'Europe/Madrid',
  currency: 'EUR',
});

/** Every file of a folder, by name. */
export const filesIn = (folder: string): Record<string, string> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** The same pool, with a statement run first in each session. */
export const poolAfter = (pool: Database['pool'], statement: string): Database['pool'] => {
  const connect = async () => {
    const client = await pool.connect();
    await client.query(statement);
    return client;
  };
  return { connect } as unknown as Database['pool'];
};
