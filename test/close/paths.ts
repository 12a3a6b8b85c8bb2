// The paths into a closed month that a statement may try, as data: path, role and statement. September
// 2026 is closed at that time, October is open.
import type { Role } from '../../src/config/role.ts';

export type Who = Role | 'owner';

/** `shown` is queried if verify ledger finds nothing: it is what the books show instead. */
export type Path = {
  readonly path: string;
  readonly by: readonly Who[];
  readonly sql: string;
  readonly shown?: string;
};

const PEOPLE = ['loader', 'analyst', 'preparer', 'approver'] as const;
const EVERYBODY = [...PEOPLE, 'owner'] as const;
const LAST =
  "stream = 'movements' and entity_id = 'main' and period = '2026-09' order by entry_id desc limit 1";

/** The entry of September that is altered. */
export const ONE = `(select entry_id from ledger.entries where ${LAST})`;

/** An id with the correct time. */
const FORGED = "books_internal.first_entry_id('2026-09-30')";

export const leg = (entryId: string) => `
  insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
  values ('main', ${entryId}, 99, 'assets:trading', 'equity:external:platform', 'EUR', 1)`;

/** The daily summary of a forged entry, so that its sums do not reveal it. */
const SUMMED = `
  insert into ledger.daily (entity_id, account, currency, effective_day, recorded_at, debit, credit)
  values ('main', 'assets:trading', 'EUR', '2026-09-30', now(), 1, 0),
    ('main', 'equity:external:platform', 'EUR', '2026-09-30', now(), 0, 1);
  insert into ledger.totals as total values ('main', 'assets:trading', 'EUR', 1, 0), ('main', 'equity:external:platform', 'EUR', 0, 1)
  on conflict (entity_id, account, currency) do update set debit = total.debit + excluded.debit, credit = total.credit + excluded.credit`;

/** An entry without a record, as if entered by hand. */
export const entry = (period: string, stream: string, originalPeriod = 'null') => `
  insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, original_period, kind, stream, record_id,
    version, ordinal, rule_version, description)
  values ('main', ${FORGED}, '2026-09-30', now(), '${period}', ${originalPeriod},
    '${stream === 'manual' ? 'manual' : 'movement'}', '${stream}', 'forged', 1, 1, 1, 'forged');
  ${leg(FORGED)};
  ${SUMMED}`;

const seal = (period: string, more: { number?: number; sealedAt?: string; text?: string } = {}) => `
  insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
  values ('main', '${period}', ${more.number ?? 1}, 0, 0, encode(sha256(''), 'hex'),
    ${more.text ?? "'{}'"}, 'Mallory', ${more.sealedAt ?? 'now()'})`;

/** A seal that is consistent in itself, over another entry and a journal of its own. */
const CAREFUL = `
  with leaf as (
    insert into decide.seal_leaves select entity_id, '2026-10', 1, entry_id, leaf
    from decide.seal_leaves where entity_id = 'main' and period = '2026-09' order by entry_id limit 1 returning leaf
  ), file as (
    insert into decide.seal_files values ('main', '2026-10', 1, 'journal.csv', 0, 'forged')
  ), told as (
    select encode(leaf, 'hex') as root, (select seal_sha256 from books.seals where entity_id = 'main') as before from leaf
  )
  insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
  select 'main', '2026-10', 1, 0, 1, root, jsonb_build_object('entity', 'main', 'period', '2026-10', 'root', root, 'entries', 1,
    'requests_to', '0', 'prepared_by', 'Mallory', 'sealed_at', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
    'previous', jsonb_build_object('period', '2026-09', 'seal_number', '1', 'seal_sha256', before),
    'manifest', jsonb_build_object('files', jsonb_build_array(jsonb_build_object(
      'name', 'journal.csv', 'sha256', encode(sha256('forged'), 'hex')))))::text,
    'Mallory', now() from told`;

