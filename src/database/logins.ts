// Logins of the roles. A role's address is configured, or the owner creates one login per role on a server, whatever the
// number of homes and databases. Its password is derived from the owner's, so it is stored nowhere, and every home that
// may connect as the owner derives the same one.
import { createHmac, scryptSync } from 'node:crypto';
import { FailedError, UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { ROLES, variableOf } from '../config/config.ts';
import type { Config } from '../config/environment.ts';
import type { Role } from '../config/role.ts';
import type { Session } from './client.ts';
import {
  codeOf,
  type Database,
  inSession,
  openReader,
  placeOf,
  reasonOf,
  type Stopping,
} from './connection.ts';
import { isUnchanged, type Login, makeLogin, WHO, type Who } from './login-rights.ts';
import { groupOf } from './roles.ts';
import { inTransaction } from './transaction.ts';

type Opened = { readonly database: Database; readonly url: string };

/** The owner's name on the server and password, which may come from the address, PGPASSWORD or a password file. */
const ownerOf = (ownerUrl: string, stopping: Stopping): Promise<Login> => {
  const reading = async (session: Session) => {
    const name = String((await session.query('select current_user as name')).rows[0]?.name);
    if (session.password) return { name, password: session.password };
    throw new UsageError(
      `${name} connects to ${placeOf(ownerUrl)} without a password, and the passwords of the logins are derived from it: ` +
        `add one to DATABASE_URL, or set ${ROLES.map(variableOf).join(', ')} to addresses of your own`,
    );
  };
  return inSession(ownerUrl, `tieout logins pid ${process.pid}`, reading, stopping);
};

const roots = new Map<string, Buffer>();

/** Deliberately slow: a login's password must not reveal the owner's, which a person may have chosen. */
const rootOf = ({ name, password }: Login): Buffer => {
  const key = JSON.stringify([name, password]);
  const root = roots.get(key) ?? scryptSync(password, `tieout logins of ${name}`, 32);
  roots.set(key, root);
  return root;
};

const loginOf = (owner: Login, role: Role): Login => ({
  name: `${groupOf(role)}_${sha256(owner.name).slice(0, 8)}`,
  password: createHmac('sha256', rootOf(owner)).update(role).digest('base64url'),
});

/** An address whose host is a parameter, as that of a socket may be, has no place for a user: the host goes where it belongs. */
const withHost = (address: URL): URL => {
  const host = address.searchParams.get('host');
  if (address.hostname !== '' || host === null) return address;
  address.searchParams.delete('host');
  return new URL(address.href.replace('://', `://${encodeURIComponent(host)}`));
};

const addressOf = (ownerUrl: string, { name, password }: Login): string => {
  const address = withHost(new URL(ownerUrl));
  for (const parameter of ['user', 'password']) address.searchParams.delete(parameter); // parameters would take precedence
  address.username = name;
  address.password = password;
  return address.href;
};

/** Opens a pool and reads the current user. Throws connection errors unchanged. */
const enter = async (
  url: string,
  role: Role,
  stopping: Stopping,
): Promise<{ database: Database; who: Who }> => {
  const database = openReader(url, stopping);
  try {
    const { rows } = await database.pool.query(WHO, [groupOf(role)]);
    return { database, who: rows[0] as Who };
  } catch (error) {
    await database.close();
    throw error;
  }
};

const unreachable = (url: string, as: string, error: Error): FailedError =>
  new FailedError(`the database at ${placeOf(url)} cannot be reached as ${as}: ${reasonOf(error)}`);

const REFUSED = /^28/; // unknown user or wrong password

/** Creates or repairs the logins of all roles without an address of their own, so that later commands only connect. */
const makeOwn = (config: Config, ownerUrl: string, owner: Login): Promise<void> =>
  inSession(
    ownerUrl,
    `tieout logins pid ${process.pid}`,
    (session) =>
      inTransaction(session, async () => {
        for (const role of ROLES.filter((one) => config.roleUrls[one] === undefined))
          await makeLogin(session, role, loginOf(owner, role));
      }),
    config,
  );

/** Connects with the role's login; the owner creates or repairs it first if it is missing or has changed. */
const openOwn = async (config: Config, ownerUrl: string, role: Role): Promise<Opened> => {
  const owner = await ownerOf(ownerUrl, config);
  const login = loginOf(owner, role);
  const url = addressOf(ownerUrl, login);
  const first = await enter(url, role, config).catch((error: Error) => {
    if (!REFUSED.test(codeOf(error))) throw unreachable(url, login.name, error);
    return null;
  });
  if (first?.who.member) {
    // The login works all the same where the owner may not change roles, and on a replica, where nobody can.
    if (!isUnchanged(role, first.who)) await makeOwn(config, ownerUrl, owner).catch(() => {});
    return { database: first.database, url };
  }
  await first?.database.close();
  await makeOwn(config, ownerUrl, owner);
  const { database } = await enter(url, role, config).catch((error: Error) => {
    throw unreachable(url, login.name, error);
  });
  return { database, url };
};

/** Identifies a database: the same on a replica, different for every other database. */
export const PLACE = `
  select system_identifier || '/' || (select oid from pg_database where datname = current_database()) as place
  from pg_control_system()`;

/** Connects with a configured address. It must lead to these books, and its role must not have more rights than intended. */
const openConfigured = async (
  url: string,
  ownerUrl: string,
  role: Role,
  stopping: Stopping,
): Promise<Opened> => {
  const variable = variableOf(role);
  const { database, who } = await enter(url, role, stopping).catch((error: Error) => {
    throw unreachable(url, `${variable} says`, error);
  });
  const there = (await database.pool.query(PLACE)).rows[0]?.place;
  const { rows } = await inSession(ownerUrl, 'tieout logins', (session) => session.query(PLACE), stopping);
  const { place } = rows[0];
  const wrong =
    (there !== place && 'leads to another database than DATABASE_URL') ||
    (who.owns &&
      `connects as ${who.name}, who is or may become the owner of the books: use a login that only adds`) ||
    (!who.member &&
      `connects as ${who.name}, who is no member of ${groupOf(role)}: grant ${groupOf(role)} to ${who.name}`);
  if (!wrong) return { database, url };
  await database.close();
  throw new UsageError(`${variable} ${wrong}`);
};

/**
 * Opens the books as a role: with its configured address, or with the owner's login for it, created if missing. Throws
 * FailedError if a login cannot be created or used, UsageError if a configured address is for another database or role,
 * or if the owner has no password.
 */
export const openAs = (config: Config, ownerUrl: string, role: Role): Promise<Opened> => {
  const address = config.roleUrls[role];
  return address === undefined
    ? openOwn(config, ownerUrl, role)
    : openConfigured(address, ownerUrl, role, config);
};

/** Creates or checks the logins of every role. Returns the user name that each role connects as. */
export const makeLogins = async (config: Config, ownerUrl: string): Promise<Record<string, string>> => {
  const names: Record<string, string> = {};
  for (const role of ROLES) {
    const { database, url } = await openAs(config, ownerUrl, role);
    await database.close();
    names[role] = decodeURIComponent(new URL(url).username);
  }
  return names;
};
