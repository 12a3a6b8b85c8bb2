-- Month entries: how many entries some months of some entities have, and when the last of them takes effect. Found by the time
-- that begins an entry's id, with days to spare for any timezone, and late ones by their own index.
-- For: valuation. Ties to: value.months.
--   psql -v entities='{main}' -v periods='{2026-10}' -f sql/valuation/month_entries.sql
select w.entity_id, w.period, counted.entries, counted.last_at
from unnest(:'entities'::text[], :'periods'::text[]) as w (entity_id, period)
cross join lateral (
  select count(*)::int as entries, max(found.effective_at) as last_at
  from (
    select e.effective_at
    from ledger.entries e
    where e.entity_id = w.entity_id and e.period = w.period and e.original_period is null
      and e.entry_id >= books_internal.first_entry_id((w.period || '-01')::timestamp at time zone 'UTC' - interval '2 days')
      and e.entry_id < books_internal.first_entry_id((w.period || '-01')::timestamp at time zone 'UTC' + interval '1 month 2 days')
    union all
    select e.effective_at
    from ledger.entries e
    where e.entity_id = w.entity_id and e.period = w.period and e.original_period is not null
  ) as found
) as counted
where counted.entries > 0;
