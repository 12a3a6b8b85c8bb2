-- Rejects: the records that no rule accepts today, of any period, with the reason and the payload.
-- For: operations, month-end close. Ties to: landed = booked + rejected + set aside; decision is settled, dismissed or empty.
-- Personal fields are blanked.
--   psql -v entity= --csv -f sql/reports/rejects.sql
select entity_id, stream, record_id, version, record_at, reason, payload, decision, decided_by, decision_reason
from books.rejects
where books_internal.is_chosen(entity_id, :'entity')
order by entity_id collate "C", stream collate "C", record_id collate "C";
