-- Journal accounts: every account and currency that has a posting before an instant, and the day of the first one.
-- last_run: the number of the last run whose entries count; all if it is empty.
-- For: the declarations at the top of a plain-text journal. Ties to: sql/journals/postings.sql.
--   psql -v to=2026-11-01T00:00:00Z -v entity= -v timezone=Europe/Madrid -v last_run= -f sql/journals/accounts.sql
select entity_id, account, currency, min((effective_at at time zone :'timezone')::date)::text as first_day
from books.postings
where effective_at < :'to'::timestamptz
  and books_internal.is_chosen(entity_id, :'entity')
  and (:'last_run' = '' or entry_number <= (select books_internal.last_entry_by(nullif(:'last_run', '')::bigint)))
group by entity_id, account, currency
order by entity_id collate "C", account collate "C", currency collate "C";
