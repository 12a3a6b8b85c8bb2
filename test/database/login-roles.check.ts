// Roles of a server: a change that affects all its databases needs a server of its own, or other tests would see it.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config/environment.ts';
import { ROLES } from '../../src/config/role.ts';
import { inSession } from '../../src/database/connection.ts';
import { makeLogins } from '../../src/database/logins.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openServer, removeServer, type Server } from '../../src/postgres/postgres.ts';
import { compareCatalogue } from '../../src/verify/ledger/catalogue.ts';
import { QUICK, urlOf } from '../database.ts';
import { newHome } from '../homes.ts';
import { newFolder } from '../room.ts';
import { addressesOf, withHome } from './roles/logins.ts';

const ask = (url: string, text: string) =>
  inSession(url, 'tieout test', async (session) => (await session.query(text)).rows);

const configOf = (home: string, url: string) => readConfig({ TIEOUT_HOME: home, DATABASE_URL: url });

const home = newHome();
let server: Server;
const on = (name: string) => urlOf(server.url, name);
const rolesOf = async () =>
  (await ask(server.url, "select rolname from pg_roles where rolname like 'tieout%' order by 1")).map(
    (it) => it.rolname,
  );

beforeAll(async () => {
  server = await openServer(home, { settings: QUICK });
});
afterAll(async () => {
  await server?.release();
  await removeServer(home);
  rmSync(home, { recursive: true, force: true });
});

test('a migration that fails leaves no role', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'migrations'));
  mkdirSync(join(folder, 'views'));
  writeFileSync(join(folder, 'views', '01-views.sql'), 'select 1 / 0;');
  writeFileSync(join(folder, 'roles.sql'), '');
  const files = {
    migrationsDir: join(folder, 'migrations'),
    viewsDir: join(folder, 'views'),
    rolesFile: join(folder, 'roles.sql'),
  };
  await expect(migrate(server.url, { files })).rejects.toThrow('division by zero');
  expect(await rolesOf()).toEqual(['tieout']);
});

test('ten homes over two databases leave no more roles than one', async () => {
  await ask(server.url, 'create database other');
  for (const url of [server.url, on('other')]) await migrate(url);
  const before = await rolesOf();
  const names = (nth: number) =>
    withHome((one) =>
      makeLogins(
        configOf(one, on(nth % 2 === 0 ? 'other' : 'tieout')),
        on(nth % 2 === 0 ? 'other' : 'tieout'),
      ),
    );
  const first = await names(1);
  const after = await rolesOf();
  expect(after).toHaveLength(before.length + ROLES.length);
  expect(await Promise.all([2, 3, 4, 5, 6, 7, 8, 9, 10].map(names))).toEqual(
    Array.from({ length: 9 }, () => first),
  );
  expect(await rolesOf()).toEqual(after);
});

test.each<[string, (name: string) => string]>([
  ['gone', (name) => `drop role ${name}`],
  ['given another password', (name) => `alter role ${name} password 'another'`],
  ['put out of its group', (name) => `revoke tieout_loader from ${name}`],
])('a login that was %s is mended, under its name', async (_, harm) => {
  const names = () => withHome((one) => makeLogins(configOf(one, server.url), server.url));
  const first = await names();
  await ask(server.url, harm(String(first.loader)));
  expect(await names()).toEqual(first);
});

test('settings that an analyst changed for the login are as they were for the next who connects', async () => {
  const addresses = await addressesOf(server.url);
  const settings = () =>
    ask(
      addresses.analyst,
      "select setting from pg_settings where name in ('statement_timeout', 'default_transaction_read_only', 'bytea_output') order by name",
    );
  const before = await settings();
  for (const change of [
    'statement_timeout = 0',
    'default_transaction_read_only = off',
    'bytea_output = escape',
  ])
    await ask(addresses.analyst, `begin read write; alter role current_user set ${change}; commit`);
  expect(await settings()).not.toEqual(before);
  await addressesOf(server.url);
  expect(await settings()).toEqual(before);
});

test('a group with more rights than shipped is named', async () => {
  await ask(server.url, 'alter role tieout_preparer bypassrls');
  expect(await compareCatalogue(server.url)).toContain('role tieout_preparer bypasses row security');
  await ask(server.url, 'alter role tieout_preparer nobypassrls');
});

