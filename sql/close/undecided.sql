-- Undecided: every landed record must have its outcome, of this entity and of every entity that shares its lots.
-- For: close. Ties to: books.conservation, undecided.
--   psql -v entity=main -f sql/close/undecided.sql
select case when i.entity_id = :'entity' then i.stream else i.entity_id || ' ' || i.stream end as subject,
  format('landed and not yet normalized: %s; run npx tieout normalize', case count(*) when 1 then '1 record' else count(*) || ' records' end) as detail
from land.inbox i
join books.profiles p using (entity_id)
where p.taxpayer = (select own.taxpayer from books.profiles own where own.entity_id = :'entity')
group by i.entity_id, i.stream
order by i.entity_id, i.stream;
