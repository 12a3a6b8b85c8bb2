// The paths of the owner of the database, whom no right limits, as data: how the owner could alter a closed month, and one that is refused to the approver.
import { entry, leg, ONE, type Path, reopening } from './paths.ts';

/** Seals September anew with what its first seal holds; the columns of each table that are not those of its key. */
const sealedAgain = (text: string): string =>
  Object.entries({
    seal_leaves: 'entry_id, leaf',
    seal_files: 'name, part, content',
    seal_values: 'subject, leaf',
    seal_closings: 'subject, currency, units, exact, value',
    seals: `requests_to, entries, root, ${text}, prepared_by, sealed_at`,
  })
    .map(
      ([table, columns]) => `
      insert into decide.${table} (entity_id, period, seal_number, ${columns.replace(text, 'seal')})
      select entity_id, period, 2, ${columns} from decide.${table} where entity_id = 'main'`,
    )
    .join(';');

export const OWNER_PATHS: readonly Path[] = [
  { path: 'insert an entry into 2026-09', by: ['owner'], sql: entry('2026-09', 'movements') },
  { path: 'insert a leg onto an entry of 2026-09', by: ['owner'], sql: leg(ONE) },
  {
    path: 'update an amount by 1e-18',
    by: ['owner'],
    sql: `update ledger.transfers set amount = amount + 1e-18 where entry_id = ${ONE}`,
  },
  {
    path: 'update a leg to another account',
    by: ['owner'],
    sql: `update ledger.transfers set debit = 'assets:earn' where entry_id = ${ONE}`,
  },
  {
    path: 'update when it was recorded',
    by: ['owner'],
    sql: `update ledger.entries set recorded_at = now() where entry_id = ${ONE}`,
  },
  {
    path: 'move an entry to 2026-10',
    by: ['owner'],
    sql: `update ledger.entries set period = '2026-10' where entry_id = ${ONE}`,
  },
  {
    path: 'move an entry to 2026-10, and say that it belongs to 2026-09',
    by: ['owner'],
    sql: `update ledger.entries set period = '2026-10', original_period = '2026-09' where entry_id = ${ONE}`,
  },
  {
    path: 'move an entry to 2026-08, which nothing seals',
    by: ['owner'],
    sql: `update ledger.entries set period = '2026-08', effective_at = '2026-08-31' where entry_id = ${ONE}`,
  },
  {
    path: 'delete an entry, and its legs',
    by: ['owner'],
    sql: `create temporary table gone on commit drop as select ${ONE} as entry_id;
      delete from ledger.transfers where entry_id in (select entry_id from gone);
      delete from ledger.entries where entry_id in (select entry_id from gone)`,
  },
  {
    path: 'alter a leaf',
    by: ['owner'],
    sql: "update decide.seal_leaves set leaf = sha256('x') where entity_id = 'main'",
  },
  {
    path: 'alter a sealed report',
    by: ['owner'],
    sql: "update decide.seal_files set content = content || ' ' where name = 'journal.csv'",
  },
  {
    path: 'alter who prepared a seal',
    by: ['owner'],
    sql: "update decide.seals set prepared_by = 'Mallory'",
  },
  {
    path: 'alter when it was sealed',
    by: ['owner'],
    sql: "update decide.seals set sealed_at = sealed_at + '1 s'",
  },
  {
    path: 'alter the request that a seal reaches to',
    by: ['owner'],
    sql: 'update decide.seals set requests_to = 0',
  },
  { path: 'alter the root of a seal', by: ['owner'], sql: "update decide.seals set root = repeat('0', 64)" },
  {
    path: 'alter the text of a seal, its budget say',
    by: ['owner'],
    sql: `update decide.seals set seal = replace(seal, '"budget":"0"', '"budget":"1"')`,
  },
  {
    path: 'put a name under a seal',
    by: ['owner'],
    sql: `insert into decide.seal_approvals select entity_id, period, seal_number, prepared_by, 'Mallory', now() from decide.seals`,
    shown:
      "select format('books.seals: approved by %s', approved_by) as shown from books.seals where entity_id = 'main'",
  },
  {
    path: 'put a name under the seal of 2026-09 after its reopening',
    by: ['approver'],
    sql: `${reopening('2026-09')};
      insert into decide.seal_approvals select entity_id, period, seal_number, prepared_by, 'Grace', now() from decide.seals`,
  },
  {
    path: 'reopen 2026-09, and seal it anew with the seal that was reopened',
    by: ['owner'],
    sql: `${reopening('2026-09')}; ${sealedAgain('seal')}`,
  },
  {
    path: 'reopen 2026-09, and seal it anew as of a request before the reopening',
    by: ['owner'],
    sql: `insert into land.requests overriding system value select (jsonb_populate_record(r, jsonb_build_object('request_id', request_id + 1))).*
        from land.requests r order by request_id desc limit 1;
      ${reopening('2026-09')}; ${sealedAgain("seal || ' '")}`,
  },
  {
    path: 'take the seals out, with all that they hold',
    by: ['owner'],
    sql: 'delete from decide.seal_leaves; delete from decide.seal_files; delete from decide.seals',
  },
];
