// COPY, the measure of loading and reading: how fast Postgres reads and writes the same rows without any other work.
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from, to } from 'pg-copy-streams';
import type { Session } from '../../src/database/client.ts';
import { inSession } from '../../src/database/connection.ts';
import { took } from './clock.ts';

/** The output of `copy (query) to stdout`, in pieces that end anywhere. */
export const copyOut = (session: Session, query: string): AsyncIterable<Buffer> =>
  session.query(to(`copy (${query}) to stdout`));

/** Seconds to load the rows of some tables, from files, into the same tables, emptied before, with their keys and indexes. */
export const copyTablesSeconds = (
  url: string,
  { tables, folder }: { readonly tables: readonly string[]; readonly folder: string },
): Promise<number> =>
  inSession(url, 'bench', async (session) => {
    const fileOf = (table: string) => join(folder, table);
    for (const table of tables)
      await pipeline(session.query(to(`copy ${table} to stdout`)), createWriteStream(fileOf(table)));
    await session.query(`truncate ${tables.join(', ')} cascade; checkpoint`);
    return took(async () => {
      for (const table of tables)
        await pipeline(
          createReadStream(fileOf(table), { highWaterMark: READ_BYTES }),
          session.query(from(`copy ${table} from stdin`)),
        );
    });
  });

const READ_BYTES = 1_048_576;