const PASSES: readonly (readonly [string, string, string])[] = [
  ['alter role LOGIN superuser', 'is a superuser', 'alter role LOGIN nosuperuser'],
  ['alter role LOGIN bypassrls', 'bypasses row security', 'alter role LOGIN nobypassrls'],
  ['alter role LOGIN replication', 'replicates', 'alter role LOGIN noreplication'],
  [
    'grant set on parameter session_replication_role to LOGIN',
    'may switch foreign keys off',
    'revoke set on parameter session_replication_role from LOGIN',
  ],
  ['grant tieout to LOGIN', 'may act as the owner', 'revoke tieout from LOGIN'],
  ['grant pg_write_all_data to LOGIN', 'may act as pg_write_all_data', 'revoke pg_write_all_data from LOGIN'],
];

const faults = async () => (await compareCatalogue(server.url)).filter((it) => it !== null).sort();

test('a login of ours or of others that passes its group is named', async () => {
  await ask(
    server.url,
    'create role clerk login; create role clerks; grant tieout_analyst to clerks; grant clerks to clerk',
  );
  await ask(
    server.url,
    'create role ana createrole; grant tieout_loader, tieout_approver to ana with admin option',
  ); // owns other books
  const { loader } = await withHome((one) => makeLogins(configOf(one, server.url), server.url));
  const logins = ['clerk', String(loader)];
  const each = async (sql: string): Promise<void> => {
    for (const login of logins) await ask(server.url, sql.replace('LOGIN', login));
  };
  expect(await faults()).toEqual([]);
  for (const [harm, fault, mend] of PASSES) {
    await each(harm);
    expect(await faults()).toEqual(logins.map((login) => `role ${login} ${fault}`).sort());
    await each(mend);
  }
  await ask(server.url, 'drop role clerk; drop role clerks; drop owned by ana; drop role ana');
});

const BYPASSES: readonly (readonly [string, string, string])[] = [
  [
    'alter database tieout set session_replication_role = replica',
    'setting session_replication_role=replica of everybody in database tieout switches foreign keys and triggers off',
    'alter database tieout reset session_replication_role',
  ],
  [
    "alter role tieout set session_replication_role = 'REPLICA'",
    'setting session_replication_role=REPLICA of role tieout switches foreign keys and triggers off',
    'alter role tieout reset session_replication_role',
  ],
  [
    'alter role tieout in database tieout set session_replication_role = replica',
    'setting session_replication_role=replica of role tieout in database tieout switches foreign keys and triggers off',
    'alter role tieout in database tieout reset session_replication_role',
  ],
  [
    'create event trigger seen on ddl_command_end execute function public.seen()',
    'event trigger seen on ddl_command_end is not of this program',
    'drop event trigger seen',
  ],
];

test('all that passes the schema without altering it is named', async () => {
  await ask(
    server.url,
    'create function public.seen() returns event_trigger language plpgsql as $$ begin end $$',
  );
  expect(await faults()).toEqual([]);
  for (const [harm] of BYPASSES) await ask(server.url, harm);
  expect(await faults()).toEqual(BYPASSES.map(([, fault]) => fault).sort());
  for (const [, , mend] of BYPASSES) await ask(server.url, mend);
  expect(await faults()).toEqual([]);
  await ask(server.url, 'drop function public.seen()');
});

test('a new owner password changes those of the logins, which are updated', async () => {
  const url = new URL(server.url);
  await ask(server.url, "create role boss superuser login password 'first'");
  const as = (password: string) => {
    url.username = 'boss';
    url.password = password;
    return url.href;
  };
  const addresses = await addressesOf(as('first'));
  await ask(server.url, "alter role boss password 'second'");
  const others = await addressesOf(as('second'));
  expect(new URL(others.loader).username).toBe(new URL(addresses.loader).username);
  expect(new URL(others.loader).password).not.toBe(new URL(addresses.loader).password);
  await expect(ask(addresses.loader, 'select 1')).rejects.toThrow('password authentication failed');
});

test('an owner without a password has no logins', async () => {
  const rules = join(home, 'postgres', 'data', 'pg_hba.conf');
  writeFileSync(
    rules,
    `local all trusted trust\nhost all trusted 127.0.0.1/32 trust\n${readFileSync(rules, 'utf8')}`,
  );
  await ask(server.url, 'create role trusted superuser login; select pg_reload_conf()');
  const url = new URL(server.url);
  [url.username, url.password] = ['trusted', ''];
  const opened = () => withHome((one) => makeLogins(configOf(one, url.href), url.href));
  await expect
    .poll(() => opened().catch(String))
    .toMatch(
      /^UsageError: trusted connects to \S+ without a password, .*add one to DATABASE_URL, or set TIEOUT_LOADER_URL, /,
    );
});
