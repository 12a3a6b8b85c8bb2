-- Control totals: per currency, the debits and credits of the period and the balance of each class of account at its end.
-- For: the manifest of an export. Ties to: journal, summed; the closing of trial_balance. debit = credit; the classes
-- sum to zero; income and expenses of earlier fiscal years are equity.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= -f sql/export/control_totals.sql
with posting as (
  select entity_id, currency, split_part(account, ':', 1) as class, amount, books_internal.is_of_year(account) as is_of_year,
    books_internal.posting_date(belongs_to, :'by', effective_at, posted_at) as counted_at
  from books.postings
  where books_internal.is_chosen(entity_id, :'entity')
), placed as (
  select posting.currency, amount, counted_at >= :'from'::timestamptz as in_period,
    case when is_of_year and counted_at < books_internal.fiscal_year_start(:'from'::timestamptz, n.timezone, n.fiscal_year_start) then 'equity' else class end as class
  from posting
  left join books.entities n using (entity_id)
  where counted_at < :'to'::timestamptz
)
select currency,
  trim_scale(coalesce(sum(amount) filter (where in_period and amount > 0), 0)) as debit,
  trim_scale(coalesce(-sum(amount) filter (where in_period and amount < 0), 0)) as credit,
  trim_scale(coalesce(sum(amount) filter (where class = 'assets'), 0)) as assets,
  trim_scale(coalesce(sum(amount) filter (where class = 'liabilities'), 0)) as liabilities,
  trim_scale(coalesce(sum(amount) filter (where class = 'equity'), 0)) as equity,
  trim_scale(coalesce(sum(amount) filter (where class = 'income'), 0)) as income,
  trim_scale(coalesce(sum(amount) filter (where class = 'expenses'), 0)) as expenses
from placed
group by currency
order by currency collate "C";
