-- Earn movements against wallet rows: two Earn movements, or two wallet rows, that cancel out although each should have met
-- its counterpart in the other stream. (A single one leaves a difference: clearing_not_zero.sql.)
-- For: reconcile, and the analyst who doubts a zero in clearing. Severity: break.
-- What to do: look both up on the platform, in Earn and in the pocket; what is not listed on one side was never landed: run
-- extract --full, or ask the platform for it.
--   psql -v run=<run_id> -f sql/checks/earn_movements.sql
select m.entity_id, format('%s %s and %s', m.debit_stream, m.debit_record_id, m.credit_record_id) as subject, m.account,
  m.currency, null::numeric as reported, m.amount as booked, null::numeric as difference,
  format('%s %s and %s of %s %s cancel out, %s apart, and neither has a counterpart', m.debit_stream, m.debit_record_id,
    m.credit_record_id, trim_scale(m.amount), m.currency, m.time_apart) as reason,
  least(m.debit_at, m.credit_at) as since,
  jsonb_build_object('kind', 'earn_movements.cancelled', 'amount', trim_scale(m.amount)::text, 'currency', m.currency,
    'records', array[m.debit_stream || ' ' || m.debit_record_id, m.credit_stream || ' ' || m.credit_record_id]) as reason_parts
from books.clearing_matches m
where m.debit_stream = m.credit_stream and m.debit_stream <> 'manual' and m.account = 'assets:clearing:earn' and m.stands
  and exists (select from books.runs where run_id = :'run'::uuid)
order by m.entity_id, subject
