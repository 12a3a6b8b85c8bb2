-- Chain lines: what differs between the transactions of our addresses on chains and the books: a transaction without an entry, an
-- entry to or from the address without a transaction, one transaction with two amounts. A day passes before one counts as missing.
-- For: reconcile and chain import. Severity: break.
-- What to do: look the hash up in an explorer and the record on the platform; import a newer list if it ends too early; settle the
-- reject or run extract --full if the platform has the record; otherwise ask whose figure is wrong.
--   psql -v run=<run_id> -f sql/checks/chain_lines.sql
select n.entity_id, i.subject, null as account, i.currency, i.stated as reported, i.booked, i.stated - i.booked as difference,
  format('%s %s of %s: %s', trim_scale(abs(case when i.item = 'only in the books' then i.booked else i.stated end)), i.currency,
    i.day, case i.item
      when 'only on the statement' then case when i.stated > 0 then 'arrived on' else 'left' end || ' address ' || i.account_name
        || ', and no entry of the books matches'
      when 'only in the books' then case when i.booked > 0 then 'went to' else 'came from' end
        || ' one of our addresses by the books, and no transaction of its list matches'
      else format('address %s shows this, and %s %s is booked with %s: %s too %s on the chain', i.account_name, i.stream, i.record_id,
        trim_scale(abs(i.booked)), trim_scale(abs(i.stated - i.booked)), case when abs(i.stated) > abs(i.booked) then 'much' else 'little' end)
    end) as reason,
  i.day::timestamp at time zone 'UTC' as since,
  jsonb_strip_nulls(jsonb_build_object(
    'kind', case i.item
      when 'only on the statement' then 'chain_lines.stated' when 'only in the books' then 'chain_lines.booked' else 'chain_lines.differs' end,
    'amount', trim_scale(case when i.item = 'only in the books' then i.booked else i.stated end)::text, 'currency', i.currency,
    'other_amount', trim_scale(i.booked)::text, 'day', i.day::text, 'name', i.account_name, 'line', i.line_number::text,
    'records', case when i.record_id is not null then array[i.stream || ' ' || i.record_id] end
  )) as reason_parts
from (select distinct entity_id from books.external_accounts where kind = 'chain') n
cross join lateral books_internal.external_items(n.entity_id) i
where i.kind = 'chain' and i.is_due and exists (select from books.runs where run_id = :'run'::uuid)
order by n.entity_id, i.subject
