// Attempts to escape a role: the effect of each, and the statement.
import { ROLES, type Role } from '../../../src/config/role.ts';
import { groupOf } from '../../../src/database/roles.ts';

type Who = { readonly role: Role; readonly login: string; readonly owner: string };

/** Statements by name; each would be an escape if it did not fail. */
export const escapesOf = ({ role, login, owner }: Who): Readonly<Record<string, string>> => {
  const others = ROLES.filter((other) => other !== role).map(groupOf);
  return {
    'set role to the owner': `set role ${owner}`,
    ...Object.fromEntries(others.map((group) => [`set role ${group}`, `set role ${group}`])),
    'set_config of the role': `select set_config('role', '${owner}', false)`,
    'reset role, and what only the owner may': 'reset role; truncate ledger.entries',
    'set session authorization': `set session authorization ${owner}`,
    'grant itself another role': `grant ${others[0]} to ${login}`,
    'grant itself a right, and use it': `grant delete on ledger.entries to ${login}; delete from ledger.entries`,
    'make itself superuser': `alter role ${login} superuser`,
    'make a role': 'create role somebody',
    'change the password of the owner': `alter role ${owner} password 'x'`,
    'switch triggers and foreign keys off': 'set session_replication_role = replica',
    'alter a table': 'alter table ledger.entries add column x int',
    'take a constraint off': 'alter table ledger.transfers drop constraint transfers_amount_check',
    'drop a table': 'drop table ledger.entries cascade',
    'drop a view': 'drop view books.balances cascade',
    'drop a schema': 'drop schema books cascade',
    'put a trigger on a table':
      'create trigger t before insert on ledger.entries for each row execute function books_internal.amount_of()',
    'put a rule on a table': 'create rule r as on insert to ledger.entries do instead nothing',
    'make an index': 'create index on land.records (payload)',
    'make a schema': 'create schema mine',
    'make a temporary table, which no limit counts': 'create temporary table mine (n int)',
    'make a temporary function': `create function pg_temp.mine() returns int language sql as 'select 1'`,
    'make a table in public': 'create table public.mine (n int)',
    'make a table in ledger': 'create table ledger.mine (n int)',
    'make a function in public': `create function public.mine() returns int language sql as 'select 1'`,
    'make a function in books': `create function books.mine() returns int language sql as 'select 1'`,
    'change what the owner runs': `create or replace function ledger.renew_statistics(double precision) returns void language sql security definer as 'truncate ledger.entries'`,
    'write in a block': 'do $$ begin delete from ledger.entries; end $$',
    'write in a text that is run': `select query_to_xml('delete from ledger.entries returning 1', true, false, '')`,
    'merge into a table': `merge into ledger.entries e using (select 1 as n) s on true when matched then delete`,
    'lock a table against others': 'lock table ledger.entries in access exclusive mode',
    'hold rows of a table': 'select from ledger.entries for update',
    'read the people': 'select value from land.people',
    'read the passwords of the server': 'select rolpassword from pg_authid',
    'run a program': `copy (select 1) to program 'true'`,
    'run a program and read it': `copy ledger.entries from program 'true'`,
    'write a file': `copy (select 1) to '/tmp/tieout-escape'`,
    'read a file': "select pg_read_file('PG_VERSION')",
    'list a folder': "select pg_ls_dir('.')",
    'read a file into the database': "select lo_import('/etc/hostname')",
    'make a large object': 'select lo_create(0)',
    'make a large object with contents': `select lo_from_bytea(0, 'x')`,
    'fill the log': `select pg_logical_emit_message(false, 'x', 'x')`,
    'write a large object to a file': "select lo_export(1, '/tmp/tieout-escape')",
    'begin a new log of the server': 'select pg_rotate_logfile()',
    'load the configuration anew': 'select pg_reload_conf()',
    'read what is written ahead': "select pg_create_restore_point('x')",
    'renew statistics as the owner': 'select ledger.renew_statistics(0)',
  };
};
