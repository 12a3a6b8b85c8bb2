-- Trial balance: what each account held when the period began, what the period debited and credited, what it held at its end.
-- For: month-end close. Ties to: tie_outs, and the next period's opening. closing = opening + prior_period + debit - credit;
-- opening, prior_period and closing are debit positive, debit and credit unsigned; every currency of an entity sums to
-- zero. prior_period is what took effect before the period and came too late for its own, which was closed.
-- by: posted_at cuts where entries count; a month, such as 2026-09, as if that one had not been closed.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/trial_balance.sql
with posting as (
  select entity_id, account, currency, amount, effective_at >= :'from'::timestamptz as is_own,
    case when belongs_to = :'by' then effective_at else posted_at end as at
  from books.postings
  where :'entity' = '' or entity_id = any (string_to_array(:'entity', ','))
), total as (
  select entity_id, account, currency,
    coalesce(sum(amount) filter (where at < :'from'::timestamptz), 0) as opening,
    coalesce(sum(amount) filter (where at >= :'from'::timestamptz and not is_own), 0) as prior_period,
    coalesce(sum(amount) filter (where at >= :'from'::timestamptz and is_own and amount > 0), 0) as debit,
    coalesce(-sum(amount) filter (where at >= :'from'::timestamptz and is_own and amount < 0), 0) as credit
  from posting
  where at < :'to'::timestamptz
  group by entity_id, account, currency
)
select entity_id, account, currency, trim_scale(opening) as opening, trim_scale(debit) as debit,
  trim_scale(credit) as credit, trim_scale(opening + prior_period + debit - credit) as closing,
  trim_scale(prior_period) as prior_period
from total
where opening <> 0 or prior_period <> 0 or debit <> 0 or credit <> 0
order by entity_id collate "C", account collate "C", currency collate "C";
