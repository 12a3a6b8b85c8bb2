-- Listed entities: the main account and the subaccounts in the gateway's last list, or all if there is no list; with the
-- database's time.
-- For: tieout status --check --clean, the metrics of Prometheus. Ties to: books.entities.
--   psql -f sql/status/listed_entities.sql
select e.entity_id, clock_timestamp() as read_at
from run.entities e
where e.subaccount_id is null or not exists (select from run.listings)
  or e.subaccount_id in (select s.entity_id from books_internal.subaccounts s)
order by e.entity_id collate "C";
