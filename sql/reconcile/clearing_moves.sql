-- Clearing moves: what each standing entry moves on some days of an entity's clearing accounts, if it is in no valid pair.
-- pocket: the pocket that it left or entered. An Earn movement's counts only if it was ever listed as a pocket (assumption
-- A-EARN-SOURCE).
-- For: reconcile, which pairs them. Ties to: books_internal.clearing_days, unmatched.
--   psql -v entity=main -v accounts='{assets:clearing:trading}' -v currencies='{EUR}' -v days='{2026-10-01}' -f sql/reconcile/clearing_moves.sql
with requested as materialized (
  select * from unnest(:'accounts'::text[], :'currencies'::text[], :'days'::date[]) as r (account, currency, day)
), move as (
  select side.account, t.currency, d.day, t.entry_id, sum(side.amount) as amount
  from (select distinct day from requested) as d
  cross join lateral (
    select * from ledger.transfers t
    where t.entity_id = :'entity' and t.entry_id >= books_internal.first_entry_id(d.day::timestamp at time zone 'UTC')
      and t.entry_id < books_internal.first_entry_id((d.day + 1)::timestamp at time zone 'UTC')
      and (t.debit like 'assets:clearing:%' or t.credit like 'assets:clearing:%')
    offset 0
  ) as t
  cross join lateral (values (t.debit, t.amount), (t.credit, -t.amount)) as side (account, amount)
  group by 1, 2, 3, 4
  having sum(side.amount) <> 0
)
select m.account, m.currency, m.day::text, m.entry_id, e.stream, e.record_id, trim_scale(m.amount)::text as amount, e.effective_at,
  place.pocket
from move m
join requested using (account, currency, day)
join ledger.entries e on (e.entity_id, e.entry_id) = (:'entity', m.entry_id)
left join lateral ( -- only Earn movements name pockets
  select case
    when e.stream = 'wallet-transactions' then
      coalesce(nullif(j #>> '{origin,pocketId}', ''), nullif(j #>> '{destination,pocketId}', ''))
    else (select p.pocket_id from land.pockets p where (p.entity_id, p.pocket_id) = (:'entity', j #>> '{source,walletId}'))
  end as pocket
  from (
    select r.payload::jsonb as j
    from land.records r
    where (r.entity_id, r.stream, r.record_id) = (:'entity', e.stream, e.record_id)
    order by r.version desc
    limit 1
  ) as latest
) as place on m.account = 'assets:clearing:earn' and e.stream <> 'manual'
where e.reverses is null and not exists (
  select from ledger.entries u
  where (u.entity_id, u.stream, u.record_id, u.ordinal) = (e.entity_id, e.stream, e.record_id, e.ordinal + 1) and u.reverses = e.entry_id
) and not exists (
  select from reconcile.clearing_matches k
  where (k.entity_id, k.debit_entry_id) = (:'entity', m.entry_id) and k.account = m.account and k.currency = m.currency
    and not books_internal.is_reversed(:'entity', k.credit_entry_id)
) and not exists (
  select from reconcile.clearing_matches k
  where (k.entity_id, k.credit_entry_id) = (:'entity', m.entry_id) and k.account = m.account and k.currency = m.currency
    and not books_internal.is_reversed(:'entity', k.debit_entry_id)
);
