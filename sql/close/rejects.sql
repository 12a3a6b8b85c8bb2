-- Rejects: every record that no rule accepted must be settled or dismissed; one without a readable time may be of any period.
-- For: close. Ties to: rejects.csv.
--   psql -v entity=main -v to=2026-11-01T00:00:00Z -f sql/close/rejects.sql
select 'reject ' || stream || ' ' || record_id as subject, reason || ': settle or dismiss it, with npx tieout rejects settle STREAM RECORD --leg LEG --by NAME --reason TEXT --evidence FILE, or '
  'npx tieout rejects dismiss STREAM RECORD --by NAME --reason TEXT' as detail
from books.rejects
where entity_id = :'entity' and decision is null and (record_at is null or record_at < :'to'::timestamptz)
order by stream collate "C", record_id collate "C";
