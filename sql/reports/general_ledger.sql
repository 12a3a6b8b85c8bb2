-- General ledger: every account, from what it held when the period began, posting by posting, to what it held at its end.
-- For: audit, and whoever asks what is inside a balance. Ties to: trial_balance (opening, debit, credit, closing) and
-- journal, the same postings in another order. balance runs per account and currency, debit positive; across is the other
-- account of the leg. check_units, on the closing line: balance less that of the daily summary, always 0.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/general_ledger.sql
with total as (
  select entity_id, account, currency, sum(opening) as opening, sum(held) as held, sum(debit) as debit, sum(credit) as credit
  from (
    select entity_id, account, currency, debit - credit as opening, 0 as held, -debit as debit, -credit as credit
    from books.totals_counted(:'from'::timestamptz, :'by')
    union all
    select entity_id, account, currency, 0, debit - credit, debit, credit
    from books.totals_counted(:'to'::timestamptz, :'by')
  ) as part
  group by entity_id, account, currency
  having sum(opening) <> 0 or sum(held) <> 0 or sum(debit) <> 0 or sum(credit) <> 0
), line as (
  select entity_id, account, currency, 1 as place, opening as amount, null::numeric as held, null::timestamptz as at,
    null::timestamptz as effective_at, null::uuid as entry_id, null::smallint as leg, null as across, null as kind,
    null as stream, null as record_id, null as belongs_to, null as description
  from total
  union all
  select entity_id, account, currency, 2, amount, null, at, effective_at, entry_id, leg, across, kind, stream, record_id,
    belongs_to, description
  from books.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  union all
  select entity_id, account, currency, 3, 0, held, null, null, null, null, null, null, null, null, null, null
  from total
)
select entity_id, account, currency, case place when 1 then 'opening' when 2 then 'posting' else 'closing' end as line,
  effective_at, case when place = 2 then trim_scale(greatest(amount, 0)) end as debit,
  case when place = 2 then trim_scale(greatest(-amount, 0)) end as credit, trim_scale(sum(amount) over running) as balance,
  across, kind, stream, record_id, entry_id, leg, description, belongs_to,
  trim_scale(sum(amount) over running - held) as check_units
from line
where :'entity' = '' or entity_id = any (string_to_array(:'entity', ','))
window running as (
  partition by entity_id collate "C", account collate "C", currency collate "C"
  order by place, at, effective_at, entry_id, leg, amount desc rows unbounded preceding
)
order by entity_id collate "C", account collate "C", currency collate "C", place, at, effective_at, entry_id, leg, amount desc;
