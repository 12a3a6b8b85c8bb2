-- Card purchases: the amount paid by card, and what each pocket received for it; a reversal has the opposite signs.
-- For: card statements, chargebacks. Ties to: trial_balance, account equity:external:card.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -f sql/cookbook/card_purchases.sql
select c.entity_id, c.effective_at, c.kind, c.record_id, trim_scale(-c.amount) as paid, c.currency as paid_currency,
  trim_scale(p.amount) as received, p.currency as received_currency, p.account as pocket
from books.postings c
left join books.postings p
  on p.entity_id = c.entity_id and p.entry_id = c.entry_id and p.account like 'assets:pocket:%'
where c.account = 'equity:external:card'
  and c.effective_at >= :'from'::timestamptz and c.effective_at < :'to'::timestamptz
order by c.entity_id collate "C", c.effective_at, c.entry_id, c.leg, p.leg;
