-- Fees by month: fees paid, per month, kind of fee and currency; reversed fees are deducted.
-- For: cost control. Ties to: trial_balance, accounts expenses:fees:*, debit - credit of the month.
--   psql -v timezone=Europe/Madrid -f sql/cookbook/fees_by_month.sql
with fee as (
  select entity_id, to_char(effective_at at time zone :'timezone', 'YYYY-MM') as month, split_part(account, ':', 3) as fee,
    currency, amount
  from books.postings
  where account like 'expenses:fees:%'
)
select entity_id, month, fee, currency, trim_scale(sum(amount)) as paid, count(*) as legs
from fee
group by entity_id, month, fee, currency
order by entity_id collate "C", month collate "C", fee collate "C", currency collate "C";
