-- Authorizations: a transaction that was refused and happened anyway, or that happened with another amount or currency than the
-- authorized one. Money moved against the answer, so a person has to find out why: it stays until the record changes or
-- somebody resolves it.
-- For: reconcile. Across entities. Severity: break.
-- What to do: compare books.authorization_deliveries with the record; ask the platform why it did not follow the answer.
--   psql -v run=<run_id> -f sql/checks/authorizations.sql
select a.entity_id, 'authorization ' || a.transaction_id || coalesce(' of user ' || a.user_id, '') as subject, null as account,
  a.record_currency as currency, null::numeric as reported, null::numeric as booked, null::numeric as difference,
  case a.status
    when 'differs' then format('%s %s was authorized, the record has %s %s', trim_scale(a.amount), a.currency,
      coalesce(trim_scale(a.record_amount)::text, 'no amount'), coalesce(a.record_currency, 'without a currency'))
    else format('%s %s was refused (%s), and the record is there', trim_scale(a.amount), a.currency, a.reason)
  end as reason, a.record_at as since,
  jsonb_strip_nulls(jsonb_build_object(
    'kind', case when a.status <> 'differs' then 'authorizations.refused'
      when a.record_amount is null or a.record_currency is null then 'authorizations.unlike' else 'authorizations.differs' end,
    'records', array['wallet-transactions ' || a.transaction_id], 'amount', trim_scale(a.amount)::text, 'currency', a.currency,
    'other_amount', trim_scale(a.record_amount)::text, 'other_currency', a.record_currency
  )) as reason_parts
from books.authorizations a
where a.status in ('differs', 'happened anyway') and exists (select from books.runs where run_id = :'run'::uuid)
order by a.entity_id, subject
