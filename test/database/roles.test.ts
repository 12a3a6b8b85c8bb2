// Append-only is enforced by the database: everything is tried as every role, on every table in the catalogue.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { ROLES, type Role } from '../../src/config/role.ts';
import type { Session } from '../../src/database/client.ts';
import { inSession, openSession } from '../../src/database/connection.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { escapesOf } from './roles/escapes.ts';
import { addressesOf } from './roles/logins.ts';
import { CHANGING, DECIDING } from './roles/rights.ts';
import { mayRun, type Relation, type Rights, relationsOf, rightsTo } from './roles/trials.ts';

let books: TestDatabase;
let relations: Relation[];
const sessions: Partial<Record<Role, Session>> = {};
const tried = new Map<string, Record<Role, Rights>>();

/** By statement: the roles that may run it, and those that may not. */
const escapes = new Map<string, { open: Role[]; refused: Role[] }>();

const as = (role: Role): Session => sessions[role] as Session;

beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(readFileSync(join(packageRoot, 'sql', 'roles.sql'), 'utf8')); // rights on a database are not copied with it
  const addresses = await addressesOf(books.url);
  for (const role of ROLES) sessions[role] = await openSession(addresses[role]);
  relations = await inSession(books.url, 'tieout test', relationsOf);
  for (const relation of relations) {
    const rights = await Promise.all(ROLES.map(async (role) => [role, await rightsTo(as(role), relation)]));
    tried.set(relation.name, Object.fromEntries(rights));
  }
  for (const role of ROLES) await tryEscapes(role);
});

const tryEscapes = async (role: Role): Promise<void> => {
  const { rows } = await as(role).query('select session_user as login');
  const owner = new URL(books.url).username;
  for (const [name, statement] of Object.entries(escapesOf({ role, login: rows[0]?.login, owner }))) {
    const found = escapes.get(name) ?? { open: [], refused: [] };
    escapes.set(name, found);
    found[(await mayRun(as(role), statement)) ? 'open' : 'refused'].push(role);
  }
};

afterAll(async () => {
  for (const session of Object.values(sessions)) await session.end();
  await books?.close();
});

const HEAD = `What each role may do, as tried by test/database/roles.test.ts, which writes this page with: npx vitest run test/database/roles.test.ts -u
s select, i insert, u update, ~ update of the columns below, d delete, t truncate, c COPY from; - refused
`;

