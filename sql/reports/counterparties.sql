-- Counterparties: amounts received from and sent to each in the period, unknown ones first. The column
-- in is what we received, out what we sent; a reversal is negative on the side of the entry that it reverses.
-- For: month-end close, tax. Ties to: trial_balance, accounts equity:external:*: out - in = debit - credit + prior_period, and
-- out_value - in_value = closing_value - opening_value. in_value and out_value are in value_currency, the sums of the cents that the
-- postings carry in the books; unvalued of the postings have no value and are in neither.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/counterparties.sql
with moved as (
  select distinct entity_id, entry_id
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where account like 'equity:external:%' and books_internal.is_chosen(entity_id, :'entity')
), posting as (
  select o.*, (o.amount > 0) = (o.kind <> 'reversal') as is_out, v.value, v.value_currency
  from moved m
  cross join lateral (select * from books.outside p where (p.entity_id, p.entry_id) = (m.entity_id, m.entry_id) offset 0) as o
  left join books_internal.value_lines v on (v.entity_id, v.entry_id, v.leg, v.account) = (o.entity_id, o.entry_id, o.leg, o.account)
)
select entity_id, counterparty_type, counterparty, account, currency,
  trim_scale(coalesce(-sum(amount) filter (where not is_out), 0)) as "in",
  trim_scale(coalesce(sum(amount) filter (where is_out), 0)) as "out", count(distinct (stream, record_id)) as records,
  max(value_currency) as value_currency, round(coalesce(-sum(value) filter (where not is_out), 0), 2) as in_value,
  round(coalesce(sum(value) filter (where is_out), 0), 2) as out_value, count(*) filter (where value is null) as unvalued
from posting
group by 1, 2, 3, 4, 5
order by entity_id collate "C", counterparty_type <> 'unknown', counterparty_type collate "C", counterparty collate "C", account collate "C",
  currency collate "C";
