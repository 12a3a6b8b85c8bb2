-- Card purchases: the amount paid by card with its fee, and what each pocket received for it; a reversal has the opposite signs.
-- For: card statements, chargebacks. Ties to: trial_balance, account equity:external:card.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -f sql/cookbook/card_purchases.sql
with paid as (
  select entity_id, effective_at, entry_id, kind, record_id, currency, -sum(amount) as amount
  from books.postings
  where account = 'equity:external:card' and effective_at >= :'from'::timestamptz and effective_at < :'to'::timestamptz
  group by entity_id, effective_at, entry_id, kind, record_id, currency
)
select c.entity_id, c.effective_at, c.kind, c.record_id, trim_scale(c.amount) as paid, c.currency as paid_currency,
  trim_scale(p.amount) as received, p.currency as received_currency, p.account as pocket
from paid c
left join lateral ( -- a pocket may pay a fee of the network in another coin: it received nothing
  select p.account, p.currency, sum(p.amount) as amount
  from books.postings p
  where (p.entity_id, p.entry_id) = (c.entity_id, c.entry_id) and p.account like 'assets:pocket:%'
  group by p.account, p.currency
  having sign(sum(p.amount)) = sign(c.amount)
) as p on true
order by c.entity_id collate "C", c.effective_at, c.entry_id, c.currency, p.account;