export const reopening = (period: string, requests = '(select max(request_id) from land.requests)') => `
  insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
  values ('main', '${period}', 1, ${requests}, 'Mallory', 'none of your business', clock_timestamp())`;

const SEALS = `select format('books.seals: %s %s, reopened by %s', period, status, reopened_by) as shown
  from books.seals where entity_id = 'main'`;

export const PATHS: readonly Path[] = [
  // Entries and legs.
  { path: 'insert an entry of a record into 2026-09', by: PEOPLE, sql: entry('2026-09', 'movements') },
  { path: 'insert a manual entry into 2026-09', by: PEOPLE, sql: entry('2026-09', 'manual') },
  { path: "insert an entry of another's stream", by: ['loader'], sql: entry('2026-10', 'manual') },
  { path: "insert an entry of another's stream", by: ['approver'], sql: entry('2026-10', 'movements') },
  { path: 'insert a leg onto an entry of 2026-09', by: PEOPLE, sql: leg(ONE) },
  {
    path: 'insert an entry into 2026-10 that took effect in 2026-09 and does not say so',
    by: ['loader'],
    sql: entry('2026-10', 'movements'),
  },
  {
    path: 'insert an entry into 2026-10 that took effect in 2026-09 and does not say so',
    by: ['approver'],
    sql: entry('2026-10', 'manual'),
  },
  {
    path: 'insert an entry of no record into 2026-10 that belongs to 2026-09, and says so',
    by: ['loader'],
    sql: entry('2026-10', 'movements', "'2026-09'"),
  },
  {
    path: 'insert an entry that nobody proposed into 2026-10 that belongs to 2026-09',
    by: ['approver'],
    sql: entry('2026-10', 'manual', "'2026-09'"),
  },
  {
    path: 'book a record of 2026-09 a second time, in 2026-10',
    by: ['loader'],
    sql: `create temporary table twice on commit drop as select * from ledger.entries where entry_id = ${ONE};
      update twice set entry_id = ${FORGED}, recorded_at = now(), effective_at = '2026-09-30',
        period = '2026-10', original_period = '2026-09', ordinal = 2;
      insert into ledger.entries select * from twice; ${leg(FORGED)}; ${SUMMED}`,
  },
  { path: 'COPY into the entries', by: PEOPLE, sql: 'copy ledger.entries from stdin' },
  {
    path: 'update an amount of 2026-09',
    by: PEOPLE,
    sql: `update ledger.transfers set amount = amount + 1 where entry_id = ${ONE}`,
  },
  {
    path: 'move an entry of 2026-09 to 2026-10',
    by: PEOPLE,
    sql: `update ledger.entries set period = '2026-10' where entry_id = ${ONE}`,
  },
  {
    path: 'delete a leg of 2026-09',
    by: PEOPLE,
    sql: `delete from ledger.transfers where entry_id = ${ONE}`,
  },
  {
    path: 'delete an entry of 2026-09',
    by: PEOPLE,
    sql: `delete from ledger.entries where entry_id = ${ONE}`,
  },
  {
    path: 'alter the daily summary of a day in 2026-09',
    by: EVERYBODY,
    sql: "update ledger.daily set debit = debit + 1 where entity_id = 'main' and effective_day < '2026-10-01' and account like 'assets:pocket:%'",
  },
  {
    path: 'move the cut between months: another timezone',
    by: EVERYBODY,
    sql: "update run.entities set timezone = 'Pacific/Kiritimati' where entity_id = 'main'",
  },

  // The lock itself.
  {
    path: 'switch row level security off',
    by: PEOPLE,
    sql: 'alter table ledger.entries disable row level security',
  },
  {
    path: 'create a policy of its own',
    by: PEOPLE,
    sql: 'create policy mine on ledger.entries for insert with check (true)',
  },
  { path: 'drop the policy', by: PEOPLE, sql: 'drop policy records on ledger.entries' },
  { path: 'alter the policy', by: PEOPLE, sql: 'alter policy records on ledger.entries with check (true)' },
  {
    path: 'set row_security off, and insert into 2026-09',
    by: PEOPLE,
    sql: `set local row_security = off; ${entry('2026-09', 'movements')}`,
  },
  {
    path: 'set session_replication_role, which switches checks off',
    by: PEOPLE,
    sql: 'set local session_replication_role = replica',
  },
  {
    path: 'exchange the view of what is closed',
    by: PEOPLE,
    sql: 'drop view books_internal.closed_through cascade',
  },

  // Reopenings.
  { path: 'insert a reopening of 2026-09', by: ['loader', 'analyst', 'preparer'], sql: reopening('2026-09') },
  {
    path: 'insert a reopening of 2026-09: what tieout reopen does, by hand',
    by: ['approver', 'owner'],
    sql: reopening('2026-09'),
    shown: SEALS,
  },
  {
    path: 'insert a reopening from before the seal',
    by: ['approver', 'owner'],
    sql: reopening('2026-09', '0'),
  },
  {
    path: 'insert a reopening as of a request to come',
    by: ['approver', 'owner'],
    sql: reopening('2026-09', '999999'),
  },
  {
    path: 'delete the seal of 2026-09',
    by: PEOPLE,
    sql: "delete from decide.seals where period = '2026-09'",
  },
  { path: 'update the seal of 2026-09', by: PEOPLE, sql: 'update decide.seals set requests_to = 0' },

  // Forged seals.
  { path: 'seal 2026-10 by hand: no leaf, no manifest', by: EVERYBODY, sql: seal('2026-10') },
  {
    path: 'seal 2026-10 by hand: whole in itself, with other leaves and another journal',
    by: ['preparer', 'owner'],
    sql: CAREFUL,
  },
  {
    path: 'seal 2026-10 by hand: a text that is no JSON',
    by: ['preparer'],
    sql: seal('2026-10', { text: "'x'" }),
  },
  { path: 'seal 2026-09 a second time', by: ['preparer', 'owner'], sql: seal('2026-09', { number: 2 }) },
  { path: 'seal 2026-08, which is before the last closed month', by: ['preparer'], sql: seal('2026-08') },
  {
    path: 'seal 2026-10 and date it back, to before what was decided since',
    by: ['preparer', 'owner'],
    sql: seal('2026-10', { sealedAt: "'2026-11-01'" }),
  },
  {
    path: 'seal a month to come, so that everything is late',
    by: ['preparer', 'owner'],
    sql: seal('2031-12', { sealedAt: "'2032-01-10'" }),
  },
  {
    path: 'add a piece to a sealed report',
    by: ['preparer', 'owner'],
    sql: `insert into decide.seal_files select entity_id, period, seal_number, name, max(part) + 1, 'forged'
      from decide.seal_files where name = 'journal.csv' and entity_id = 'main' group by 1, 2, 3, 4`,
  },
  {
    path: 'add a piece far behind the last',
    by: ['preparer', 'owner'],
    sql: "insert into decide.seal_files values ('main', '2026-09', 1, 'journal.csv', 99, 'forged')",
  },
  {
    path: 'add a report to a seal',
    by: ['preparer', 'owner'],
    sql: "insert into decide.seal_files values ('main', '2026-09', 1, 'forged.csv', 0, 'forged')",
  },
  {
    path: 'add a leaf to a seal',
    by: ['preparer', 'owner'],
    sql: `insert into decide.seal_leaves values ('main', '2026-09', 1, ${FORGED}, sha256('forged'))`,
  },
  {
    path: 'approve, by hand, a proposal into 2026-09, for a rebuild to enter',
    by: EVERYBODY,
    sql: `insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, period)
      select entity_id, proposal_id, 'approved', prepared_by, 'Eve', now(), '2026-09' from books.proposals
      where verdict = 'waiting'`,
  },
];
