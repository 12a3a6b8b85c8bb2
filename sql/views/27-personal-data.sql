-- Erasures of personal data, and holds against them.
-- For: data protection.
--   psql -f sql/views/27-personal-data.sql

create view books.erasures as
select entity_id, erasure_id, at as erased_at, by_name as erased_by, reason, asked_for as ground, retention_years, records_erased, fields_erased,
  kept_by_retention, kept_by_hold, first_may_go_at, last_may_go_at
from land.erasures;
comment on view books.erasures is
  'One row per erasure of personal data, without the data.';
comment on column books.erasures.erasure_id is 'Erasure.';
comment on column books.erasures.erased_at is 'When it was done.';
comment on column books.erasures.erased_by is 'Who did it.';
comment on column books.erasures.reason is 'Reason given.';
comment on column books.erasures.ground is 'person (the records with a personal field of one value) or expired (records beyond their retention).';
comment on column books.erasures.retention_years is 'Years that records must be retained, at the time.';
comment on column books.erasures.records_erased is 'Number of records erased.';
comment on column books.erasures.fields_erased is 'Number of personal fields erased.';
comment on column books.erasures.kept_by_retention is 'Number of records not erased because of retention.';
comment on column books.erasures.kept_by_hold is 'Number of records not erased because of a hold.';
comment on column books.erasures.first_may_go_at is 'Earliest time at which a retained record may be erased; null if none.';
comment on column books.erasures.last_may_go_at is 'Latest such time; null if none.';

create view books.holds as
select h.entity_id, h.hold_id, h.at as placed_at, h.by_name as placed_by, h.reason, r.at as released_at, r.by_name as released_by,
  r.reason as release_reason
from land.holds h
left join land.hold_releases r using (entity_id, hold_id);
comment on view books.holds is
  'One row per hold: personal data that must not be erased for now.';
comment on column books.holds.hold_id is 'Hold.';
comment on column books.holds.placed_at is 'When it was placed.';
comment on column books.holds.placed_by is 'Who placed it.';
comment on column books.holds.reason is 'Reason given.';
comment on column books.holds.released_at is 'When it was released; null if it stands.';
comment on column books.holds.released_by is 'Who released it; null if it stands.';
comment on column books.holds.release_reason is 'Reason given for the release; null if it stands.';
