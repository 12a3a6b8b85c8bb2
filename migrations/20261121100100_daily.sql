-- migrate:up
-- A summary beside the truth: what each account's postings of one UTC day sum to, for each instant at which some of them
-- were recorded. Whoever posts adds to it in the same transaction; it can be dropped and filled again from
-- ledger.daily_sums, which says what it must hold. Two clocks, so a balance can be asked for as of either.
-- A page's records are recorded at one instant, so the exact instant makes few more rows than its hour would, and needs
-- neither an index on ledger.entries nor a look at what was recorded within an hour.
create table ledger.daily (
  entity_id text not null,
  account text not null,
  currency text not null,
  effective_day date not null,
  recorded_at timestamptz not null,
  debit numeric not null check (debit >= 0),
  credit numeric not null check (credit >= 0),
  primary key (entity_id, account, currency, effective_day, recorded_at)
) with (fillfactor = 80); -- rows grow while a night is booked: with room beside them, no index entry is written for that

create view ledger.daily_sums as
select e.entity_id, side.account, t.currency, (e.effective_at at time zone 'UTC')::date as effective_day, e.recorded_at,
  sum(side.debit) as debit, sum(side.credit) as credit
from ledger.entries e
join ledger.transfers t using (entity_id, entry_id)
cross join lateral (values (t.debit, t.amount, 0), (t.credit, 0, t.amount)) as side (account, debit, credit)
group by 1, 2, 3, 4, 5;

insert into ledger.daily (entity_id, account, currency, effective_day, recorded_at, debit, credit)
select entity_id, account, currency, effective_day, recorded_at, debit, credit
from ledger.daily_sums
order by entity_id, account, currency, effective_day, recorded_at;

-- The planner's figures of the summary are renewed with the others.
create or replace function ledger.renew_statistics() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  analyze land.records, land.pages, land.requests, ledger.entries, ledger.transfers, ledger.daily, ledger.outcomes
$$;

-- migrate:down
create or replace function ledger.renew_statistics() returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  analyze land.records, land.pages, land.requests, ledger.entries, ledger.transfers, ledger.outcomes
$$;
drop view ledger.daily_sums;
drop table ledger.daily;
