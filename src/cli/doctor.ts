// The checks of doctor: each looks at one part of a setup and says what is there, and what to do if it is wrong.
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { FailedError, NoBooksError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { refuseShared } from '../base/ownership.ts';
import { programEngine } from '../base/root.ts';
import { msOf, nowMs } from '../base/time.ts';
import { environment, ignoredNames, ROLES, readGatewayConfig } from '../config/config.ts';
import type { Stopping } from '../database/connection.ts';
import { inSession, placeOf } from '../database/database.ts';
import type { Failure } from '../gateway/errors.ts';
import { withBooks, withOwner } from '../run/run.ts';
import { type Shared, settings } from './options.ts';
import type { Tone } from './terminal.ts';

/** What a check found: in order, to be looked at, or failed; `detail` says what, and what to do. */
type Finding = { readonly tone: Tone; readonly detail: string };
type Check = {
  readonly name: string;
  /** The checks without which this one can only fail for the same reason. */
  readonly restsOn?: readonly string[];
  readonly run: () => Promise<Finding> | Finding;
};

const good = (detail: string): Finding => ({ tone: 'good', detail });
const warning = (detail: string): Finding => ({ tone: 'warning', detail });
const bad = (detail: string): Finding => ({ tone: 'bad', detail });

const NO_BOOKS = 'no books yet: run npx tieout nightly';

/**
 * The finding of a check: what it throws is its failure, unless the first run has yet to make the books. After a failure of
 * what it rests on it is left out, so that one mistake is one line.
 */
export const findingOf = async (
  { run, restsOn = [] }: Check,
  failed: ReadonlySet<string>,
): Promise<Finding> => {
  const cause = restsOn.find((name) => failed.has(name));
  if (cause !== undefined) return warning(`not checked, because ${cause} failed`);
  try {
    return await run();
  } catch (error) {
    return error instanceof NoBooksError ? warning(NO_BOOKS) : bad((error as Error).message);
  }
};

/** Whether a version is at least a minimum such as `>=20.19`. */
export const isAtLeast = (version: string, minimum: string): boolean =>
  version.localeCompare(minimum.replace('>=', ''), 'en', { numeric: true }) >= 0;

const checkNode = (): Finding => {
  const { node } = process.versions;
  return isAtLeast(node, programEngine)
    ? good(node)
    : bad(`${node}: install Node ${programEngine.replace('>=', '')} or newer`);
};

const ENV_BYTES_MAX = 100_000;

const checkEnvFile = (): Finding => {
  const file = resolve('.env');
  const read = readNamedFile(file, { bytesMax: ENV_BYTES_MAX, isSecret: true });
  if ('bytes' in read) return good(`${file}, readable by you alone`);
  if (read.code === 'ENOENT')
    return good(`none in ${dirname(file)}: only exported variables count (npx tieout init writes one)`);
  return bad(`${file} ${read.refusal}`);
};

const checkEnvironment = (options: Shared): Finding => {
  const { timezone, currency, databaseUrl, home } = settings(options);
  const where = databaseUrl === null ? `embedded database in ${home}` : placeOf(databaseUrl);
  const ignored = ignoredNames(environment());
  const rest = ignored.length === 0 ? '' : `; not settings of tieout, and ignored: ${ignored.join(', ')}`;
  return good(`${timezone}, ${currency}, ${where}${rest}`);
};

const MB = 1_000_000;
const FREE_MIN = 200 * MB;
const FREE_GOOD = 2_000 * MB;

/** The nearest folder that exists. */
const statOf = async (folder: string): Promise<StatsFs> => {
  try {
    return await statfs(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || dirname(folder) === folder) throw error;
    return statOf(dirname(folder));
  }
};

const checkDisk = async (options: Shared): Promise<Finding> => {
  const { home } = settings(options);
  refuseShared(home, 'TIEOUT_HOME');
  const { bavail, bsize } = await statOf(home);
  const free = bavail * bsize;
  const text = `${Math.floor(free / MB)} MB free for ${home}`;
  if (free >= FREE_GOOD) return good(text);
  return free >= FREE_MIN
    ? warning(`${text}: plan for more`)
    : bad(`${text}: free some space before the next night`);
};

const CLOCK_MAX_MS = 2_000;

type ServerRow = { readonly version: string; readonly now: string; readonly is_replica: boolean };

const SERVER =
  "select current_setting('server_version') as version, clock_timestamp() as now, pg_is_in_recovery() as is_replica";

const readServer = (url: string, stopping: Stopping): Promise<ServerRow> =>
  inSession(
    url,
    'tieout doctor',
    async (session) => (await session.query<ServerRow>(SERVER)).rows[0] as ServerRow,
    stopping,
  );

const checkDatabase = (options: Shared): Promise<Finding> =>
  withOwner(settings(options), async (url) => {
    const { version, now, is_replica } = await readServer(url, options);
    const offset = Math.abs(msOf(now) - nowMs());
    const text = `PostgreSQL ${version} at ${placeOf(url)}`;
    if (is_replica)
      return bad(
        `${text} is a replica, in which no night can write: write the address of the primary to DATABASE_URL; readers use TIEOUT_REPLICA_URL`,
      );
    return offset <= CLOCK_MAX_MS
      ? good(text)
      : warning(`${text}; its clock differs by ${Math.round(offset / 1000)} s: synchronise both (NTP)`);
  });

const checkSchema = async (options: Shared): Promise<Finding> => {
  await withBooks(settings(options), async () => {});
  return good('the schema is current');
};

const checkRoles = async (options: Shared): Promise<Finding> => {
  await withBooks(settings(options), async (_database, _url, enter) => {
    for (const role of ROLES) await enter(role);
  });
  return good(`${ROLES.join(', ')} can log in`);
};

const CHECK_URL = 'check GATEWAY_BASE_URL and the network';

/** What to do after a failed request, by its failure; an address that is not the gateway's may answer anything. */
const ADVICE: Readonly<Partial<Record<Failure, string>>> = {
  refused:
    'check GATEWAY_API_KEY and GATEWAY_API_SECRET, and that the key has the scope Read and may be used from this address',
  unauthorized: 'check that the key and the secret belong together, and that the clock is right (NTP)',
  clockSkew: 'check that the key and the secret belong together, and that the clock is right (NTP)',
  banned: 'wait until the ban is over, and lower GATEWAY_RPM',
  throttled: 'wait a minute, and check again',
  unavailable: 'wait, and check again',
};

const adviceOf = ({ failure }: { readonly failure?: Failure }): string =>
  (failure === undefined ? undefined : ADVICE[failure]) ?? CHECK_URL;

/** One signed request, sent once: whether the gateway answers, takes the key, and has our time. */
const checkGateway = async (): Promise<Finding> => {
  const { gateway } = readGatewayConfig(environment());
  const { openReadGateway } = await import('../gateway/gateway.ts'); // loaded only here
  const { CONTRACT } = await import('../gateway/contract/contract.ts');
  const client = openReadGateway({
    baseUrl: gateway.baseUrl,
    apiKey: gateway.key,
    apiSecret: gateway.secret,
    rpm: gateway.requestsPerMinute,
    perTryMs: 10_000,
    totalMs: 20_000,
    retries: 0,
  });
  try {
    await client.call(CONTRACT.trading.balance).catch((error: Error & { failure?: Failure }) => {
      throw new FailedError(`${error.message}; ${adviceOf(error)}`, { cause: error });
    });
    const offset = Math.abs(client.clockOffsetMs());
    const text = `${gateway.baseUrl} answers and accepts the key`;
    return offset <= CLOCK_MAX_MS
      ? good(text)
      : warning(`${text}; the clocks differ by ${Math.round(offset / 1000)} s: synchronise yours (NTP)`);
  } finally {
    await client.close();
  }
};

type LastNight = { readonly began_at: string; readonly is_recent: boolean };

/** By the database's clock, as every instant in it. */
const LAST_NIGHT = `
  select started_at as began_at, started_at between clock_timestamp() - interval '36 hours' and clock_timestamp() as is_recent
  from books.runs where job = 'nightly' and books_internal.has_concluded(exit_code, summary) order by run_number desc limit 1`;
const CRON = '30 2 * * *  cd FOLDER && npx tieout nightly';

const checkSchedule = async (options: Shared): Promise<Finding> => {
  const last = await withBooks(settings(options), async ({ pool }) => {
    const { rows } = await pool.query<LastNight>(LAST_NIGHT);
    return rows[0];
  });
  if (last === undefined) return warning(`no night has finished: schedule one, such as ${CRON}`);
  return last.is_recent
    ? good(`the last night began ${last.began_at}`)
    : warning(`the last night began ${last.began_at}: check the schedule, such as ${CRON}`);
};

const SETTINGS = ['.env', 'environment'];
const DATABASE = [...SETTINGS, 'database'];
const BOOKS = [...DATABASE, 'schema'];

/**
 * Every check, in the order in which one rests on another. The gateway has settings of its own, and names the mistakes in
 * them even beside others.
 */
export const checksOf = (options: Shared): readonly Check[] => [
  { name: 'node', run: checkNode },
  { name: '.env', run: checkEnvFile },
  { name: 'environment', restsOn: ['.env'], run: () => checkEnvironment(options) },
  { name: 'disk', restsOn: SETTINGS, run: () => checkDisk(options) },
  { name: 'database', restsOn: SETTINGS, run: () => checkDatabase(options) },
  { name: 'schema', restsOn: DATABASE, run: () => checkSchema(options) },
  { name: 'roles', restsOn: BOOKS, run: () => checkRoles(options) },
  ...(options.demo ? [] : [{ name: 'gateway', restsOn: ['.env'], run: checkGateway }]),
  { name: 'schedule', restsOn: BOOKS, run: () => checkSchedule(options) },
];

/** 2 if something must be mended before a night can run, 1 if something is to be looked at. */
export const exitCodeOf = (findings: readonly Finding[]): 0 | 1 | 2 => {
  if (findings.some(({ tone }) => tone === 'bad')) return 2;
  return findings.some(({ tone }) => tone === 'warning') ? 1 : 0;
};
