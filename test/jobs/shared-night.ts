// A night that several processes share, up to the point at which a worker opens its share.
import { type GatewayConfig, readGatewayConfig } from '../../src/config/environment.ts';
import type { Run } from '../../src/run/job-run.ts';
import { type OpenBooks, openSharedRun, storeTasks, withBooks, withSharedRun } from '../../src/run/run.ts';
import type { TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

type SharedNight = {
  readonly config: GatewayConfig;
  readonly books: OpenBooks;
  readonly run: Run;
};

/** Begins a night in `database`, whose tasks are those of `entities`, and passes it to `use`. */
export const withSharedNight = <T>(
  database: TestDatabase,
  { entities, ...settings }: { readonly entities: readonly string[]; readonly [name: string]: unknown },
  use: (night: SharedNight) => Promise<T>,
): Promise<T> => {
  const config = readGatewayConfig({
    TIEOUT_HOME: newFolder(),
    DATABASE_URL: database.url,
    GATEWAY_BASE_URL: 'http://127.0.0.1:9',
    GATEWAY_API_KEY: 'key',
    GATEWAY_API_SECRET: 'secret',
    ...(settings as Record<string, string>),
  });
  return withBooks(config, async (opened, url, enter) => {
    const books: OpenBooks = { config, database: opened, url, enter, tell: () => {} };
    const run = await openSharedRun(books, 'nightly');
    await withSharedRun(books, run, ({ db }) => storeTasks(db, run.id, entities, async () => {}));
    return await use({ config, books, run });
  });
};
