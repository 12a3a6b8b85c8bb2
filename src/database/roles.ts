// The roles that work on the books. Each is a group on the whole server and owns nothing; sql/roles.sql grants its rights
// in one database. The owner, the role that DATABASE_URL connects as, is not one of them.

import { FailedError } from '../base/errors.ts';
import { ROLES, variableOf } from '../config/config.ts';
import type { Role } from '../config/role.ts';
import type { Session } from './client.ts';
import { codeOf } from './connection.ts';

/** The group of a role's logins. */
export const groupOf = (role: Role): string => `tieout_${role}`;

const GROUPS = ROLES.map(groupOf);

/** Whether the groups exist with their grants: a dump restored on another server brings neither. */
export const GRANTED = `
  coalesce((
    select count(*) = ${GROUPS.length} and bool_and(has_schema_privilege(r.oid, n.oid, 'usage'))
    from pg_roles r, pg_namespace n
    where r.rolname in (${GROUPS.map((group) => `'${group}'`).join(', ')}) and n.nspname = 'books'
  ), false)`;

const MAY_NOT = '42501';
const THERE = /^(42710|23505)$/; // duplicate_object, or unique_violation if another session created it at the same moment
/** Another session changes the same role at this moment; Postgres has no error code for it. */
const MEANWHILE = /^tuple concurrently updated$/;

/**
 * Runs statements about roles in the session's transaction: a rollback reverts roles too. Returns false if another
 * session has created or changed the role; throws FailedError if we lack the right.
 */
export const changeRoles = async (session: Session, statements: string): Promise<boolean> => {
  await session.query('savepoint roles');
  try {
    await session.query(statements);
    return true;
  } catch (error) {
    await session.query('rollback to savepoint roles');
    if (THERE.test(codeOf(error)) || MEANWHILE.test((error as Error).message)) return false;
    if (codeOf(error) === MAY_NOT) throw await forbidden(session, error as Error);
    throw error;
  }
};

/** The error if we may not create roles: both remedies, as statements to paste. */
const forbidden = async (session: Session, { message }: Error): Promise<FailedError> => {
  const { rows } = await session.query('select quote_ident(current_user) as name');
  const name = rows[0]?.name;
  const login = (role: Role) => `  create role my_${role} login password '…' in role ${groupOf(role)};`;
  return new FailedError(
    [
      `${name} may not make the roles that tieout works as (${message}). Either let an administrator run, once and for what is missing,`,
      ...GROUPS.map((group) => `  create role ${group} nologin;`),
      ...ROLES.map((role) => `${login(role)} -- and set ${variableOf(role)} to its address`),
      `or let ${name} make them:`,
      `  alter role ${name} createrole; -- and, where the groups are there: grant ${GROUPS.join(', ')} to ${name} with admin option;`,
    ].join('\n'),
  );
};

/** Creates the missing groups. They belong to the whole server; its other databases use the same ones. */
export const makeGroups = async (session: Session): Promise<void> => {
  const { rows } = await session.query<{ rolname: string }>(
    'select rolname from pg_roles where rolname = any($1)',
    [GROUPS],
  );
  const there = new Set(rows.map(({ rolname }) => rolname));
  for (const group of GROUPS.filter((name) => !there.has(name)))
    await changeRoles(session, `create role ${group} nologin`);
};
