-- Value lines: what an accounting package has not received of an entity's period: new entries as they are, and for entries
-- exported before, the difference since, by account, currency and counterparty type, with the package's account of the
-- earlier export, whatever the map contains now. Debit positive, zero per entry.
-- For: journals that accounting packages import. Ties to: all exported batches and these lines together are
-- books.value_postings of the period.
--   psql -v entity=main -v package=xero -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v timezone=UTC -f sql/export/value_lines.sql
with handed as (
  select entry_id, account, currency, nature, sum(units) as units, sum(value) as value, min(day) as day,
    min(stream) as stream, min(record_id) as record_id,
    (array_agg(code order by year, batch_number, line))[1] as code, (array_agg(name order by year, batch_number, line))[1] as name,
    (array_agg(tax order by year, batch_number, line))[1] as tax,
    (array_agg(dimension1 order by year, batch_number, line))[1] as dimension1,
    (array_agg(dimension2 order by year, batch_number, line))[1] as dimension2
  from books.batch_lines
  where entity_id = :'entity' and package = :'package'
  group by entry_id, account, currency, nature
), standing as (
  select v.entry_id, v.line, (v.posted_at at time zone :'timezone')::date as day, v.stream, v.record_id, v.account,
    v.currency, coalesce(o.nature, '') as nature, v.units, v.value
  from books.value_postings v
  left join books.outside o
    on (o.entity_id, o.entry_id, o.leg, o.account) = (v.entity_id, v.entry_id, v.leg, v.account)
  where v.entity_id = :'entity' and v.posted_at >= :'from'::timestamptz and v.posted_at < :'to'::timestamptz
), known as (
  select distinct entry_id from handed
), again as (
  select entry_id, account, currency, nature, sum(units) as units, sum(value) as value,
    bool_or(value is null) as is_unvalued, min(day) as day, min(stream) as stream, min(record_id) as record_id
  from standing
  where entry_id in (select entry_id from known)
  group by entry_id, account, currency, nature
), gone as (
  select distinct h.entry_id
  from handed h
  where h.day >= (:'from'::timestamptz at time zone :'timezone')::date
    and h.day < (:'to'::timestamptz at time zone :'timezone')::date
    and not exists (
      select from books.value_postings v where v.entity_id = :'entity' and v.entry_id = h.entry_id
    )
), compared as (
  select handed.* from handed
  where entry_id in (select entry_id from again union all select entry_id from gone)
), differing as (
  select entry_id, coalesce(a.day, c.day) as day, coalesce(a.stream, c.stream) as stream,
    coalesce(a.record_id, c.record_id) as record_id, account, currency, nature,
    coalesce(a.units, 0) - coalesce(c.units, 0) as units,
    case when a.is_unvalued then null else coalesce(a.value, 0) - coalesce(c.value, 0) end as value, c.code, c.name, c.tax,
    c.dimension1, c.dimension2
  from again a
  full join compared c using (entry_id, account, currency, nature)
)
select entry_id, day::text as day, 'new' as kind, stream, record_id, account, currency, nature, trim_scale(units) as units,
  trim_scale(value) as value, null as code, null as name, null as tax, null as dimension1,
  null as dimension2, line::bigint as place
from standing
where entry_id not in (select entry_id from known)
union all
select entry_id, min(day) over (partition by entry_id)::text, 'correction', stream, record_id, account, currency, nature,
  trim_scale(units), trim_scale(value), code, name, tax, dimension1, dimension2, row_number() over (
    partition by entry_id order by account collate "C", currency collate "C", nature collate "C"
  )
from differing
where value is distinct from 0
order by day, entry_id, place;
