-- Counterparty marks: a digest of the counterparty types of the postings of some months of some entities, of what sent that which arrived with
-- them, and of the fees that people entered of it, or of what was sent. Their entries are found by
-- the time that begins an entry's id, with days to spare for any timezone, and each is looked up by its key, so that the plan
-- does not depend on statistics.
-- For: valuation, which derives a month again when its digest changes. Ties to: books.outside.
--   psql -v entities='{main}' -v periods='{2026-10}' -f sql/valuation/counterparty_marks.sql
with wanted as (
  select * from unnest(:'entities'::text[], :'periods'::text[]) as w (entity_id, period)
), entry as materialized (
  select w.entity_id, w.period, leg.entry_id
  from wanted w
  cross join lateral (
    select distinct e.entry_id
    from ledger.transfers e
    where e.entity_id = w.entity_id and (e.debit like 'equity:external:%' or e.credit like 'equity:external:%')
      and e.entry_id >= books_internal.first_entry_id((w.period || '-01')::timestamp at time zone 'UTC' - interval '2 days')
      and e.entry_id < books_internal.first_entry_id((w.period || '-01')::timestamp at time zone 'UTC' + interval '1 month 2 days')
    offset 0
  ) as leg
  union
  select w.entity_id, w.period, e.entry_id
  from wanted w
  join ledger.entries e on e.entity_id = w.entity_id and e.period = w.period and e.original_period is not null
)
select e.entity_id, e.period,
  md5(string_agg(concat_ws(' ', o.entry_id, o.leg, o.counterparty_type, starts_with(o.rule, 'own transfer: '), o.counterparty, sent.entry_id, charged.fee), ',' order by o.entry_id, o.leg)) as mark
from entry e
cross join lateral (
  select * from books.outside own where (own.entity_id, own.entry_id) = (e.entity_id, e.entry_id) offset 0
) as o
left join lateral (
  select k.entry_id from books_internal.transfers_of(o.entity_id, o.entry_id) k
  where starts_with(o.rule, 'own transfer: ') and o.amount < 0 and k.currency = o.currency and not k.is_sent and k.is_received
  union all
  select f.from_entry_id from books_internal.transfer_fees_of(o.entity_id, o.entry_id) f
  where o.stream = 'manual' and starts_with(o.rule, 'own transfer: ') and f.currency = o.currency
  limit 1
) as sent on true
left join lateral (
  select nullif(books_internal.fee_entered(k.from_entity, k.from_entry_id, k.currency), 0) as fee
  from books.own_transfers k
  where starts_with(o.rule, 'own transfer: ') and o.amount < 0 and (k.to_entity, k.to_entry_id, k.currency) = (o.entity_id, o.entry_id, o.currency)
    and k.amount_in < k.amount_out and k.stands
  union all -- what was sent, of which less arrived in a closed month
  select nullif(books_internal.fee_entered(k.from_entity, k.from_entry_id, k.currency), 0)
  from books.own_transfers k
  where starts_with(o.rule, 'own transfer: ') and o.amount > 0 and (k.from_entity, k.from_entry_id, k.currency) = (o.entity_id, o.entry_id, o.currency)
    and k.amount_in < k.amount_out and k.stands
) as charged on true
where o.period = e.period
group by e.entity_id, e.period;
