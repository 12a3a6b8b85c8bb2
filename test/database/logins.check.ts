// Logins of a home: created once, recreated if missing, and one clear error if they cannot be created.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FailedError, UsageError } from '../../src/base/errors.ts';
import { readConfig } from '../../src/config/environment.ts';
import { ROLES, type Role } from '../../src/config/role.ts';
import type { Env } from '../../src/config/setting-forms.ts';
import { SCHEMAS } from '../../src/database/books-mark.ts';
import { type Database, inSession, openSession } from '../../src/database/connection.ts';
import { makeLogins, openAs } from '../../src/database/logins.ts';
import { migrate } from '../../src/database/migrate.ts';
import { lockBooks } from '../../src/database/writer-lock.ts';
import { withBooks } from '../../src/run/entry.ts';
import { freshDatabase, type TestDatabase, urlOf } from '../database.ts';
import { addressesOf, withHome } from './roles/logins.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books?.close());

const ask = (url: string, text: string) =>
  inSession(url, 'tieout test', async (session) => (await session.query(text)).rows);

const configOf = (home: string, url = books.url, env: Env = {}) =>
  readConfig({ TIEOUT_HOME: home, DATABASE_URL: url, ...env });

/** The name with which a role connects from a home. */
const nameIn = async (home: string, role: Role, { url = books.url, env = {} as Env } = {}) => {
  const opened = await openAs(configOf(home, url, env), url, role);
  const { rows } = await opened.database.pool.query('select current_user as name');
  await opened.database.close();
  return String(rows[0]?.name);
};

test('a login is created once, with a password that is stored nowhere', () =>
  withHome(async (home) => {
    const opened = await openAs(configOf(home), books.url, 'loader');
    await opened.database.close();
    const { username: name, password } = new URL(opened.url);
    expect(name).toMatch(/^tieout_loader_[0-9a-f]{8}$/);
    expect(await nameIn(home, 'loader')).toBe(name);
    expect(readdirSync(home)).toEqual([]);
    const [stored] = await ask(
      books.url,
      `select rolpassword as it from pg_authid where rolname = '${name}'`,
    );
    expect(stored?.it).toMatch(/^SCRAM-SHA-256\$4096:/);
    expect(stored?.it).not.toContain(password);
    expect(password).not.toContain(new URL(books.url).password);
  }));

test('two homes on one server, and concurrent processes and databases, share one login', () =>
  withHome(async (home) =>
    withHome(async (other) => {
      const second = await freshDatabase();
      const here = [1, 2, 3].map(() => nameIn(home, 'loader'));
      const there = [books, second].map(({ url }) => nameIn(other, 'loader', { url }));
      expect(new Set(await Promise.all([...here, ...there])).size).toBe(1);
      await second.close();
    }),
  ));

/** A database of another role, which has only `attributes`: its logins are its own. */
const ownedBy = async (
  attributes: string,
): Promise<{ url: string; owner: string; close(): Promise<void> }> => {
  const made = await freshDatabase();
  const name = new URL(made.url).pathname.slice(1);
  const owner = `owner_${name}`;
  await made.pool.query(`create role ${owner} login password 'own' ${attributes}`);
  await made.pool.query(`alter database ${name} owner to ${owner}`);
  await made.pool.query(`drop schema ${SCHEMAS.join(', ')} cascade; drop table public.schema_migrations`);
  const url = new URL(made.url);
  url.username = owner;
  url.password = 'own';
  return { url: url.href, owner, close: made.close };
};

