// Every alteration of the catalogue by the owner is named; an unaltered one passes, and the check changes nothing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compareCatalogue } from '../../../src/verify/ledger/catalogue.ts';
import { proveCatalogue } from '../../../src/verify/verify.ts';
import { typed } from '../../cli/played.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { wholeOf } from '../../whole.ts';

let books: TestDatabase;
beforeEach(async () => {
  books = await freshDatabase();
});
afterEach(() => books?.close());

test('an unaltered catalogue passes, and the check leaves nothing behind', async () => {
  const before = await wholeOf(books.pool);
  const proof = await proveCatalogue(books.url);
  expect(proof).toMatchObject({ faults: '0', first: null });
  expect(Number(proof.checked)).toBeGreaterThan(1_000);
  expect(await wholeOf(books.pool)).toEqual(before);
});

const HIDING = `do $$ declare d text := pg_get_viewdef('books.tie_outs'::regclass, true); begin
  execute 'create or replace view books.tie_outs as select * from (' || rtrim(d, ';') || ') as t where status <> ''break'''; end $$`;
const NOT_AS_SHIPPED = 'is not as the program ships it';

/** Alterations that an owner can make, and the fault of each. They are independent, so all are made at once. */
const ALTERATIONS: readonly (readonly [alteration: string, told: string])[] = [
  [HIDING, `view books.tie_outs ${NOT_AS_SHIPPED} (definition)`],
  [
    'alter view books.balances set (security_invoker = true)',
    `view books.balances ${NOT_AS_SHIPPED} (form: `,
  ],
  ['create view books.extra as select 1 as n', 'view books.extra is not of this program'],
  [
    `insert into run.runs (run_id, job, started_at, run_number) overriding system value values (gen_random_uuid(), 'nightly', now(), 9);
      select setval('run.runs_run_number_seq', 3)`,
    'sequence run.runs_run_number_seq is behind run.runs.run_number: it gave 3, and a row has 9',
  ],
  ['drop view books.findings cascade', 'view books.findings is missing'],
  [
    'create or replace function books_internal.is_fiat(currency text) returns boolean language sql immutable return true',
    `function books_internal.is_fiat(text) ${NOT_AS_SHIPPED} (definition)`,
  ],
  [
    'alter function books_internal.masked(text) security definer',
    `function books_internal.masked(text) ${NOT_AS_SHIPPED} (definition)`,
  ],
  [
    `create function public.skip() returns trigger language plpgsql as 'begin return null; end';
     create trigger skip before insert on ledger.entries for each row execute function public.skip()`,
    'trigger skip on ledger.entries is not of this program',
  ],
  [
    'create rule quiet as on insert to reconcile.breaks do instead nothing',
    'rule quiet on reconcile.breaks is not of this program',
  ],
  ['drop policy records on ledger.entries', 'policy records on ledger.entries is missing'],
  [
    'alter policy decisions on ledger.entries with check (true)',
    `policy decisions on ledger.entries ${NOT_AS_SHIPPED} (definition)`,
  ],
  [
    'alter table decide.approvals disable row level security',
    `table decide.approvals ${NOT_AS_SHIPPED} (form: `,
  ],
  [
    'alter table ledger.transfers disable trigger refuse_late_legs',
    `trigger refuse_late_legs on ledger.transfers ${NOT_AS_SHIPPED} (definition`,
  ],
  [
    'grant delete on ledger.entries to tieout_loader',
    `table ledger.entries ${NOT_AS_SHIPPED} (rights: more: delete to tieout_loader)`,
  ],
  [
    'grant update (amount) on ledger.transfers to tieout_approver',
    `column ledger.transfers.amount ${NOT_AS_SHIPPED} (rights: more: update to tieout_approver)`,
  ],
  [
    'grant usage on schema land to tieout_analyst',
    `schema land ${NOT_AS_SHIPPED} (rights: more: usage to tieout_analyst)`,
  ],
  [
    'grant select on land.people to public',
    `table land.people ${NOT_AS_SHIPPED} (rights: more: select to public)`,
  ],
  [
    'grant execute on function ledger.hold_still() to tieout_analyst',
    `function ledger.hold_still() ${NOT_AS_SHIPPED} (rights: more: execute to tieout_analyst)`,
  ],
  [
    'alter default privileges in schema ledger grant delete on tables to tieout_loader',
    'default rights in schema ledger is not of this program',
  ],
  [
    'revoke select on books.breaks from tieout_analyst',
    `view books.breaks ${NOT_AS_SHIPPED} (rights: less: select to tieout_analyst)`,
  ],
  [
    'alter table run.listings owner to tieout_loader',
    `table run.listings ${NOT_AS_SHIPPED} (owner: tieout_loader`,
  ],
  [
    'alter table ledger.transfers drop constraint transfers_amount_check',
    'constraint transfers_amount_check on ledger.transfers is missing',
  ],
  ['alter table run.runs disable trigger all', `table run.runs ${NOT_AS_SHIPPED} (disabled foreign keys: `],
  ['alter table run.runs add column note text', 'column run.runs.note is not of this program'],
  [
    "alter table run.findings alter column subject set default 'none'",
    `column run.findings.subject ${NOT_AS_SHIPPED} (form: `,
  ],
  [
    'create table public.more () inherits (run.findings)',
    `table run.findings ${NOT_AS_SHIPPED} (children: public.more; as shipped: none)`,
  ],
  ['create table ledger.shadow (n int)', 'table ledger.shadow is not of this program'],
  ["create type value.mood as enum ('good')", 'type value.mood is not of this program'],
  ['create index more on ledger.entries (kind)', 'index ledger.more is not of this program'],
];

test('every alteration is named', async () => {
  for (const [alteration] of ALTERATIONS) await books.pool.query(alteration);
  const faults = (await compareCatalogue(books.url)).filter((fault) => fault !== null);
  const unnoticed = ALTERATIONS.filter(
    ([, beginning]) => !faults.some((fault) => fault.startsWith(beginning)),
  );
  expect(unnoticed).toEqual([]);
});

test('verify ledger names an alteration and exits with 1', async () => {
  const env = { DATABASE_URL: books.url };
  expect((await typed(['verify', 'ledger'], env)).exitCode).toBe(0);
  await books.pool.query(HIDING);
  const { exitCode, stdout } = await typed(['verify', 'ledger'], env);
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    'DOES NOT HOLD (1 fault), first: view books.tie_outs is not as the program ships it (definition)',
  );
});
