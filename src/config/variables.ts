// The variables of the environment: format, error text and default of each.
import { z } from 'zod';
import {
  ID,
  isEntityList,
  isNoticeTarget,
  isOrigin,
  isPostgresUrl,
  isSocketUrl,
  isTimezone,
  LAG_HINT,
  lagsOf,
} from './setting-forms.ts';

const whole = (min: number, max: number, byDefault: number) => {
  const instruction = `write a whole number from ${min} to ${max}`;
  const digits = z.string().regex(/^\d{1,9}$/, instruction);
  return digits
    .transform(Number)
    .pipe(z.number().min(min, instruction).max(max, instruction))
    .default(byDefault);
};

const postgresUrl = (otherwise: string) =>
  z
    .string()
    .refine(
      isPostgresUrl,
      `write postgresql://user:password@host:5432/database (host of a socket in /run/x: %2Frun%2Fx), or leave it out ${otherwise}`,
    )
    .optional();

const roleUrl = postgresUrl('for a login that is made');
export const roleUrls = {
  TIEOUT_LOADER_URL: roleUrl,
  TIEOUT_ANALYST_URL: roleUrl,
  TIEOUT_PREPARER_URL: roleUrl,
  TIEOUT_APPROVER_URL: roleUrl,
};

/** Prints where in tieout a fault occurred. */
export const STACK = 'TIEOUT_STACK';

/** The variables that every command reads. */
export const common = {
  TIEOUT_HOME: z
    .string()
    .regex(/^(?!~(\/|$))/, 'write the whole path: ~ is not replaced here')
    .default('.tieout'),
  DATABASE_URL: postgresUrl('for the embedded one'),
  TIEOUT_REPLICA_URL: postgresUrl('to read the primary'),
  TIEOUT_REPLICA_LAG: whole(0, 86_400, 300),
  ...roleUrls,
  TIEOUT_ENTITY: z.string().regex(ID, 'write letters, digits, - and _, at most 64').default('main'),
  TIEOUT_TIMEZONE: z.string().refine(isTimezone, 'write an IANA name, such as Europe/Madrid').default('UTC'),
  TIEOUT_CURRENCY: z
    .string()
    .regex(/^[A-Z0-9]{2,12}$/, 'write 2 to 12 capitals and digits, such as EUR')
    .default('EUR'),
  TIEOUT_FISCAL_YEAR_START: whole(1, 12, 1),
  TIEOUT_LAG_HOURS: z
    .string()
    .refine((text) => lagsOf(text) !== null, LAG_HINT)
    .default('48'),
  TIEOUT_FULL_DAYS: whole(1, 3650, 30),
  TIEOUT_PENDING_DAYS: whole(0, 3650, 7),
  TIEOUT_TRANSIT_HOURS: whole(0, 8760, 24),
  TIEOUT_RETENTION_YEARS: whole(0, 100, 6),
  TIEOUT_EXPORT_MONTHS: whole(1, 1200, 1200),
  TIEOUT_UNKNOWN_LIMIT: z
    .string()
    .regex(/^\d{1,15}(\.\d{1,18})?$/, 'write an amount such as 1000, or leave it out for no limit')
    .optional(),
  GATEWAY_PLATFORM_CLASS: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/i, 'write one word')
    .optional(),
  [STACK]: z.literal('1', 'write 1, or leave it out').optional(),
};

const NOTICE_HINT =
  'write an http:// or https:// address without user and password, or a program with its arguments, separated by spaces';

/** The variables of what follows a run. They are read apart, so that a mistake in another one is reported too. */
export const monitor = {
  TIEOUT_ON_FINISH: z.string().refine(isNoticeTarget, NOTICE_HINT).optional(),
  TIEOUT_METRICS_FILE: z
    .string()
    .regex(/\.prom$/, 'write the path of a file that ends in .prom, as the textfile collector requires')
    .optional(),
};

/** The variables that the program of TIEOUT_ON_FINISH receives. */
export const noticeVariables = {
  job: 'TIEOUT_JOB',
  outcome: 'TIEOUT_OUTCOME',
  exit_code: 'TIEOUT_EXIT_CODE',
  summary: 'TIEOUT_SUMMARY',
} as const;

/** The further variables of the command that receives the authorization webhook. */
export const webhook = {
  TIEOUT_WEBHOOK_KEY: z
    .string('write the key that the platform sends, or the path of a file with it in TIEOUT_WEBHOOK_KEY_FILE')
    .regex(/^[\x21-\x7e]{16,1000}$/, 'write 16 or more characters of printable ASCII, without spaces'),
  TIEOUT_WEBHOOK_ANSWER: z.enum(['authorize', 'refuse', 'limits'], 'write authorize, refuse or limits'),
  TIEOUT_WEBHOOK_LIMITS: z.string().optional(),
};

const ORIGIN_HINT = 'write https://host (http on loopback only), without path, query, user or password';

/** The further variables that commands reaching the gateway read. */
export const gateway = {
  GATEWAY_BASE_URL: z.string('write the https:// address of the gateway').refine(isOrigin, ORIGIN_HINT),
  GATEWAY_SOCKET_URL: z
    .string()
    .refine(isSocketUrl, 'write wss://host/v1 (ws on loopback only), without user or password')
    .optional(),
  TIEOUT_GATE_URL: postgresUrl('for a gate in the database of the books'),
  GATEWAY_API_KEY: z
    .string('write the API key that the gateway gave you')
    .regex(
      /^[\x21-\x7e]+$/,
      'write it in printable ASCII, without spaces; a copied key may contain a character that is not shown',
    ),
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
