-- Reported, not booked: a pocket or wallet with a reported balance, on which nothing was ever booked.
-- For: the analyst who classifies a difference. Severity: counted. (Its tie-out is the break.)
-- What to do: its balance is from before the history that was read (tieout open), or a whole stream of it was never listed.
--   psql -v run=<run_id> -f sql/checks/reported_not_booked.sql
select t.entity_id, t.account || ' ' || t.currency as subject, t.account, t.currency, t.reported, t.booked, t.difference,
  'reported, and nothing was ever booked on it' as reason
from books.tie_outs t
where t.run_id = :'run'::uuid and t.reported <> 0 and t.booked = 0 and not exists (
  select from books_internal.daily d
  where d.entity_id = t.entity_id and d.currency = t.currency
    and d.account = any (books_internal.accounts_tied_as(t.account))
)
order by t.entity_id, t.account, t.currency
