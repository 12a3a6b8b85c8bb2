-- Control totals: entries, legs, debits and credits of the period, per entity and currency, and by kind.
-- For: whoever imports the journal elsewhere and compares. Ties to: journal, counted and summed; the manifest's control
-- totals. The kinds are sums of legs, reversals included, which other totals deduct. check_units: debits less the debits of the
-- daily summary in the period, and less the sum of the kinds, always 0.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/control_totals.sql
with part as (
  select entity_id, currency, entry_id, kind, greatest(amount, 0) as debit, greatest(-amount, 0) as credit, 0 as summed
  from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by')
  union all
  select entity_id, currency, null, null, 0, 0, debit
  from books_internal.totals_counted(:'to'::timestamptz, :'by')
  union all
  select entity_id, currency, null, null, 0, 0, -debit
  from books_internal.totals_counted(:'from'::timestamptz, :'by')
), total as (
  select entity_id, currency, count(distinct entry_id) as entries, count(*) filter (where debit > 0) as legs,
    sum(debit) as debits, sum(credit) as credits,
    coalesce(sum(debit) filter (where kind = 'movement'), 0) as movements,
    coalesce(sum(debit) filter (where kind = 'trade'), 0) as trades,
    coalesce(sum(debit) filter (where kind = 'wallet-transaction'), 0) as wallet_transactions,
    coalesce(sum(debit) filter (where kind = 'earn-movement'), 0) as earn_movements,
    coalesce(sum(debit) filter (where kind = 'manual'), 0) as manual,
    coalesce(sum(debit) filter (where kind = 'reversal'), 0) as reversals, sum(summed) as summed
  from part
  where books_internal.is_chosen(entity_id, :'entity')
  group by entity_id, currency
)
select entity_id, currency, entries, legs, trim_scale(debits) as debits, trim_scale(credits) as credits,
  trim_scale(movements) as movements, trim_scale(trades) as trades, trim_scale(wallet_transactions) as wallet_transactions,
  trim_scale(earn_movements) as earn_movements, trim_scale(manual) as manual, trim_scale(reversals) as reversals,
  trim_scale(abs(debits - summed) + abs(debits - credits)
    + abs(debits - movements - trades - wallet_transactions - earn_movements - manual - reversals)) as check_units
from total
where legs > 0 or summed <> 0
order by entity_id collate "C", currency collate "C";
