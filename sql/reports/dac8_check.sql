-- DAC8 check: assets bought, sold, swapped, paid with and transferred per calendar year, owner and asset, to compare with what the
-- platform reports to the tax authority (the OECD's Crypto-Asset Reporting Framework, and DAC8 in the European Union).
-- For: tax. Ties to: journal, equity:conversion and equity:external:*; asset_roll_forward, traded_in = bought + swapped in.
-- Fiat currency is the price and not an asset here. A reversal is deducted, also from the count. sub_type tells transfers apart:
-- from or to another provider (the address book says that an exchange holds the wallet), staking income,
-- a loan of the platform, a purchase, otherwise other, and unknown if nobody said who is on the other side. A payment by card is a
-- retail payment. sent to wallets repeats, of the transfers out, those to addresses not known to be a provider's. gross_value is the
-- value of what was received or sent, in value_currency, and valued is how many of the count have one; valuation names the rules
-- that valued them (src/valuation/README.md).
--   psql -v from=2026-01-01T00:00:00Z -v to=2027-01-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/dac8_check.sql
with move as (
  select m.entity_id, m.entry_id, m.leg, to_char(m.counted_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY') as year, m.account,
    m.across, m.currency, case when m.is_undone then -1 else 1 end as times, m.amount, v.value, v.rule
  from books_internal.moves(:'from'::timestamptz, :'to'::timestamptz, :'by') m
  left join books.entities n using (entity_id)
  left join lateral (
    select s.value, s.rule from books_internal.values s
    where (s.entity_id, s.entry_id, s.leg, s.account) = (m.entity_id, m.entry_id, m.leg, m.account)
    offset 0
  ) as v on true
  where (m.account = 'equity:conversion' or m.account like 'equity:external:%' or m.account like 'income:%'
      or m.account = 'liabilities:working-capital')
    and books_internal.is_chosen(entity_id, :'entity')
), exchange as ( -- conversion is debited with what was given and credited with what was received; a reversal swaps both
  select entity_id, year, times, currency, sum(amount) * times as amount, sum(value) as value, array_agg(distinct rule) as rules,
    bool_or(books_internal.is_fiat(currency)) over (partition by entity_id, entry_id) as has_fiat
  from move
  where account = 'equity:conversion' and across not like 'expenses:%'
  group by entity_id, entry_id, year, times, currency
  having sum(amount) <> 0
), exchange_wallet as materialized (
  select entity_id, 'address book: ' || record_id as rule from books.address_book where wallet_type = 'exchange'
), transfer as (
  select m.entity_id, m.entry_id, m.year, m.account, m.currency, m.times, sum(m.amount) * m.times as amount, sum(m.value) as value,
    array_agg(distinct m.rule) as rules, bool_or(b.rule is not null) as is_provider, min(o.nature) as nature
  from move m
  left join lateral (
    select p.nature, p.rule
    from books.outside p
    where (p.entity_id, p.entry_id, p.leg, p.account) = (m.entity_id, m.entry_id, m.leg, m.account)
      and m.account = 'equity:external:blockchain'
    offset 0
  ) as o on true
  left join exchange_wallet b on (b.entity_id, b.rule) = (m.entity_id, o.rule)
  where m.account <> 'equity:conversion' and m.across <> 'equity:conversion' and not books_internal.is_fiat(m.currency)
  group by m.entity_id, m.entry_id, m.year, m.account, m.currency, m.times
  having sum(m.amount) <> 0
), event as (
  select entity_id, year, currency,
    case when has_fiat then case when amount < 0 then 'bought' else 'sold' end
      else case when amount < 0 then 'swapped in' else 'swapped out' end end as what,
    '' as sub_type, abs(amount) * times as units, abs(value) * times as gross_value, times, rules
  from exchange
  where not books_internal.is_fiat(currency)
  union all
  select entity_id, year, currency,
    case
      when account like 'income:%' then 'reward'
      when account = 'equity:external:card' and amount > 0 then 'retail payment'
      when amount < 0 then 'transferred in'
      else 'transferred out'
    end,
    case
      when account like 'income:%' then 'staking income'
      when account = 'liabilities:working-capital' then 'loan'
      when account = 'equity:external:card' and amount > 0 then 'purchase of goods or services'
      when account <> 'equity:external:blockchain' then 'other'
      when is_provider then 'another provider'
      when nature in ('own', 'own-entity', 'third-party') then 'other'
      else 'unknown'
    end, abs(amount) * times, abs(value) * times, times, rules
  from transfer
  union all
  select entity_id, year, currency, 'sent to wallets', '', abs(amount) * times, abs(value) * times, times, rules
  from transfer
  where account = 'equity:external:blockchain' and amount > 0 and is_provider is distinct from true
)
select e.entity_id, n.owner, coalesce(n.legal_name, n.name) as owner_name, n.taxpayer, n.tax_id, e.year, e.currency as asset,
  e.what, trim_scale(sum(e.units)) as units, round(sum(e.gross_value), 2) as gross_value, n.currency as value_currency,
  coalesce(sum(e.times) filter (where e.gross_value is not null), 0) as valued, sum(e.times) as count, e.sub_type, n.residence,
  (
    select string_agg(distinct rule collate "C", ', ' order by rule collate "C")
    from regexp_split_to_table(string_agg(array_to_string(e.rules, ','), ','), ',') as rule
  ) as valuation
from event e
left join books.profiles n using (entity_id)
group by e.entity_id, n.owner, n.legal_name, n.name, n.taxpayer, n.tax_id, n.residence, n.currency, e.year, e.currency, e.what,
  e.sub_type
order by e.entity_id collate "C", e.year collate "C", e.currency collate "C", e.what collate "C", e.sub_type collate "C";