test('analysts take at most half of the connections, also with a login from before, so that a night can enter', () =>
  withHome(async (home) => {
    const { url: owner, close } = await ownedBy('superuser'); // other tests share the logins of `books`
    await migrate(owner);
    const name = await nameIn(home, 'analyst', { url: owner });
    await ask(books.url, `alter role "${name}" connection limit -1`);
    const { database, url } = await openAs(configOf(home, owner), owner, 'analyst');
    await database.close();
    const [half] = await ask(books.url, "select current_setting('max_connections')::int / 2 as most");
    const limits = `select rolname, rolconnlimit as most from pg_roles where rolname = '${name}'`;
    expect(await ask(books.url, limits)).toEqual([{ rolname: name, ...half }]);
    await ask(books.url, `alter role "${name}" connection limit 2`); // an administrator's own limit is kept
    const sessions = await Promise.all([openSession(url), openSession(url)]);
    await expect(openSession(url)).rejects.toThrow('too many connections for role');
    expect(await nameIn(home, 'loader', { url: owner })).toMatch(/^tieout_loader_/);
    await Promise.all(sessions.map((session) => session.end()));
    expect(await nameIn(home, 'analyst', { url: owner })).toBe(name);
    expect(await ask(books.url, limits)).toEqual([{ rolname: name, most: 2 }]);
    await close();
  }));

test('a login from before the limits of the disk gets them, and an administrator may set others', () =>
  withHome(async (home) => {
    const { url, close } = await ownedBy('superuser');
    await migrate(url);
    const name = await nameIn(home, 'analyst', { url });
    const set = `select array_to_string(rolconfig, ' ') as settings from pg_roles where rolname = '${name}'`;
    await ask(books.url, `alter role "${name}" reset log_min_messages`);
    await nameIn(home, 'analyst', { url });
    expect((await ask(books.url, set))[0]?.settings).toContain('log_min_messages=fatal');
    await ask(books.url, `alter role "${name}" set log_min_messages = panic`);
    await nameIn(home, 'analyst', { url });
    expect((await ask(books.url, set))[0]?.settings).toContain('log_min_messages=panic');
    await close();
  }));

test('jobs run as the loader, which locks the books, or as the owner if required', () =>
  withHome(async (home) => {
    const nameOf = async ({ pool }: Database) =>
      (await pool.query('select current_user as name')).rows[0]?.name;
    const loader = await withBooks(configOf(home), async (database, url) => {
      const lock = await lockBooks(url, 'nightly');
      const { loader: another } = await addressesOf(books.url);
      const refusal = await lockBooks(another, 'extract').catch(String);
      await lock.release();
      return { name: await nameOf(database), refusal };
    });
    expect(loader).toEqual({
      name: expect.stringMatching(/^tieout_loader_/),
      refusal: expect.stringMatching(
        /writing these books \(tieout nightly pid \d+, since 2\d{3}-.*Z\): wait/,
      ),
    });
    expect(await withBooks(configOf(home), nameOf, { as: 'owner' })).toBe('tieout');
  }));

test('grants that a restored dump lacks are granted again', async () => {
  const restored = await freshDatabase();
  const groups = ROLES.map((role) => `tieout_${role}`).join(', ');
  await restored.pool.query(`revoke all on schema books, land from ${groups}`);
  expect(await migrate(restored.url)).toEqual({ applied: [], viewsRecreated: true, dropped: [] });
  const { loader, analyst } = await addressesOf(restored.url);
  expect(await ask(loader, 'select * from land.records')).toEqual([]);
  expect(await ask(analyst, 'select * from books.balances')).toEqual([]);
  await restored.close();
});

test('a night can take its locks again after a dump was restored before its roles existed', async () => {
  const restored = await freshDatabase();
  await restored.pool.query(
    'revoke execute on function pg_advisory_lock(bigint) from tieout_loader, tieout_approver',
  );
  await restored.pool.query('revoke all on schema books, land from tieout_loader'); // or the books are up to date
  await migrate(restored.url);
  const { loader, approver, analyst } = await addressesOf(restored.url);
  const may = "select has_function_privilege('pg_advisory_lock(bigint)', 'execute') as may";
  expect(await Promise.all([loader, approver, analyst].map((url) => ask(url, may)))).toEqual([
    [{ may: true }],
    [{ may: true }],
    [{ may: false }],
  ]);
  await restored.close();
});

