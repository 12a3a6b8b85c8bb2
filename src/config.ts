// The environment: the only file that reads it. Every mistake is told at once, by name, with what to write instead.
import { resolve } from 'node:path';
import { parse } from 'dotenv';
import { type ZodType, z } from 'zod';
import { UsageError } from './errors.ts';
import { readNamedFile } from './named-file.ts';
import type { Role } from './roles.ts';
import {
  homeless,
  ID,
  isEntityList,
  isOrigin,
  isPostgresUrl,
  isTimezone,
  LAG_TOLD,
  lagsOf,
  refuseMistakes,
} from './setting-forms.ts';
import type { StreamName } from './streams.ts';

/** Environment variables by name, as the shell gives them. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What every command needs. `databaseUrl` is null for the embedded Postgres under `home`, an absolute path. */
export type Config = {
  home: string;
  databaseUrl: string | null;
  isDemo?: boolean; // the books are those of the demo, which only the demo begins
  /** Addresses of one's own for roles on that database; a role without one gets a login of the owner. */
  roleUrls: Readonly<Partial<Record<Role, string>>>;
  entity: string;
  timezone: string;
  currency: string;
  /** How far back the last records of each stream are read again every night. */
  lagHours: Readonly<Record<StreamName, number>>;
  /** A list is read again from its start when it was not for so many days. */
  fullDays: number;
  pendingDays: number;
  transitHours: number;
  /** Personal fields of records younger than this are not erased. */
  retentionYears: number;
  /** What a month may hold of unknown counterparties and still be closed, in the reporting currency; null for no limit. */
  unknownLimit: string | null;
  platformClass: string | null; // the platform's own word for another of its users, as a class
  signal?: AbortSignal | undefined; // what ends a command before its time; of the program, not of the environment
};

/** What of the settings decides on figures: it goes into seals and manifests as a digest. */
export const decisive = (it: Config) => ({
  ...{ timezone: it.timezone, currency: it.currency, lagHours: it.lagHours, fullDays: it.fullDays },
  ...{ pendingDays: it.pendingDays, transitHours: it.transitHours, unknownLimit: it.unknownLimit },
  ...(it.platformClass !== null && { platformClass: it.platformClass }),
  ...(it.isDemo && { isDemo: true }), // what is printed to be typed has --demo
});

/** Which sets of books to read: `listed` is main and every subaccount the key may list, `all` insists on that list. */
export type Entities = 'listed' | 'all' | string[];

/** What a command that reaches the gateway needs besides. The secret is never printed. */
export type GatewayConfig = Config & {
  gateway: { baseUrl: string; key: string; secret: string } & Reading;
};
type Reading = { entities: Entities; requestsPerMinute: number; runHours: number };

const whole = (min: number, max: number, byDefault: number) => {
  const told = `write a whole number from ${min} to ${max}`;
  const digits = z.string().regex(/^\d{1,9}$/, told);
  return digits.transform(Number).pipe(z.number().min(min, told).max(max, told)).default(byDefault);
};

const postgresUrl = (otherwise: string) =>
  z
    .string()
    .refine(
      isPostgresUrl,
      `write postgresql://user:password@host:5432/database, or leave it out ${otherwise}`,
    )
    .optional();

const roleUrl = postgresUrl('for a login that is made');
const roleUrls = {
  TIEOUT_LOADER_URL: roleUrl,
  TIEOUT_ANALYST_URL: roleUrl,
  TIEOUT_PREPARER_URL: roleUrl,
  TIEOUT_APPROVER_URL: roleUrl,
};

