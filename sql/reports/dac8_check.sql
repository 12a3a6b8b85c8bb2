-- DAC8 check: assets bought, sold, swapped, paid with and transferred per calendar year, owner and asset, to compare with what the
-- platform reports to the tax authority (the OECD's Crypto-Asset Reporting Framework, and DAC8 in the European Union).
-- For: tax. Ties to: journal, equity:conversion, equity:external:*, income:* and liabilities:working-capital, in units and in money
-- (checks.csv); asset_roll_forward, traded_in = bought + swapped in.
-- year is that of the transaction, as the platform counts it. A record that arrived after its month was closed is in the file of the
-- month in which it is posted, under the year in which it took effect: one of December booked in January belongs to December's year. So
-- a whole tax year is the rows of that year in all files; confirm --year adds them up.
-- Fiat currency is the price and not an asset here. A reversal is deducted, also from the count. sub_type tells transfers apart:
-- from or to another provider (the address book says that an exchange holds the wallet), staking income,
-- a loan of the platform, a purchase, otherwise other, and unknown if nobody said who is on the other side. A payment by card is a
-- retail payment. sent to wallets repeats, of the transfers out, those to addresses not known to be a provider's. gross_value is the
-- value of what was received or sent, in value_currency, and valued is how many of the count have one; valuation names the rules
-- that valued them (src/valuation/README.md).
--   psql -v from=2026-01-01T00:00:00Z -v to=2027-01-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/dac8_check.sql
with reported as (
  select r.*, o.is_provider, o.counterparty_type
  from books_internal.dac8_events(:'from'::timestamptz, :'to'::timestamptz, :'by', :'entity') r
  left join lateral (
    select bool_or(b.wallet_type = 'exchange') as is_provider, min(p.counterparty_type) as counterparty_type
    from books.outside p
    left join lateral (
      select * from books.address_book k where (k.entity_id, k.record_id) = (p.entity_id, substring(p.rule, '^address book: (.*)$')) offset 0
    ) as b on true
    where (p.entity_id, p.entry_id, p.account) = (r.entity_id, r.entry_id, r.account) and p.leg = any (r.legs)
      and r.account = 'equity:external:blockchain'
    offset 0
  ) as o on true
  where r.what is not null
), event as (
  select entity_id, year, currency, what,
    case
      when account = 'equity:conversion' then ''
      when account like 'income:%' then 'staking income'
      when account = 'liabilities:working-capital' then 'loan'
      when what = 'retail payment' then 'purchase of goods or services'
      when account <> 'equity:external:blockchain' then 'other'
      when is_provider then 'another provider'
      when counterparty_type in ('own', 'own-entity', 'third-party') then 'other'
      else 'unknown'
    end as sub_type, units, gross_value, times, rules
  from reported
  union all
  select entity_id, year, currency, 'sent to wallets', '', units, gross_value, times, rules
  from reported
  where account = 'equity:external:blockchain' and what = 'transferred out' and is_provider is distinct from true
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
