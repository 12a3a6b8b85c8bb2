-- Value findings: what of the period has no value or no lot, or a value that rests on an assumption, why, and what to do.
-- For: month-end close, tax. Ties to: trial_balance: up to any instant, unvalued and missing_value sum to those of all accounts.
-- severity: a finding blocks the close unless two people accept it, a note does not. unvalued: lines of the entry without a value; missing_value: the
-- amount that they leave open; both are on the first finding of the entry.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/value_findings.sql
with found as (
  select f.*, e.effective_at, e.counted_at, e.stream, e.record_id, e.original_period, n.currency as value_currency,
    row_number() over (partition by f.entity_id, f.entry_id order by f.severity <> 'finding', f.finding) = 1 as is_first
  from books_internal.entries_within(:'from'::timestamptz, :'to'::timestamptz, :'by') e
  join books.value_findings f using (entity_id, entry_id)
  left join books.entities n using (entity_id)
  where books_internal.is_chosen(f.entity_id, :'entity')
)
select f.entity_id, f.taxpayer, f.effective_at, f.severity, f.kind, f.currency, f.units, f.value_currency,
  case when f.is_first then coalesce(u.lines, 0) end as unvalued, case when f.is_first then round(coalesce(u.missing, 0), 2) end as missing_value,
  f.detail, case f.kind
    when 'no-rate' then 'import official rates'
    when 'no-lot' then 'import lots, enter the opening or reopen the month'
    when 'no-cost' then 'import lots or name the counterparty'
    when 'unknown-counterparty' then 'name the counterparty'
    when 'chosen-lot' then 'name other lots'
    when 'closed-side' then 'reopen the month of the other side'
    when 'not-arrived' then 'cancel the departure too or reopen its month'
    when 'other-amount' then 'compare both sides'
    when 'transfer-fee' then 'reverse the fee or reopen its month'
    when 'rounding' then 'report a bug'
    else 'reverse and enter by hand'
  end as remedy, f.stream, f.record_id, f.entry_id, f.leg, f.original_period
from found f
left join lateral (
  select count(*) as lines, max(m.missing) as missing
  from books_internal.value_lines v
  left join books_internal.unvalued m using (entity_id, entry_id, line)
  where (v.entity_id, v.entry_id) = (f.entity_id, f.entry_id) and v.value is null and f.is_first
) as u on true
order by f.entity_id collate "C", f.severity collate "C", f.counted_at, f.effective_at, f.entry_id, f.finding;
