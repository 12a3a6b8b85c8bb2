// The environment: the only file that reads it. One error lists every mistake by variable, with what to write instead.
import { resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import type { StreamName } from '../base/streams.ts';
import { parseEnvFile } from './dotenv-file.ts';
import { BYTES_MAX, check, limitsMistakes, secretOf } from './mistakes.ts';
import type { Role } from './role.ts';
import { type Env, lagsOf, socketUrlBeside } from './setting-forms.ts';
import { mistypedNames } from './unknown-names.ts';
import { common, gateway, monitor, STACK, webhook } from './variables.ts';

/** The settings that every command needs. `databaseUrl` is null for the embedded Postgres under `home`, an absolute path. */
export type Config = {
  home: string;
  databaseUrl: string | null;
  /** A replica of that database, which commands that only read use instead, unless it is further behind. */
  replica?: { readonly url: string; readonly lagSeconds: number };
  isDemo?: boolean; // the demo's books, which only the demo command creates
  /** Configured addresses for roles on that database; a role without one uses a login that the owner creates. */
  roleUrls: Readonly<Partial<Record<Role, string>>>;
  entity: string;
  timezone: string;
  currency: string;
  fiscalYearStart: number; // the month, 1 to 12, in which income and expense accounts start at zero
  /** Hours before the end of each stream from which records are read again every night. */
  lagHours: Readonly<Record<StreamName, number>>;
  /** Days after which a list is read again from its start. */
  fullDays: number;
  pendingDays: number;
  transitHours: number;
  /** Years for which personal fields must be retained; records younger than this are not erased. */
  retentionYears: number;
  /** How many months, the newest, have a folder that the nightly writes; it removes its older ones. */
  exportMonths: number;
  /**
   * The amount with unknown counterparties, in the reporting currency, up to which a month can be closed; null for no
   * limit.
   */
  unknownLimit: string | null;
  platformClass: string | null; // the platform's own name for another of its users, as a class
  signal?: AbortSignal | undefined; // cancels a command; it comes from the program, not from the environment
};

/** The settings that affect figures: their digest goes into seals and manifests. */
export const figureSettings = (config: Config) => ({
  timezone: config.timezone,
  currency: config.currency,
  lagHours: config.lagHours,
  fullDays: config.fullDays,
  pendingDays: config.pendingDays,
  transitHours: config.transitHours,
  unknownLimit: config.unknownLimit,
  fiscalYearStart: config.fiscalYearStart,
  platformClass: config.platformClass,
  ...(config.isDemo && { isDemo: true }), // with it, printed commands include --demo
});

/**
 * Which sets of books to read: `listed` is main and every subaccount that the key may list; `all` fails without that
 * list.
 */
export type Entities = 'listed' | 'all' | string[];

/** The settings of a command that reaches the gateway. The secret is never printed. */
export type GatewayConfig = Config & {
  gateway: { baseUrl: string; socketUrl: string; key: string; secret: string } & EnvironmentReading;
};

type EnvironmentReading = {
  entities: Entities;
  requestsPerMinute: number;
  runHours: number;
  gateUrl: string | null; // the database with the request gate; null for that of the books
};

/** The settings of the authorization webhook. `limits` is the path of a file, for the answer `limits` alone. */
export type WebhookConfig = Config & {
  readonly webhook: {
    readonly key: string;
    readonly answer: 'authorize' | 'refuse' | 'limits';
    readonly limits: string | null;
  };
};

const roleUrlsOf = (read: z.infer<z.ZodObject<typeof common>>): Config['roleUrls'] => {
  const { TIEOUT_LOADER_URL: loader, TIEOUT_ANALYST_URL: analyst } = read;
  const { TIEOUT_PREPARER_URL: preparer, TIEOUT_APPROVER_URL: approver } = read;
  const urls = Object.entries({ loader, analyst, preparer, approver });
  return Object.fromEntries(urls.filter(([, url]) => url !== undefined));
};

const configOf = (read: z.infer<z.ZodObject<typeof common>>): Config => ({
  home: resolve(read.TIEOUT_HOME),
  databaseUrl: read.DATABASE_URL ?? null,
  ...(read.TIEOUT_REPLICA_URL !== undefined && {
    replica: { url: read.TIEOUT_REPLICA_URL, lagSeconds: read.TIEOUT_REPLICA_LAG },
  }),
  roleUrls: roleUrlsOf(read),
  entity: read.TIEOUT_ENTITY,
  timezone: read.TIEOUT_TIMEZONE,
  currency: read.TIEOUT_CURRENCY,
  fiscalYearStart: read.TIEOUT_FISCAL_YEAR_START,
  lagHours: lagsOf(read.TIEOUT_LAG_HOURS) as Record<StreamName, number>, // a null is refused above
  fullDays: read.TIEOUT_FULL_DAYS,
  pendingDays: read.TIEOUT_PENDING_DAYS,
  transitHours: read.TIEOUT_TRANSIT_HOURS,
  retentionYears: read.TIEOUT_RETENTION_YEARS,
  exportMonths: read.TIEOUT_EXPORT_MONTHS,
  unknownLimit: read.TIEOUT_UNKNOWN_LIMIT ?? null,
  platformClass: read.GATEWAY_PLATFORM_CLASS ?? null,
});

/** An empty variable counts as absent: compose files and CI write `NAME=` for "not set". */
const present = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** The folder that the command was started in. A release that replaces its folder, or a cleanup, may have removed it. */
const workingFolder = (): string => {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new UsageError(
      'the working folder was removed: change to a folder that exists, and run the command again',
      { cause: error },
    );
  }
};