const common = {
  TIEOUT_HOME: z.string().default('.tieout'),
  DATABASE_URL: postgresUrl('for the embedded one'),
  ...roleUrls,
  TIEOUT_ENTITY: z.string().regex(ID, 'write letters, digits, - and _, at most 64').default('main'),
  TIEOUT_TIMEZONE: z.string().refine(isTimezone, 'write an IANA name, such as Europe/Madrid').default('UTC'),
  TIEOUT_CURRENCY: z
    .string()
    .regex(/^[A-Z0-9]{2,12}$/, 'write 2 to 12 capitals and digits, such as EUR')
    .default('EUR'),
  TIEOUT_LAG_HOURS: z
    .string()
    .refine((text) => lagsOf(text) !== null, LAG_TOLD)
    .default('48'),
  TIEOUT_FULL_DAYS: whole(1, 3650, 30),
  TIEOUT_PENDING_DAYS: whole(0, 3650, 7),
  TIEOUT_TRANSIT_HOURS: whole(0, 8760, 24),
  TIEOUT_RETENTION_YEARS: whole(0, 100, 6),
  TIEOUT_UNKNOWN_LIMIT: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,18})?$/, 'write an amount such as 1000, or leave it out for no limit')
    .optional(),
  GATEWAY_PLATFORM_CLASS: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/i, 'write one word')
    .optional(),
};

const ORIGIN_TOLD = 'write https://host (http on loopback only), without path, query, user or password';
const gateway = {
  GATEWAY_BASE_URL: z.string('write the https:// address of the gateway').refine(isOrigin, ORIGIN_TOLD),
  GATEWAY_API_KEY: z
    .string('write the API key that the gateway gave you')
    .regex(/^[\x21-\x7e]+$/, 'write it without spaces'),
  GATEWAY_API_SECRET: z.string(
    'write the API secret, or the path of a file with it in GATEWAY_API_SECRET_FILE',
  ),
  GATEWAY_ENTITIES: z
    .string()
    .refine(
      (text) => text === 'all' || isEntityList(text),
      'write all, or main and subaccount ids with commas, each once',
    )
    .optional(),
  GATEWAY_RPM: whole(1, 100_000, 600),
  TIEOUT_RUN_HOURS: whole(1, 720, 20),
};

const SECRET = new Set([
  ...['GATEWAY_API_KEY', 'GATEWAY_API_SECRET', 'GATEWAY_BASE_URL', 'DATABASE_URL'], // may hold a password
  ...Object.keys(roleUrls),
]);

const mistake = (name: string, told: string, env: Env): string => {
  const value = env[name];
  if (value === undefined) return `${name} is not set: ${told}`;
  return SECRET.has(name) ? `${name} is not valid: ${told}` : `${name} is ${JSON.stringify(value)}: ${told}`;
};

const check = <T>(shape: ZodType<T>, env: Env, others: string[] = []): T => {
  const known = [...others, ...homeless(Object.keys(roleUrls), env)];
  const read = shape.safeParse(env);
  if (read.success && known.length === 0) return read.data;
  // A secret whose file cannot be read is told once, by the file's name.
  const issues =
    read.error?.issues.filter((i) => others.length === 0 || i.path[0] !== 'GATEWAY_API_SECRET') ?? [];
  return refuseMistakes([
    ...issues.map((issue) => mistake(String(issue.path[0]), issue.message, env)),
    ...known,
  ]);
};

const roleUrlsOf = (read: z.infer<z.ZodObject<typeof common>>): Config['roleUrls'] => {
  const { TIEOUT_LOADER_URL: loader, TIEOUT_ANALYST_URL: analyst } = read;
  const { TIEOUT_PREPARER_URL: preparer, TIEOUT_APPROVER_URL: approver } = read;
  const given = Object.entries({ loader, analyst, preparer, approver });
  return Object.fromEntries(given.filter(([, url]) => url !== undefined));
};

