-- Control totals: per currency, the debits and credits of the period and what each class of account holds at its end.
-- For: the manifest of an export. Ties to: journal and trial_balance, summed. debit = credit; the classes sum to zero.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= -f sql/export/control_totals.sql
with posting as (
  select currency, split_part(account, ':', 1) as class, amount, effective_at >= :'from'::timestamptz as in_period
  from books.postings
  where effective_at < :'to'::timestamptz
    and (:'entity' = '' or entity_id = any (string_to_array(:'entity', ',')))
)
select currency,
  trim_scale(coalesce(sum(amount) filter (where in_period and amount > 0), 0)) as debit,
  trim_scale(coalesce(-sum(amount) filter (where in_period and amount < 0), 0)) as credit,
  trim_scale(coalesce(sum(amount) filter (where class = 'assets'), 0)) as assets,
  trim_scale(coalesce(sum(amount) filter (where class = 'liabilities'), 0)) as liabilities,
  trim_scale(coalesce(sum(amount) filter (where class = 'equity'), 0)) as equity,
  trim_scale(coalesce(sum(amount) filter (where class = 'income'), 0)) as income,
  trim_scale(coalesce(sum(amount) filter (where class = 'expenses'), 0)) as expenses
from posting
group by currency
order by currency collate "C";