test('a configured URL is used, and no login is created', () =>
  withHome(async (home) => {
    const { loader } = await addressesOf(books.url);
    const name = await nameIn(home, 'loader', { env: { TIEOUT_LOADER_URL: loader } });
    expect(name).toBe(new URL(loader).username);
    expect(readdirSync(home)).toEqual([]);
  }));

test('a URL of another role is refused', async () => {
  const { loader, analyst } = await addressesOf(books.url);
  const other = await freshDatabase();
  const wrong = new URL(loader);
  wrong.password = 'hunter2';
  const refused = (url: string) =>
    withHome((home) => nameIn(home, 'loader', { env: { TIEOUT_LOADER_URL: url } }).catch((error) => error));
  const messageFor = async (url: string) => (await refused(url)).message as string;
  expect(await refused(books.url)).toBeInstanceOf(UsageError);
  expect(await messageFor(books.url)).toMatch(
    /^TIEOUT_LOADER_URL connects as tieout, who is or may become the owner of the books/,
  );
  expect(await messageFor(analyst)).toMatch(
    /, who is no member of tieout_loader: grant tieout_loader to tieout_analyst_/,
  );
  expect(await messageFor(urlOf(loader, new URL(other.url).pathname.slice(1)))).toBe(
    'TIEOUT_LOADER_URL leads to another database than DATABASE_URL',
  );
  expect(await refused(wrong.href)).toBeInstanceOf(FailedError);
  expect(await messageFor(wrong.href)).toMatch(
    /cannot be reached as TIEOUT_LOADER_URL says: password authentication failed/,
  );
  await other.close();
});

test('an address whose host, user and password are parameters opens the books as each role', () =>
  withHome(async (home) => {
    const { hostname, port, pathname, username, password } = new URL(books.url);
    const values = { host: hostname, port, user: username, password };
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) parameters.set(name, decodeURIComponent(value));
    const url = `postgresql://${pathname}?${parameters}`;
    const first = await makeLogins(configOf(home, books.url), books.url);
    expect(await makeLogins(configOf(home, url), url)).toEqual(first);
  }));

test('an owner without CREATEROLE gets a message with both solutions', () =>
  withHome(async (home) => {
    const { url, owner, close } = await ownedBy('');
    await migrate(url);
    const failed: unknown = await makeLogins(configOf(home, url), url).catch((error) => error);
    expect(failed).toBeInstanceOf(FailedError);
    const lines = String((failed as Error).message).split('\n');
    expect(lines[0]).toBe(
      `${owner} may not make the roles that tieout works as (permission denied to create role). Either let an administrator run, once and for what is missing,`,
    );
    expect(lines).toContain(
      "  create role my_loader login password '…' in role tieout_loader; -- and set TIEOUT_LOADER_URL to its address",
    );
    expect(lines.at(-1)).toMatch(new RegExp(`^  alter role ${owner} createrole;`));
    const addresses = await addressesOf(books.url); // the part of the administrator, as far as roles go
    const database = new URL(url).pathname.slice(1);
    const env = Object.fromEntries(
      ROLES.map((role) => [`TIEOUT_${role.toUpperCase()}_URL`, urlOf(addresses[role], database)]),
    );
    expect(Object.keys(await makeLogins(configOf(home, url, env), url))).toEqual([...ROLES]);
    await close();
  }));

test('an owner with CREATEROLE and grants on the groups creates the logins', () =>
  withHome(async (home) => {
    const { url, owner, close } = await ownedBy('createrole');
    await migrate(url);
    await expect(makeLogins(configOf(home, url), url)).rejects.toThrow(/permission denied to grant role/); // on 15 it may
    const groups = ROLES.map((role) => `tieout_${role}`).join(', ');
    await ask(books.url, `grant ${groups} to ${owner} with admin option`);
    const names = await makeLogins(configOf(home, url), url);
    expect(await nameIn(home, 'analyst', { url })).toBe(names.analyst);
    await close();
  }));
