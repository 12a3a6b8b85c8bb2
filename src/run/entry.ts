// The way into the books: opens them (embedded Postgres or DATABASE_URL), migrates them as their owner, and enters them as the role
// with the fewest rights for the job.
import { NoBooksError } from '../base/errors.ts';
import { refuseShared } from '../base/ownership.ts';
import type { Config } from '../config/environment.ts';
import type { Role } from '../config/role.ts';
import type { Database } from '../database/connection.ts';
import { openReader, placeOf } from '../database/database.ts';
import { migrate, openAs, requireBooks } from '../database/schema.ts';
import { hasServer, openServer, requirePrograms } from '../postgres/postgres.ts';
import { namingAltered } from './altered-proposals.ts';
import type { Tell } from './events.ts';
import type { WhenFree } from './patience.ts';
import { refuseReplica } from './replica.ts';

/** The role to work as. The loader can only add rows; the owner has every right and is used only where it is required. */
export type As = Role | 'owner';

/**
 * How to enter the books. Only a command that `begins` books creates or migrates them; others fail if the books are
 * missing.
 */
export type Entry = {
  readonly as?: As | undefined;
  readonly begins?: boolean | undefined;
  /** Waits while another run is at work before the schema is migrated. Default: not at all. */
  readonly whenFree?: WhenFree | undefined;
  /** It only reads, so the replica will do if one is configured. */
  readonly isReading?: boolean | undefined;
};

const placeIn = ({ databaseUrl, home }: Config): string =>
  databaseUrl === null ? `at ${home}` : `in the database ${placeOf(databaseUrl)}`;

const beginHint = ({ databaseUrl, isDemo }: Config): string => {
  if (isDemo) return 'run npx tieout demo';
  return databaseUrl === null
    ? 'set TIEOUT_HOME, or run nightly'
    : 'set DATABASE_URL, or run npx tieout migrate or nightly to begin books there';
};

const noBooks = (config: Config): NoBooksError =>
  new NoBooksError(`no books ${placeIn(config)}: ${beginHint(config)}`);

/** Passes the owner's address of the configured database to `use`, while its server runs. */
export const withOwner = async <T>(
  config: Config,
  use: (url: string) => Promise<T>,
  { begins = false }: Entry = {},
): Promise<T> => {
  refuseShared(config.home, 'TIEOUT_HOME');
  config.signal?.throwIfAborted();
  if (config.databaseUrl !== null) return use(config.databaseUrl);
  if (!begins && !hasServer(config.home)) {
    await requirePrograms();
    throw noBooks(config);
  }
  const server = await openServer(config.home, config);
  try {
    config.signal?.throwIfAborted();
    const result = await use(server.url);
    await server.release();
    return result;
  } catch (error) {
    const explained = await server.explained(error);
    await server.release().catch(() => {}); // a full disk refuses the lock too: what failed first is the reason
    throw explained;
  }
};

/** Migrates the books to our schema, or checks that they exist in this version. */
const ready = async (
  config: Config,
  ownerUrl: string,
  { begins = false, whenFree = (take) => take() }: Pick<Entry, 'begins' | 'whenFree'>,
): Promise<void> => {
  const { signal } = config;
  if (begins) await whenFree(() => migrate(ownerUrl, { signal }));
  else {
    await requireBooks(ownerUrl, { place: placeIn(config), none: noBooks(config), signal });
  }
};

/** Opens the books as a further role, at most once per role. */
export type Enter = (as: As) => Promise<{ readonly database: Database; readonly url: string }>;

/** Passes the configured database, in our schema, to `use`: as the loader, unless `as` names another role. */
export const withBooks = <T>(
  config: Config,
  use: (database: Database, url: string, enter: Enter) => Promise<T>,
  { as = 'loader', begins = false, isReading = false, whenFree }: Entry = {},
): Promise<T> => {
  const entered = async (ownerUrl: string): Promise<T> => {
    await ready(config, ownerUrl, { begins, whenFree });
    const open = new Map<As, ReturnType<Enter>>();
    const enter: Enter = (who) => {
      const session = open.get(who) ?? enterAs(config, ownerUrl, who);
      open.set(who, session);
      return session;
    };
    try {
      const { database, url } = await enter(as);
      return await use(database, url, enter);
    } catch (error) {
      throw await namingAltered(ownerUrl, error);
    } finally {
      for (const session of await Promise.allSettled(open.values()))
        if (session.status === 'fulfilled') await session.value.database.close();
    }
  };
  const { replica } = config;
  if (!isReading || replica === undefined) return withOwner(config, entered, { begins });
  return refuseReplica(config.databaseUrl, replica, config).then(() => entered(replica.url));
};

const enterAs = async (config: Config, ownerUrl: string, as: As) =>
  as === 'owner'
    ? { database: openReader(ownerUrl, { signal: config.signal }), url: ownerUrl }
    : openAs(config, ownerUrl, as);

/** The books as a process has opened them. */
export type OpenBooks = {
  readonly config: Config;
  readonly database: Database;
  readonly url: string;
  readonly enter: Enter;
  readonly tell: Tell;
};