/** The process's variables over those of `.env` in `folder`: an exported variable takes precedence. */
export const environment = (folder: string = workingFolder()): Env => {
  const file = resolve(folder, '.env');
  const read = readNamedFile(file, { bytesMax: BYTES_MAX, isSecret: true });
  if ('bytes' in read) return { ...parseEnvFile(file, read.bytes), ...present(process.env) };
  if (read.code === 'ENOENT') return present(process.env);
  throw new UsageError(`${file} ${read.refusal}`);
};

export const showsStack = (folder?: string): boolean => {
  try {
    return environment(folder)[STACK] === '1';
  } catch {
    return process.env[STACK] === '1'; // the fault may be that `.env` cannot be read
  }
};

const DISPLAY = ['NO_COLOR', 'TERM', 'PAGER', 'LESS', 'LANG', 'LC_ALL'] as const;
type DisplayEnv = Readonly<Partial<Record<(typeof DISPLAY)[number], string>>>;

/** Variables with a person's display preferences; an empty one counts as absent. */
export const displayEnv = (): DisplayEnv => {
  const { env } = process;
  return Object.fromEntries(DISPLAY.flatMap((name) => (env[name] ? [[name, env[name]]] : [])));
};

/** Reads the settings that every command needs. Throws one UsageError that lists every mistake. */
export const readConfig = (env: Env = environment()): Config => {
  const values = present(env);
  return configOf(check(z.object(common), values, mistypedNames(values)));
};

const entitiesOf = (text: string | undefined): Entities => {
  if (text === undefined) return 'listed';
  return text === 'all' ? 'all' : text.split(',').map((id) => id.trim());
};

/** Reads the settings of a command that reaches the gateway. Throws one UsageError that lists every mistake. */
export const readGatewayConfig = (env: Env = environment()): GatewayConfig => {
  const values = present(env);
  const { secret, mistakes } = secretOf(values, 'GATEWAY_API_SECRET', 'the API secret');
  const read = check(z.object({ ...common, ...gateway }), { ...values, GATEWAY_API_SECRET: secret }, [
    ...mistypedNames(values),
    ...mistakes,
  ]);
  return {
    ...configOf(read),
    gateway: {
      baseUrl: new URL(read.GATEWAY_BASE_URL).origin,
      socketUrl: read.GATEWAY_SOCKET_URL ?? socketUrlBeside(read.GATEWAY_BASE_URL),
      key: read.GATEWAY_API_KEY,
      secret: read.GATEWAY_API_SECRET,
      entities: entitiesOf(read.GATEWAY_ENTITIES),
      requestsPerMinute: read.GATEWAY_RPM,
      runHours: read.TIEOUT_RUN_HOURS,
      gateUrl: read.TIEOUT_GATE_URL ?? null,
    },
  };
};

/** Reads the settings of the authorization webhook. Throws one UsageError that lists every mistake. */
export const readWebhookConfig = (env: Env = environment()): WebhookConfig => {
  const values = present(env);
  const { secret, mistakes } = secretOf(values, 'TIEOUT_WEBHOOK_KEY', 'the key');
  const read = check(z.object({ ...common, ...webhook }), { ...values, TIEOUT_WEBHOOK_KEY: secret }, [
    ...mistypedNames(values),
    ...mistakes,
    ...limitsMistakes(values),
  ]);
  return {
    ...configOf(read),
    webhook: {
      key: read.TIEOUT_WEBHOOK_KEY,
      answer: read.TIEOUT_WEBHOOK_ANSWER,
      limits: read.TIEOUT_WEBHOOK_LIMITS === undefined ? null : resolve(read.TIEOUT_WEBHOOK_LIMITS),
    },
  };
};

/** What follows a run: who is notified, and the file of the metrics. */
export type MonitorConfig = { readonly onFinish: string | null; readonly metricsFile: string | null };

/** Reads who is notified, whatever is wrong with other settings, so that they hear of those. */
export const readNoticeTarget = (env: Env = environment()): Pick<MonitorConfig, 'onFinish'> => {
  const { TIEOUT_ON_FINISH } = monitor;
  return { onFinish: check(z.object({ TIEOUT_ON_FINISH }), present(env)).TIEOUT_ON_FINISH ?? null };
};

/** Reads what follows a run. Throws one UsageError that lists every mistake. */
export const readMonitorConfig = (): MonitorConfig => {
  const read = check(z.object(monitor), present(environment()));
  const { TIEOUT_ON_FINISH: onFinish = null, TIEOUT_METRICS_FILE: file } = read;
  return { onFinish, metricsFile: file === undefined ? null : resolve(file) };
};

const CHILD_SEES = /^(PATH|HOME|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|LD_LIBRARY_PATH)$/i;
const CLIENT_SEES = /^(PGSSL\w*|PGPASSFILE)$/i;

const inherited = (names: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((pair): pair is [string, string] => names.test(pair[0])),
  );

/** The environment of a child process: the variables that it needs to run plus `extra`, never a setting of the gateway or the database. */
export const childEnv = (extra: Record<string, string>): Record<string, string> => ({
  ...inherited(CHILD_SEES),
  ...extra,
});

/** The environment of a client of the database: also how it proves the server, and where its passwords are. */
export const clientEnv = (extra: Record<string, string>): Record<string, string> =>
  childEnv({ ...inherited(CLIENT_SEES), ...extra });
