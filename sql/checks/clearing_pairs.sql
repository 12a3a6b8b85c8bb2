-- Clearing pairs: two records of one transfer that lie more than a day apart or name two pockets, or two transfers of trading's
-- own stream that cancel out. Each pair may be right, or may be two transfers that each lack their counterpart.
-- For: the analyst who doubts a zero in clearing. Severity: note.
-- What to do: look both records up on the platform; if they are not one transfer, the missing sides were never landed.
--   psql -v run=<run_id> -f sql/checks/clearing_pairs.sql
select m.entity_id, format('%s %s and %s %s', m.debit_stream, m.debit_record_id, m.credit_stream, m.credit_record_id) as subject,
  m.account, m.currency, null::numeric as reported, m.amount as booked, null::numeric as difference,
  format('%s %s were paired in clearing %s apart%s', trim_scale(m.amount), m.currency, m.time_apart,
    case
      when m.debit_stream = m.credit_stream then ', within one stream'
      when m.grounds = 'another pocket' then ', although they name two pockets'
    end) as reason
from books.clearing_matches m
where (m.debit_stream = m.credit_stream or m.grounds = 'another pocket' or m.time_apart > interval '24:00:00') and 'manual' not in (m.debit_stream, m.credit_stream)
  and not (m.debit_stream = m.credit_stream and m.account = 'assets:clearing:earn') and m.stands
  and exists (select from books.runs where run_id = :'run'::uuid)
order by m.entity_id, subject