const configOf = (read: z.infer<z.ZodObject<typeof common>>): Config => ({
  home: resolve(read.TIEOUT_HOME),
  databaseUrl: read.DATABASE_URL ?? null,
  roleUrls: roleUrlsOf(read),
  entity: read.TIEOUT_ENTITY,
  timezone: read.TIEOUT_TIMEZONE,
  currency: read.TIEOUT_CURRENCY,
  lagHours: lagsOf(read.TIEOUT_LAG_HOURS) as Record<StreamName, number>, // refused above where it is null
  fullDays: read.TIEOUT_FULL_DAYS,
  pendingDays: read.TIEOUT_PENDING_DAYS,
  transitHours: read.TIEOUT_TRANSIT_HOURS,
  retentionYears: read.TIEOUT_RETENTION_YEARS,
  unknownLimit: read.TIEOUT_UNKNOWN_LIMIT ?? null,
  platformClass: read.GATEWAY_PLATFORM_CLASS ?? null,
});

/** An empty variable is an absent one: compose files and CI write `NAME=` for "not set". */
const present = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));

/** Settings and secrets take a few lines. */
const BYTES_MAX = 100_000;

/** The variables this process was given, over those of `.env` in `folder`, so that what was exported wins. */
export const environment = (folder: string = process.cwd()): Env => {
  const file = resolve(folder, '.env');
  const read = readNamedFile(file, { bytesMax: BYTES_MAX, isSecret: true });
  if ('bytes' in read) return { ...parse(read.bytes), ...present(process.env) };
  if (read.code === 'ENOENT') return present(process.env);
  throw new UsageError(`${file} ${read.refusal}`);
};

export const showsStack = (env: Env = process.env): boolean => env.TIEOUT_STACK === '1';

/** What every command needs. Throws one UsageError that lists every mistake. */
export const readConfig = (env: Env = environment()): Config =>
  configOf(check(z.object(common), present(env)));

const secretOf = (env: Env): { secret?: string; mistakes: string[] } => {
  const { GATEWAY_API_SECRET: secret, GATEWAY_API_SECRET_FILE: file } = env;
  if (file === undefined) return { ...(secret === undefined ? {} : { secret }), mistakes: [] };
  const wrong = (told: string) => ({
    mistakes: [`GATEWAY_API_SECRET_FILE is ${JSON.stringify(file)}: ${told}`],
  });
  if (secret !== undefined)
    return wrong('GATEWAY_API_SECRET is set too, and only one can be meant: remove one');
  const read = readNamedFile(resolve(file), { bytesMax: BYTES_MAX, isSecret: true });
  if ('refusal' in read) return wrong(`the file ${read.refusal}`);
  const text = read.bytes.toString('utf8').trim();
  return text === '' ? wrong('the file is empty: put the API secret in it') : { secret: text, mistakes: [] };
};

const entitiesOf = (text: string | undefined): Entities => {
  if (text === undefined) return 'listed';
  return text === 'all' ? 'all' : text.split(',').map((id) => id.trim());
};

/** What a command that reaches the gateway needs. Throws one UsageError that lists every mistake. */
export const readGatewayConfig = (env: Env = environment()): GatewayConfig => {
  const given = present(env);
  const { secret, mistakes } = secretOf(given);
  const read = check(z.object({ ...common, ...gateway }), { ...given, GATEWAY_API_SECRET: secret }, mistakes);
  return {
    ...configOf(read),
    gateway: {
      baseUrl: new URL(read.GATEWAY_BASE_URL).origin,
      key: read.GATEWAY_API_KEY,
      secret: read.GATEWAY_API_SECRET,
      entities: entitiesOf(read.GATEWAY_ENTITIES),
      requestsPerMinute: read.GATEWAY_RPM,
      runHours: read.TIEOUT_RUN_HOURS,
    },
  };
};

const CHILD_SEES = /^(PATH|HOME|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|LD_LIBRARY_PATH|PGSSL\w*|PGPASSFILE)$/i;

/** The environment of a program we start: what it needs to run and `extra`, never the gateway's secret. */
export const childEnv = (extra: Record<string, string>): Record<string, string> => {
  const kept = Object.entries(process.env).filter((pair): pair is [string, string] =>
    CHILD_SEES.test(pair[0]),
  );
  return { ...Object.fromEntries(kept), ...extra };
};
