-- Erasures of personal data, and holds against them.
-- For: data protection.
--   psql -f sql/views/26-personal-data.sql

-- What was erased of people, without what was asked for; and what is on hold, until when.
create view books.erasures as
select entity_id, erasure_id, at, by_name, reason, asked_for, retention_years, records_erased, fields_erased,
  kept_by_retention, kept_by_hold, first_may_go_at, last_may_go_at
from land.erasures;

create view books.holds as
select h.entity_id, h.hold_id, h.at, h.by_name, h.reason, r.at as released_at, r.by_name as released_by,
  r.reason as release_reason
from land.holds h
left join land.hold_releases r using (entity_id, hold_id);
