// COPY, the measure of loading and reading: how fast Postgres reads and writes the same rows without any other work.
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from, to } from 'pg-copy-streams';
import { inSession, type Session } from '../../src/database/connection.ts';
import { took } from './clock.ts';

const CHUNK_ROWS = 500;

const chunks = function* (rows: readonly (readonly string[])[]) {
  for (let start = 0; start < rows.length; start += CHUNK_ROWS)
    yield rows
      .slice(start, start + CHUNK_ROWS)
      .map((row) => `${row.join('\t')}\n`)
      .join('');
};

/** The output of `copy (query) to stdout`, in pieces that end anywhere. */
export const copyOut = (session: Session, query: string): AsyncIterable<Buffer> =>
  session.query(to(`copy (${query}) to stdout`));

/** Seconds to load a table's rows, as cells in memory, into an empty table of the same form. */
export const copySecondsOf = (url: string, table: string): Promise<number> =>
  inSession(url, 'bench', async (session) => {
    const pieces: Buffer[] = [];
    for await (const piece of copyOut(session, `table ${table}`)) pieces.push(piece);
    const lines = Buffer.concat(pieces).toString('utf8').trimEnd().split('\n');
    const rows = lines.map((line) => line.split('\t')); // cells as COPY writes them
    await session.query('drop table if exists public.copied');
    await session.query(`create table public.copied (like ${table} including all)`);
    return took(() =>
      pipeline(Readable.from(chunks(rows)), session.query(from('copy public.copied from stdin'))),
    );
  });

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
