-- Control totals: per currency, the debits and credits of the period and the balance of each class of account at its end.
-- For: the manifest of an export. Ties to: journal, summed; the closing of trial_balance. debit = credit; the classes
-- sum to zero; income and expenses of earlier fiscal years are equity.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= -f sql/export/control_totals.sql
with part as (
  select entity_id, currency, greatest(amount, 0) as debit, greatest(-amount, 0) as credit, '' as class, 0 as balance
  from books_internal.period_postings(:'from'::timestamptz, :'to'::timestamptz, :'by')
  union all
  select entity_id, currency, 0, 0, split_part(account, ':', 1), debit - credit
  from books_internal.totals_carried(:'to'::timestamptz, :'from'::timestamptz, :'by')
)
select currency, trim_scale(sum(debit)) as debit, trim_scale(sum(credit)) as credit,
  trim_scale(coalesce(sum(balance) filter (where class = 'assets'), 0)) as assets,
  trim_scale(coalesce(sum(balance) filter (where class = 'liabilities'), 0)) as liabilities,
  trim_scale(coalesce(sum(balance) filter (where class = 'equity'), 0)) as equity,
  trim_scale(coalesce(sum(balance) filter (where class = 'income'), 0)) as income,
  trim_scale(coalesce(sum(balance) filter (where class = 'expenses'), 0)) as expenses
from part
where books_internal.is_chosen(entity_id, :'entity')
group by currency
order by currency collate "C";
