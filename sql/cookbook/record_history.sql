-- Record history: one record from landing to the ledger: its versions, the outcome of each, the entries that it caused with
-- their legs, and their reversals. The last entries without a reversal are the current state of the books.
-- For: whoever traces a figure to its source. Ties to: journal, by entry_id; land.records, by digest.
--   psql -v entity=main -v stream=trades -v record=t1 -f sql/cookbook/record_history.sql
select c.version, c.landed_at, c.digest, c.outcome, c.reason, c.rule_version, c.ordinal, c.entry_id, c.kind, c.effective_at,
  c.recorded_at, c.period, u.ordinal as reverses, c.restated_by,
  (
    select string_agg(p.account || ' ' || trim_scale(p.amount) || ' ' || p.currency, ', '
      order by p.leg, p.amount desc, p.account collate "C")
    from books.postings p
    where (p.entity_id, p.entry_id) = (c.entity_id, c.entry_id)
  ) as postings
from books.chain c
left join books.entries u on (u.entity_id, u.entry_id) = (c.entity_id, c.reverses)
where (c.entity_id, c.stream, c.record_id) = (:'entity', :'stream', :'record')
order by c.version, c.ordinal;
