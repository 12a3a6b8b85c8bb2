// What the login of a role may: its settings, its limits, and how many connect with it. Makes a login with all of them.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Role } from '../config/role.ts';
import type { Session } from './client.ts';
import { changeRoles, groupOf } from './roles.ts';

export type Login = { readonly name: string; readonly password: string };

/** Session settings of the analyst's login; they apply in every client program. */
const ANALYST = {
  statement_timeout: "'60s'",
  idle_in_transaction_session_timeout: "'60s'",
  default_transaction_read_only: 'on',
  search_path: 'books, public',
  jit: 'off',
};

/** The server looks whether the client of a statement is still there, and ends what nobody waits for any more. */
const WATCHED = { client_connection_check_interval: "'5s'" };

/** A server on Windows refuses that setting. */
const IS_WATCHING = "version() !~* 'visual c|msvc|mingw'";

const settingsOf = (role: Role, isWatching: boolean) => [
  ...(isWatching ? Object.entries(WATCHED) : []),
  ...(role === 'analyst' ? Object.entries(ANALYST) : []),
];

/**
 * What an analyst's statement may write to the disk of the books: so much to temporary files in each process, and nothing to the
 * server's log, which a loop of messages, or statements that fail, would fill.
 */
const DISK = {
  temp_file_limit: "'10GB'",
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
};

/** Only a superuser may set these limits; another owner's logins stay without them. */
const limitsOf = async (session: Session, role: Role) => {
  const isSuperuser = "select current_setting('is_superuser')::boolean as yes";
  return role === 'analyst' && (await session.query(isSuperuser)).rows[0].yes ? Object.entries(DISK) : [];
};

/** Half of the server's connections for the analysts of all homes, so that they cannot keep a night from entering. */
const CONNECTIONS = "select greatest(1, current_setting('max_connections')::integer / 2) as most";

const connectionsOf = async (session: Session, role: Role): Promise<number> =>
  role === 'analyst' ? (await session.query(CONNECTIONS)).rows[0].most : -1;

const sorted = (settings: readonly string[]): string => [...settings].sort().join('\n');

/**
 * Whether the settings of a login are as we made them: whoever connects with it may change them for all who do. Only an
 * administrator can change the number of connections and what goes to the disk (set where a superuser rules), so any is right.
 */
export const isUnchanged = (role: Role, { settings, limited, ruled, watching }: Who): boolean => {
  const all = settings?.split('\n') ?? [];
  const names = new Set(all.map(nameOf));
  return (
    limited === (role === 'analyst') &&
    (role !== 'analyst' || !ruled || Object.keys(DISK).every((name) => names.has(name))) &&
    sorted(all.filter((setting) => !Object.hasOwn(DISK, nameOf(setting)))) ===
      sorted(settingsOf(role, watching).map((pair) => pair.join('=').replaceAll("'", '')))
  );
};

const nameOf = (setting: string): string => setting.split('=')[0] ?? '';

/** The current user, as far as it shows whether a login is as we made it. */
export const WHO = `
  select current_user as name, pg_has_role(current_user, $1, 'usage') as member,
    pg_has_role(current_user, (select nspowner from pg_namespace where nspname = 'books'), 'member') as owns,
    array_to_string(r.rolconfig, E'\\n') as settings, r.rolconnlimit <> -1 as limited,
    (select o.rolsuper from pg_namespace n join pg_roles o on o.oid = n.nspowner where n.nspname = 'books') as ruled, ${IS_WATCHING} as watching
  from pg_roles r where r.rolname = current_user`;

export type Who = {
  readonly name: string;
  readonly member: boolean;
  readonly owns: boolean;
  readonly settings: string | null;
  readonly limited: boolean;
  readonly ruled: boolean;
  readonly watching: boolean;
};

const ROUNDS = 4_096;

/**
 * A password in the form that Postgres stores (RFC 5802), so that no statement and no statement log contains the
 * password.
 */
const verifierOf = (password: string): string => {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  const keyed = (word: string) => createHmac('sha256', salted).update(word).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ROUNDS}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
};

/** Creates the login, or repairs one that lost its password, its group or its settings. */
export const makeLogin = async (session: Session, role: Role, { name, password }: Login): Promise<void> => {
  const { rows } = await session.query(`select ${IS_WATCHING} as yes`);
  const settings = [...settingsOf(role, rows[0].yes), ...(await limitsOf(session, role))];
  const rest = [
    `grant ${groupOf(role)} to "${name}"`,
    `alter role "${name}" reset all`,
    ...settings.map(([setting, value]) => `alter role "${name}" set ${setting} = ${value}`),
  ].join('; ');
  const connections = await connectionsOf(session, role);
  const statements = (verb: string) =>
    `${verb} role "${name}" with login inherit connection limit ${connections} password '${verifierOf(password)}'; ${rest}`;
  const { rowCount } = await session.query('select from pg_roles where rolname = $1', [name]);
  if (rowCount === 0 && (await changeRoles(session, statements('create')))) return;
  await changeRoles(session, statements('alter'));
};
