// A database of its own for a test file: a clone of the migrated template, which takes a few hundredths of a second.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../src/database/connection.ts';
import { urlOf } from './database-url.ts';
import type {} from './provided.ts';

export { urlOf } from './database-url.ts';

/** The database that is migrated once and then cloned. */
export const TEMPLATE = 'tieout_template';

/** Settings of a server whose data may be lost. */
export const QUICK = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '128MB',
  autovacuum: 'off',
  max_prepared_transactions: '2',
  max_connections: '200', // a night at several workers at once takes a dozen
};

/** A database. `close` ends the pool and drops it, even with open connections. */
export type TestDatabase = Database & { url: string };

/** A database that may stay: `keep` ends the pool and returns the name, which other tests can clone. */
type Keepable = TestDatabase & { readonly keep: () => Promise<string> };

let administrator: pg.Pool | null = null;

/** In one session of this process: one for each database that is made or dropped would cost as much as the work. */
const administer = async (sql: string): Promise<void> => {
  if (administrator === null) {
    const connectionString = inject('database').url;
    administrator = new pg.Pool({
      connectionString,
      application_name: 'tieout test',
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    administrator.on('error', () => {}); // the server ends after the last test
  }
  await administrator.query(sql);
};

const create = async (template: string): Promise<Keepable> => {
  const { url: server, problem } = inject('database');
  assert(problem === '' || template === 'template0', `the template database was not made: ${problem}`);
  const name = `t_${randomBytes(6).toString('hex')}`;
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(server, name);
  const { db, pool, close } = openDatabase(url, { name: 'tieout test' });
  const drop = async () => {
    await close();
    await administer(`drop database ${name} with (force)`);
  };
  const keep = async () => {
    await close();
    return name;
  };
  return { url, db, pool, close: drop, keep };
};

/** A fresh database with our whole schema and no rows. */
export const freshDatabase = (): Promise<Keepable> => create(TEMPLATE);

/** The schemas with tables of ours, in SQL. */
export const SCHEMAS = "('run', 'land', 'ledger', 'reconcile', 'decide', 'value')";

/** Rows are deleted without triggers, as some tables only grow; the severities are part of the schema. */
const EMPTY = `do $$
declare
  filled regclass;
begin
  set local session_replication_role = replica;
  for filled in
    select c.oid from pg_class c
    where c.relkind = 'r' and c.relnamespace::regnamespace::text in ${SCHEMAS} and pg_relation_size(c.oid) > 0
      and c.oid <> 'reconcile.severities'::regclass
  loop
    execute format('delete from %s', filled);
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename), 1, false)
  from pg_sequences where schemaname in ${SCHEMAS} and last_value is not null;
end
$$`;

/** Leaves no rows, as in a fresh database. Its sessions stay, which know its catalogue: that takes a fifth of the time of a new one. */
export const empty = async ({ pool }: Database): Promise<void> => {
  await pool.query(EMPTY);
};

/** A clone of such a database. */
export const copyOf = (name: string): Promise<Keepable> => create(name);

/** A fresh, completely empty database. */
export const emptyDatabase = (): Promise<TestDatabase> => create('template0');

/** A database that closes with the test that asks for it. */
export const untilTestEnds = async (making: Promise<TestDatabase>): Promise<TestDatabase> => {
  const database = await making;
  onTestFinished(() => database.close());
  return database;
};
