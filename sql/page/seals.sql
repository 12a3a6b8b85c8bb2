-- Seals of a month: what each closed set of books was sealed with, and each break that was waived for it, as in the seal.
-- What the break is about never changes, so it is read from the books.
-- Later approvals are left out: the page of a closed month does not change when a person approves it.
-- For: the report page. Ties to: books.seals; a seal without a waived break has one row.
--   psql -v period=2026-10 -f sql/page/seals.sql
select s.entity_id, s.root, s.entries, s.prepared_by, s.sealed_at, w ->> 'break_id' as break_id, b.check_name, b.subject,
  w ->> 'account' as account, w ->> 'currency' as currency, w ->> 'difference' as difference, round((w ->> 'value')::numeric, 2) as value,
  w ->> 'by_name' as waived_by, w ->> 'reason' as waived_because, (w ->> 'at')::timestamptz as waived_at
from books.seals s
left join lateral jsonb_array_elements(s.seal::jsonb #> '{waived,breaks}') as w on true
left join books.breaks b on (b.entity_id, b.break_id) = (s.entity_id, w ->> 'break_id')
where s.period = :'period' and s.status = 'closed'
order by s.entity_id collate "C", w ->> 'break_id';
