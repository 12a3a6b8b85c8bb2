-- In transit: the transfers that one stream has and the other lacks, with their age as of an instant.
-- For: treasury. Ties to: trial_balance, accounts assets:clearing:*, whose balance is the sum of these amounts. Equal
-- amounts of opposite sign are paired in order of time; an amount without a partner is listed.
--   psql -v as_of=2026-11-01T00:00:00Z -f sql/cookbook/in_transit.sql
with move as (
  select *, row_number() over (
    partition by entity_id, account, currency, amount order by effective_at, entry_id, leg
  ) as turn
  from books.postings
  where account like 'assets:clearing:%' and effective_at < :'as_of'::timestamptz
)
select m.entity_id, m.account, m.currency, trim_scale(m.amount) as amount, m.effective_at,
  extract(day from :'as_of'::timestamptz - m.effective_at)::integer as age_days, m.stream, m.record_id
from move m
where not exists (
  select 1 from move other
  where (other.entity_id, other.account, other.currency, other.turn) = (m.entity_id, m.account, m.currency, m.turn)
    and other.amount = -m.amount
)
order by m.entity_id collate "C", m.account collate "C", m.currency collate "C", m.effective_at, m.entry_id, m.leg;
