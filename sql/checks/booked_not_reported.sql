-- Booked, not reported: a product, pocket or wallet with a booked balance that no list of the gateway contains.
-- For: the analyst who classifies a difference. Severity: counted. (A list without it counts as 0, and its tie-out is
-- the break; a list that was refused or is not offered is a finding of the run.)
-- What to do: check whether it was closed, moved to another account, or hidden from this key; books.postings has the records
-- that are booked on it.
--   psql -v run=<run_id> -f sql/checks/booked_not_reported.sql
select t.entity_id, t.account || ' ' || t.currency as subject, t.account, t.currency, t.reported, t.booked, t.difference,
  case when t.reported is null then 'booked, and its list was not read' else 'booked, and not in the list that was read' end as reason
from books.tie_outs t
where t.run_id = :'run'::uuid and t.booked <> 0 and t.account not like 'assets:clearing:%' and not exists (
  select from books_internal.snapshots s
  cross join lateral ( -- by its key: one reading of all nights'
    select * from books.readings k where (k.entity_id, k.request_id) = (s.entity_id, s.request_id) offset 0
  ) as r
  where s.entity_id = t.entity_id and s.taken_at = t.as_of and s.phase = 'after' and (r.account, r.currency) = (t.account, t.currency)
)
order by t.entity_id, t.account, t.currency
