-- Value lines: what an accounting package has not received of an entity's period: new entries as they are, and for entries
-- exported before, the difference since, by account, currency and counterparty type, with the package's account of the
-- earlier export, whatever the map contains now. Debit positive, zero per entry.
-- What stands and what was exported are laid in one list and compared by grouping: joined, they would take time that depends on statistics, which lines
-- just written do not have.
-- For: journals that accounting packages import. Ties to: all exported batches and these lines together are
-- books.value_postings of the period.
--   psql -v entity=main -v package=xero -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v timezone=UTC -f sql/export/value_lines.sql
with listed as (
  select v.entry_id, (v.posted_at at time zone :'timezone')::date as day, v.stream, v.record_id, v.line, v.account, v.currency,
    coalesce(o.counterparty_type, '') as counterparty_type, v.units, v.value, false as is_exported, null::bigint as export_order, null as code, null as name,
    null as tax, null as dimension1, null as dimension2
  from books.value_postings v
  left join lateral (
    select p.counterparty_type
    from books.outside p
    where v.account like 'equity:external:%' and (p.entity_id, p.entry_id, p.leg, p.account) = (v.entity_id, v.entry_id, v.leg, v.account)
    limit 1
  ) as o on true
  where v.entity_id = :'entity' and v.posted_at >= :'from'::timestamptz and v.posted_at < :'to'::timestamptz
  union all
  select l.entry_id, l.day, l.stream, l.record_id, null, l.account, l.currency, l.counterparty_type, l.units, l.value, true,
    row_number() over (order by l.year, l.batch_number, l.line), l.code, l.name, l.tax, l.dimension1, l.dimension2
  from books.batch_lines l
  where l.entity_id = :'entity' and l.package = :'package'
), marked as (
  select l.*, bool_or(l.is_exported) over (partition by l.entry_id) as is_known, not bool_and(l.is_exported) over (partition by l.entry_id) as stands,
    bool_or(l.day >= (:'from'::timestamptz at time zone :'timezone')::date and l.day < (:'to'::timestamptz at time zone :'timezone')::date)
      over (partition by l.entry_id) as is_of_period
  from listed l
), compared as ( -- an entry of the period that has no values any more is taken back
  select m.*
  from marked m
  where m.is_known and case
      when m.stands then true
      when m.is_of_period then not exists (
        select from books.value_postings v where v.entity_id = :'entity' and v.entry_id = m.entry_id
      )
      else false
    end
), differing as (
  select entry_id, min(stream) as stream, min(record_id) as record_id, account, currency, counterparty_type,
    coalesce(min(day) filter (where not is_exported), min(day)) as day,
    coalesce(sum(units) filter (where not is_exported), 0) - coalesce(sum(units) filter (where is_exported), 0) as units,
    case when bool_and(value is not null) then
        coalesce(sum(value) filter (where not is_exported), 0) - coalesce(sum(value) filter (where is_exported), 0) end as value,
    (array_agg(code order by export_order) filter (where is_exported))[1] as code,
    (array_agg(name order by export_order) filter (where is_exported))[1] as name,
    (array_agg(tax order by export_order) filter (where is_exported))[1] as tax,
    (array_agg(dimension1 order by export_order) filter (where is_exported))[1] as dimension1,
    (array_agg(dimension2 order by export_order) filter (where is_exported))[1] as dimension2
  from compared
  group by entry_id, account, currency, counterparty_type
)
select entry_id, day::text as day, 'new' as kind, stream, record_id, account, currency, counterparty_type, trim_scale(units) as units,
  trim_scale(value) as value, code, name, tax, dimension1, dimension2, line::bigint as place
from marked
where not is_known
union all
select entry_id, min(day) over (partition by entry_id)::text, 'correction', stream, record_id, account, currency, counterparty_type,
  trim_scale(units), trim_scale(value), code, name, tax, dimension1, dimension2, row_number() over (
    partition by entry_id order by account collate "C", currency collate "C", counterparty_type collate "C"
  )
from differing
where value is distinct from 0
order by day, entry_id, place;
