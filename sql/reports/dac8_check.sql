-- DAC8 check: assets bought, sold, swapped and transferred per calendar year, owner and asset, to compare with what the
-- platform reports to the tax authority.
-- For: tax. Ties to: journal, equity:conversion and equity:external:*; asset_roll_forward, traded_in = bought + swapped in.
-- Fiat currency is the price and not an asset here. A reversal is deducted, also from the count. gross_value is the value of
-- what was received or sent, in value_currency, and valued is how many of the count have one.
--   psql -v from=2026-01-01T00:00:00Z -v to=2027-01-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/dac8_check.sql
with move as (
  select m.entity_id, m.entry_id, to_char(m.counted_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY') as year, m.account, m.across,
    m.currency, case when m.is_undone then -1 else 1 end as times, m.amount, v.value
  from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by') m
  left join books.entities n using (entity_id)
  left join lateral (
    select s.value from books_internal.values s
    where (s.entity_id, s.entry_id, s.leg, s.account) = (m.entity_id, m.entry_id, m.leg, m.account)
    offset 0
  ) as v on true
  where (m.account = 'equity:conversion' or m.account like 'equity:external:%' or m.account like 'income:%')
    and books_internal.is_chosen(entity_id, :'entity')
), exchange as ( -- conversion is debited with what was given and credited with what was received; a reversal swaps both
  select entity_id, year, times, currency, sum(amount) * times as amount, sum(value) as value,
    bool_or(books_internal.is_fiat(currency)) over (partition by entity_id, entry_id) as has_fiat
  from move
  where account = 'equity:conversion' and across not like 'expenses:%'
  group by entity_id, entry_id, year, times, currency
  having sum(amount) <> 0
), event as (
  select entity_id, year, currency,
    case when has_fiat then case when amount < 0 then 'bought' else 'sold' end
      else case when amount < 0 then 'swapped in' else 'swapped out' end end as what,
    abs(amount) * times as units, abs(value) * times as gross_value, times
  from exchange
  where not books_internal.is_fiat(currency)
  union all
  select entity_id, year, currency,
    case
      when account like 'income:%' then 'reward'
      when sum(amount) * times < 0 then 'transferred in'
      else 'transferred out'
    end, abs(sum(amount)) * times, abs(sum(value)) * times, times
  from move
  where account <> 'equity:conversion' and across <> 'equity:conversion' and not books_internal.is_fiat(currency)
  group by entity_id, entry_id, year, account, currency, times
  having sum(amount) <> 0
)
select e.entity_id, n.owner, coalesce(n.legal_name, n.name) as owner_name, n.taxpayer, n.tax_id, e.year, e.currency as asset,
  e.what, trim_scale(sum(e.units)) as units, round(sum(e.gross_value), 2) as gross_value, n.currency as value_currency,
  coalesce(sum(e.times) filter (where e.gross_value is not null), 0) as valued, sum(e.times) as count
from event e
left join books.profiles n using (entity_id)
group by e.entity_id, n.owner, n.legal_name, n.name, n.taxpayer, n.tax_id, n.currency, e.year, e.currency, e.what
order by e.entity_id collate "C", e.year collate "C", e.currency collate "C", e.what collate "C";
