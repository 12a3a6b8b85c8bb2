-- Trial balance: what each account held when the period began, what the period debited and credited, what it held at its end.
-- For: month-end close. Ties to: tie_outs, and the next period's opening. closing = opening + debit - credit; opening and
-- closing are debit positive, debit and credit unsigned; every currency of an entity sums to zero.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/trial_balance.sql
with total as (
  select entity_id, account, currency,
    coalesce(sum(amount) filter (where effective_at < :'from'::timestamptz), 0) as opening,
    coalesce(sum(amount) filter (where effective_at >= :'from'::timestamptz and amount > 0), 0) as debit,
    coalesce(-sum(amount) filter (where effective_at >= :'from'::timestamptz and amount < 0), 0) as credit
  from books.postings
  where effective_at < :'to'::timestamptz
    and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
  group by entity_id, account, currency
)
select entity_id, account, currency, trim_scale(opening) as opening, trim_scale(debit) as debit,
  trim_scale(credit) as credit, trim_scale(opening + debit - credit) as closing
from total
where opening <> 0 or debit <> 0 or credit <> 0
order by entity_id collate "C", account collate "C", currency collate "C";