const page = (): string => {
  const width = Math.max(...relations.map(({ name }) => name.length)) + 2;
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}${cells.map((cell) => cell.padEnd(10)).join('')}`.trimEnd();
  const lines = relations.map(({ name }) =>
    line(
      name,
      ROLES.map((role) => tried.get(name)?.[role].letters ?? ''),
    ),
  );
  const some = relations.flatMap(({ name }) =>
    ROLES.flatMap((role) => {
      const updatable = tried.get(name)?.[role].updatable ?? [];
      return updatable.length === 0 ? [] : [`${role} ~ ${name}: ${updatable.join(', ')}`];
    }),
  );
  const others = [...escapes].map(([name, { open, refused }]) => {
    const to = refused.length === ROLES.length ? 'all' : refused.join(', ');
    return `${name}: refused to ${to}${open.length > 0 ? `, open to ${open.join(', ')}` : ''}`;
  });
  return [
    HEAD,
    line('', ROLES),
    ...lines,
    '',
    ...some,
    '',
    'Tried as each role besides:',
    ...others,
    '',
  ].join('\n');
};

test('the refusal table equals the committed one', async () => {
  expect(relations.length).toBeGreaterThan(35);
  await expect(page()).toMatchFileSnapshot('roles/refusals.txt');
});

test('only the owner may delete or change rows, also in a new table', () => {
  for (const [name, rights] of tried) {
    expect(rights.loader.letters, name).toMatch(CHANGING[name] ?? /^[s-][i-]---[c-]$/);
    const reading = /^books(_internal)?\./.test(name) ? 's-----' : '------';
    expect(rights.analyst.letters, name).toBe(reading);
    for (const role of ['preparer', 'approver'] as const)
      expect(rights[role].letters, `${role} ${name}`).toBe(DECIDING[name]?.[role] ?? reading);
  }
});

test('landed and booked tables are among those tried', () => {
  const append = [
    'requests',
    'records',
    'pages',
    'leaves',
    'snapshots',
    'balances',
    'rate_lists',
    'rates',
  ].map((it) => `land.${it}`);
  for (const name of [...append, 'run.findings', 'reconcile.tie_outs'])
    expect(tried.get(name)?.loader.letters, name).toBe('si---c');
  expect(tried.get('ledger.transfers')?.loader.letters).toBe('si---c');
  expect(tried.get('ledger.entries')?.loader.letters).toBe('si----'); // row by row: COPY cannot be checked per row, so it is refused
  expect(tried.get('land.people')?.loader.letters).toBe('-i---c');
});

test('an extra right is detected', async () => {
  const other = await freshDatabase();
  const { loader } = await addressesOf(other.url);
  const relation = relations.find(({ name }) => name === 'ledger.entries') as Relation;
  const rights = () => inSession(loader, 'tieout test', (session) => rightsTo(session, relation));
  expect((await rights()).letters).toBe('si----');
  await other.pool.query('grant delete, truncate, update (kind) on ledger.entries to tieout_loader');
  expect(await rights()).toEqual({ letters: 'si~dt-', updatable: ['kind'] });
  await other.close();
});

/** What each role may do and others may not. */
const OPEN = {
  loader: ['renew statistics as the owner'],
  analyst: [],
  preparer: [],
  approver: ['read the people', 'renew statistics as the owner'],
};

describe.each(ROLES)('as the %s', (role) => {
  test('no escape from the role', () => {
    const open = [...escapes].filter(([, found]) => found.open.includes(role)).map(([name]) => name);
    expect(open).toEqual(OPEN[role]);
  });

  test('its login is a member only of its group', async () => {
    const { rows } = await as(role).query(
      `
      select r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolreplication or r.rolbypassrls as mighty,
        array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid) as groups,
        array(select roleid::regrole::text from pg_auth_members where member = ('tieout_' || $1)::regrole) as above
      from pg_roles r where rolname = session_user`,
      [role],
    );
    expect(rows).toEqual([{ mighty: false, groups: [`tieout_${role}`], above: [] }]);
  });
});

test('functions that run as the owner are granted only where needed, and have a fixed search path', async () => {
  const { rows } = await books.pool.query(
    `
    select p.oid::regprocedure::text as name, p.proconfig as config,
      array(select r.rolname::text from pg_roles r where r.rolname = any($1) and has_function_privilege(r.oid, p.oid, 'execute') order by 1) as may
    from pg_proc p where p.prosecdef and p.pronamespace <> 'pg_catalog'::regnamespace
    order by 1`,
    [ROLES.map((role) => `tieout_${role}`)],
  );
  expect(rows).toEqual([
    {
      name: 'ledger.hold_still()',
      config: ['search_path=pg_catalog, pg_temp', 'lock_timeout=20s'],
      may: ['tieout_preparer'],
    },
    {
      name: 'ledger.renew_statistics(double precision)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_approver', 'tieout_loader'],
    },
    {
      name: 'run.hold(bigint)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_approver', 'tieout_loader', 'tieout_preparer'],
    },
    {
      name: 'run.hold(bigint,integer)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_approver', 'tieout_loader', 'tieout_preparer'],
    },
    {
      name: 'run.hold_budget(text,integer,boolean,bigint)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_loader'],
    },
    {
      name: 'run.join_books()',
      config: ['search_path=pg_catalog, pg_temp', 'lock_timeout=2s'],
      may: ['tieout_loader'],
    },
    {
      name: 'run.know_gateway(text,text)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_loader'],
    },
    {
      name: 'run.lock_books()',
      config: ['search_path=pg_catalog, pg_temp', 'lock_timeout=2s'],
      may: ['tieout_loader'],
    },
    {
      name: 'run.open_budget(text,text,uuid)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_loader'],
    },
    {
      name: 'run.take_over()',
      config: ['search_path=pg_catalog, pg_temp', 'lock_timeout=60s'],
      may: ['tieout_loader'],
    },
    {
      name: 'run.take_request(text,text,integer,integer,integer,timestamp with time zone,bigint,bigint[],bigint[],uuid,bigint,boolean)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_loader'],
    },
    {
      name: 'value.renew_statistics(double precision)',
      config: ['search_path=pg_catalog, pg_temp'],
      may: ['tieout_loader'],
    },
  ]);
});

test('the loader can refresh the statistics of tables that it does not own', async () => {
  const analyzed = async () =>
    (await books.pool.query("select pg_stat_get_last_analyze_time('land.records'::regclass) as at")).rows[0]
      .at;
  const before = await analyzed();
  await books.pool.query(`
    insert into land.records (entity_id, stream, record_id, version, digest, payload, landed_at, request_id)
    select 'main', 'grown', nth, 1, '', repeat('x', 1000), now(), 1 from generate_series(1, 200) as nth`);
  await as('loader').query('select ledger.renew_statistics(0.1)');
  await expect.poll(analyzed).not.toBe(before);
});

test("an analyst's session starts read-only, with a time limit, in schema books", async () => {
  const { rows } = await as('analyst').query(
    "select current_setting('default_transaction_read_only') as only, current_setting('statement_timeout') as time, rolconfig from pg_roles where rolname = current_user",
  );
  const ofEveryClient = expect.arrayContaining(['search_path=books, public', 'jit=off']);
  expect(rows).toEqual([{ only: 'on', time: '1min', rolconfig: ofEveryClient }]);
});

test.each(ROLES)('the server looks whether the client of the %s is still there', async (role) => {
  const { rows } = await as(role).query(
    "select setting from pg_settings where name = 'client_connection_check_interval'",
  );
  expect(rows).toEqual([{ setting: '5000' }]);
});

test('an analyst cannot fill the disk by a sort or by messages to the log, and cannot lift these limits', async () => {
  const limits = { temp_file_limit: '10GB', log_min_messages: 'fatal', log_min_error_statement: 'panic' };
  for (const [limit, value] of Object.entries(limits)) {
    const { rows } = await as('analyst').query('select current_setting($1) as value', [limit]);
    expect(rows, limit).toEqual([{ value }]);
    for (const lifting of [
      `set ${limit} to default`,
      `begin read write; alter role current_user reset ${limit}`,
    ])
      await expect(as('analyst').query(lifting), limit).rejects.toThrow(/permission denied/);
    await as('analyst').query('rollback');
  }
});
