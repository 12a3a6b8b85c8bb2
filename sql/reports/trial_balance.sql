-- Trial balance: what each account held when the period began, what the period debited and credited, what it held at its end.
-- For: month-end close. Ties to: tie_outs, and the next period's opening. closing = opening + prior_period + debit - credit;
-- opening, prior_period and closing are debit positive, debit and credit unsigned, closing_debit and closing_credit the
-- closing on its side; every currency of an entity sums to zero. prior_period is what took effect before the period and
-- came too late for its own, which was closed. check_units: closing less that of the daily summary at the end, always 0.
-- by: posted_at cuts where entries count; a month, such as 2026-09, as if that one had not been closed.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/trial_balance.sql
with part as (
  select entity_id, account, currency, debit - credit as opening, 0 as prior_period, 0 as debit, 0 as credit, 0 as held
  from books.totals_counted(:'from'::timestamptz, :'by')
  union all
  select entity_id, account, currency, 0, coalesce(sum(amount) filter (where is_late), 0),
    coalesce(sum(amount) filter (where not is_late and amount > 0), 0),
    coalesce(-sum(amount) filter (where not is_late and amount < 0), 0), 0
  from books.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  group by entity_id, account, currency
  union all
  select entity_id, account, currency, 0, 0, 0, 0, debit - credit
  from books.totals_counted(:'to'::timestamptz, :'by')
), total as (
  select entity_id, account, currency, sum(opening) as opening, sum(prior_period) as prior_period, sum(debit) as debit,
    sum(credit) as credit, sum(opening + prior_period + debit - credit) as closing, sum(held) as held
  from part
  where :'entity' = '' or entity_id = any (string_to_array(:'entity', ','))
  group by entity_id, account, currency
)
select entity_id, account, currency, trim_scale(opening) as opening, trim_scale(debit) as debit,
  trim_scale(credit) as credit, trim_scale(closing) as closing, trim_scale(prior_period) as prior_period,
  trim_scale(greatest(closing, 0)) as closing_debit, trim_scale(greatest(-closing, 0)) as closing_credit,
  chart.code as account_code, chart.statement, chart.statement_class, trim_scale(closing - held) as check_units
from total
left join lateral books.chart_of(account) as chart on true
where opening <> 0 or prior_period <> 0 or debit <> 0 or credit <> 0 or held <> 0
order by entity_id collate "C", account collate "C", currency collate "C";
