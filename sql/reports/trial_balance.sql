-- Trial balance: the opening balance, debits, credits and closing balance of each account.
-- For: month-end close. Ties to: tie_outs, and the next period's opening. closing = opening + prior_period + debit - credit;
-- opening, prior_period and closing are debit positive, debit and credit unsigned, closing_debit and closing_credit the
-- closing on its side; every currency of an entity sums to zero. prior_period took effect before the period and was too late
-- for its own month, which was closed.
-- The columns …_value are the same in value_currency, each figure rounded to the cent once, so that an account of the
-- reporting currency has the same in both; rounding_value is the remainder: closing_value = opening_value +
-- prior_period_value + debit_value - credit_value + rounding_value. Empty if nothing is valued; lines without a value
-- (unvalued of them) leave missing_value open, so that closing_value and missing_value of an entity sum to zero together.
-- Lines that have only a value (gains, rounding) have no units.
-- Income and expenses begin each fiscal year at zero: those of the years before that in which the period begins are on
-- equity:retained-earnings, which has no postings.
-- account_code, account_name and statement_class are those of the chart of accounts in force at the period's end.
-- entries: how many of them moved the account in the period, late ones too; first_at and last_at: when those that took effect in the
-- period did so, first and last.
-- by: posted_at cuts by posting date; a month, 2026-09 or of one entity main 2026-09, cuts as if that month were not closed.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/trial_balance.sql
with units as (
  select entity_id, account, currency, debit - credit as opening, 0 as prior_period, 0 as debit, 0 as credit,
    0 as entries, null::timestamptz as first_at, null::timestamptz as last_at
  from books_internal.totals_carried(:'from'::timestamptz, :'from'::timestamptz, :'by')
  union all
  select entity_id, account, currency, 0, coalesce(sum(amount) filter (where is_late), 0),
    coalesce(sum(amount) filter (where not is_late and amount > 0), 0),
    coalesce(-sum(amount) filter (where not is_late and amount < 0), 0), count(distinct entry_id),
    min(effective_at) filter (where not is_late), max(effective_at) filter (where not is_late)
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by')
  group by entity_id, account, currency
), unit as (
  select entity_id, account, currency, sum(opening) as opening, sum(prior_period) as prior_period, sum(debit) as debit,
    sum(credit) as credit, sum(opening + prior_period + debit - credit) as closing,
    sum(entries)::bigint as entries, min(first_at) as first_at, max(last_at) as last_at
  from units
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, account, currency
), worth as (
  select *
  from books_internal.value_totals(:'from'::timestamptz, :'to'::timestamptz, :'by')
  where books_internal.is_chosen(entity_id, :'entity')
)
select entity_id, account, currency, trim_scale(coalesce(u.opening, 0)) as opening,
  trim_scale(coalesce(u.debit, 0)) as debit, trim_scale(coalesce(u.credit, 0)) as credit,
  trim_scale(coalesce(u.closing, 0)) as closing, trim_scale(coalesce(u.prior_period, 0)) as prior_period,
  trim_scale(greatest(u.closing, 0)) as closing_debit, trim_scale(greatest(-u.closing, 0)) as closing_credit,
  chart.code as account_code, chart.statement, chart.statement_class, n.value_currency,
  round(w.opening, 2) as opening_value, round(w.prior_period, 2) as prior_period_value, round(w.debit, 2) as debit_value,
  round(w.credit, 2) as credit_value, round(w.closing, 2) as closing_value,
  round(case when w.closing > 0 then w.closing when w.closing <= 0 then 0 end, 2) as closing_debit_value,
  round(case when w.closing < 0 then -w.closing when w.closing >= 0 then 0 end, 2) as closing_credit_value, w.unvalued,
  round(w.rounding, 2) as rounding_value, round(w.missing, 2) as missing_value, chart.name_en as account_name, chart.asset_class, coalesce(u.entries, 0) as entries, u.first_at, u.last_at
from unit u
full join worth w using (entity_id, account, currency)
left join (select entity_id, currency as value_currency from books.entities) as n using (entity_id)
left join (
  select * from books.chart_of_accounts_at(:'to'::timestamptz) c where books_internal.is_chosen(c.entity_id, :'entity')
) as chart using (entity_id, account, currency)
where u.opening <> 0 or u.prior_period <> 0 or u.debit <> 0 or u.credit <> 0
  or w.opening <> 0 or w.prior_period <> 0 or w.debit <> 0 or w.credit <> 0 or w.closing <> 0
  or w.unvalued <> 0
order by entity_id collate "C", account collate "C", currency collate "C";
