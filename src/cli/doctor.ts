// The checks of doctor: each looks at one part of a setup and says what is there, and what to do if it is wrong.
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { NoBooksError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { refuseShared } from '../base/ownership.ts';
import { programEngine } from '../base/root.ts';
import { HOUR_MS, msOf, nowMs } from '../base/time.ts';
import { environment, ignoredNames, ROLES, readGatewayConfig } from '../config/config.ts';
import type { Stopping } from '../database/connection.ts';
import { openReader, placeOf } from '../database/database.ts';
import { withBooks, withOwner } from '../run/run.ts';
import { type Shared, settings } from './options.ts';
import type { Tone } from './terminal.ts';

/** What a check found: in order, to be looked at, or failed; `detail` says what, and what to do. */
export type Finding = { readonly tone: Tone; readonly detail: string };
export type Check = { readonly name: string; readonly run: () => Promise<Finding> | Finding };

const good = (detail: string): Finding => ({ tone: 'good', detail });
const warning = (detail: string): Finding => ({ tone: 'warning', detail });
const bad = (detail: string): Finding => ({ tone: 'bad', detail });

const NO_BOOKS = 'no books yet: run npx tieout nightly';

/** The finding of a check: what it throws is its failure, unless the first run has yet to make the books. */
export const findingOf = async ({ run }: Check): Promise<Finding> => {
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

type ServerRow = { readonly version: string; readonly now: string };

const readServer = async (url: string, stopping: Stopping): Promise<ServerRow> => {
  const { pool, close } = openReader(url, stopping);
  try {
    const { rows } = await pool.query<ServerRow>(
      "select current_setting('server_version') as version, clock_timestamp() as now",
    );
    return rows[0] as ServerRow;
  } finally {
    await close();
  }
};

const checkDatabase = (options: Shared): Promise<Finding> =>
  withOwner(settings(options), async (url) => {
    const { version, now } = await readServer(url, options);
    const offset = Math.abs(msOf(now) - nowMs());
    const text = `PostgreSQL ${version} at ${placeOf(url)}`;
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
    await client.call(CONTRACT.trading.balance);
    const offset = Math.abs(client.clockOffsetMs());
    const text = `${gateway.baseUrl} answers and accepts the key`;
    return offset <= CLOCK_MAX_MS
      ? good(text)
      : warning(`${text}; the clocks differ by ${Math.round(offset / 1000)} s: synchronise yours (NTP)`);
  } finally {
    await client.close();
  }
};

const NIGHT_MS = 36 * HOUR_MS;
const CRON = '30 2 * * *  cd FOLDER && npx tieout nightly';

const checkSchedule = async (options: Shared): Promise<Finding> => {
  const last = await withBooks(settings(options), async ({ pool }) => {
    const { rows } = await pool.query<{ last: string | null }>(
      "select max(started_at) as last from books.runs where job = 'nightly' and exit_code in (0, 1)",
    );
    return rows[0]?.last ?? null;
  });
  if (last === null) return warning(`no night has finished: schedule one, such as ${CRON}`);
  return nowMs() - msOf(last) <= NIGHT_MS
    ? good(`the last night began ${last}`)
    : warning(`the last night began ${last}: check the schedule, such as ${CRON}`);
};

/** Every check, in the order in which one rests on another. */
export const checksOf = (options: Shared): readonly Check[] => [
  { name: 'node', run: checkNode },
  { name: '.env', run: checkEnvFile },
  { name: 'environment', run: () => checkEnvironment(options) },
  { name: 'disk', run: () => checkDisk(options) },
  { name: 'database', run: () => checkDatabase(options) },
  { name: 'schema', run: () => checkSchema(options) },
  { name: 'roles', run: () => checkRoles(options) },
  ...(options.demo ? [] : [{ name: 'gateway', run: checkGateway }]),
  { name: 'schedule', run: () => checkSchedule(options) },
];

/** 2 if something must be mended before a night can run, 1 if something is to be looked at. */
export const exitCodeOf = (findings: readonly Finding[]): 0 | 1 | 2 => {
  if (findings.some(({ tone }) => tone === 'bad')) return 2;
  return findings.some(({ tone }) => tone === 'warning') ? 1 : 0;
};
