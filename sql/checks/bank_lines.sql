-- Bank lines: what differs between the statements of our bank accounts and the books: a line without an entry, an entry without a
-- line, one payment with two amounts. Five days pass before what is missing on one side counts as missing.
-- For: reconcile and bank import. Severity: break.
-- What to do: look the line up at the bank and the record on the platform; import the next statement if the line is later; settle
-- the reject or run extract --full if the platform has the record; otherwise ask whose figure is wrong.
--   psql -v run=<run_id> -f sql/checks/bank_lines.sql
select n.entity_id, i.subject, null as account, i.currency, i.stated as reported, i.booked, i.stated - i.booked as difference,
  format('%s %s of %s: %s', trim_scale(abs(case when i.item = 'only in the books' then i.booked else i.stated end)), i.currency,
    i.day, case i.item
      when 'only on the statement' then case when i.stated > 0 then 'arrived on' else 'left' end || ' bank account ' || i.account_name
        || ', and no entry of the books matches'
      when 'only in the books' then case when i.booked > 0 then 'went to' else 'came from' end
        || case i.account when 'equity:external:card' then ' a card' else ' a bank' end || ' by the books, and no line of a statement matches'
      else format('bank account %s states this, and %s %s is booked with %s: %s too %s on the statement', i.account_name, i.stream, i.record_id,
        trim_scale(abs(i.booked)), trim_scale(abs(i.stated - i.booked)), case when abs(i.stated) > abs(i.booked) then 'much' else 'little' end)
    end) || case when i.is_ambiguous then '; ambiguous: the other side has this amount too, but not as often' else '' end as reason,
  i.day::timestamp at time zone 'UTC' as since,
  jsonb_strip_nulls(jsonb_build_object(
    'kind', case i.item
      when 'only on the statement' then case when i.is_ambiguous then 'bank_lines.stated.ambiguous' else 'bank_lines.stated' end
      when 'only in the books' then case when i.is_ambiguous then 'bank_lines.booked.ambiguous' else 'bank_lines.booked' end
      else 'bank_lines.differs' end,
    'amount', trim_scale(case when i.item = 'only in the books' then i.booked else i.stated end)::text, 'currency', i.currency,
    'other_amount', trim_scale(i.booked)::text, 'day', i.day::text, 'name', i.account_name, 'line', i.line_number::text,
    'records', case when i.record_id is not null then array[i.stream || ' ' || i.record_id] end
  )) as reason_parts
from (select distinct entity_id from books.external_accounts where kind = 'bank') n
cross join lateral books_internal.external_items(n.entity_id) i
where i.kind = 'bank' and i.is_due and exists (select from books.runs where run_id = :'run'::uuid)
order by n.entity_id, i.subject
