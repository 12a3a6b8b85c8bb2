-- migrate:up
-- Lines without a value are few, and every report in money asks for them.
create index postings_unvalued on value.postings (entity_id, entry_id) where value is null;

-- migrate:down
drop index value.postings_unvalued;
