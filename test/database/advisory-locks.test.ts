// Advisory locks: their keys can be computed by anybody, so in a superuser's database only roles that need them may take them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROLES, type Role } from '../../src/config/role.ts';
import { inSession } from '../../src/database/connection.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { addressesOf } from './roles/logins.ts';

let books: TestDatabase;
let addresses: Record<Role, string>;
beforeAll(async () => {
  books = await freshDatabase();
  addresses = await addressesOf(books.url);
});
afterAll(() => books?.close());

const LOCKS = `
  select bool_and(has_function_privilege(oid, 'execute')) as may_all, bool_or(has_function_privilege(oid, 'execute')) as may_any,
    count(*)::int as functions
  from pg_proc where proname ~ 'advisory' and proname ~ 'lock' and proname !~ 'unlock'`;

test.each(ROLES)('the %s takes an advisory lock only if nights need it', async (role) => {
  const rows = await inSession(
    addresses[role],
    'tieout test',
    async (session) => (await session.query(LOCKS)).rows,
  );
  const may = role === 'loader' || role === 'approver';
  expect(rows).toEqual([{ may_all: may, may_any: may, functions: 16 }]);
});

test('an analyst cannot claim the entity of a night', async () => {
  const claim = "select pg_advisory_lock(hashtextextended('tieout part main', 0))";
  const claiming = inSession(addresses.analyst, 'tieout test', (session) => session.query(claim));
  await expect(claiming).rejects.toThrow('permission denied for function pg_advisory_lock');
});
