-- Fees by month: in units, per month in which they were paid, kind of fee and currency; reversed fees are deducted. A fee that arrived after
-- its month was closed counts in a later one: books.fees_by_month, in money, has the months of the books.
-- For: cost control. Ties to: books.postings, accounts expenses:fees:*, by effective_at.
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
