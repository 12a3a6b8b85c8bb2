-- Preparers: everyone who prepared, waived, dismissed or withdrew something in a month, and what it was: its entries, waivers and
-- acceptances, the dismissals of its records, the withdrawals of its statements, and the lots, choices of lots, rates, rules, profiles
-- and charts that affect its reports and took effect after the previous month's seal.
-- For: approve, which demands another person for the close. Ties to: books.manual_entries, waivers, rejects, external_statements and
-- proposals.
--   psql -v entity=main -v period=2026-10 -v sealed_at=2026-11-03T12:00:00Z -f sql/seal/preparers.sql
with before as (
  select coalesce(max(s.sealed_at), '-infinity') as sealed_at from books.seals s
  where s.entity_id = :'entity' and s.status = 'closed' and s.period < :'period'
), dismissed as ( -- a record of a month closed before landed late: like a late entry it is of this one
  select r.decided_by, r.decided_at, r.stream, r.record_id,
    to_char(r.effective_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM') as month
  from books.rejects r
  left join books.entities n using (entity_id)
  where r.entity_id = :'entity' and r.decision = 'dismissed'
)
select m.prepared_by as name, 'prepared entry ' || m.entry_id as did from books.manual_entries m
where m.entity_id = :'entity' and m.period = :'period'
union all
select w.prepared_by, 'waived break ' || w.break_id from books.waivers w
where w.entity_id = :'entity' and w.period = :'period'
union all
select d.decided_by, 'dismissed ' || d.stream || ' ' || d.record_id from dismissed d
where coalesce(d.month, :'period') = :'period'
  or (d.month < :'period' and d.decided_at > (select b.sealed_at from before b) and d.decided_at <= :'sealed_at'::timestamptz)
union all -- the breaks of its lines are gone with it, and no comparison has tied
select s.withdrawn_by, 'withdrew ' || s.file_name || ' of ' || s.account_name from books.external_statements s
join books_internal.statement_reach r using (entity_id, account_name, statement_number)
where s.entity_id = :'entity' and r.period <= :'period'
  and s.withdrawn_at > (select b.sealed_at from before b) and s.withdrawn_at <= :'sealed_at'::timestamptz
union all
select v.prepared_by, 'accepted value findings' from books_internal.value_acceptances v
where v.entity_id = :'entity' and v.period = :'period'
union all
select p.prepared_by, 'prepared the ' || case p.action when 'choose' then 'choice of lots' else p.action end || ' of proposal ' || p.proposal_id from books.proposals p
where p.verdict = 'approved' and p.action in ('lots', 'choose', 'rates', 'counterparties', 'profiles', 'chart')
  and p.approved_at <= :'sealed_at'::timestamptz and p.approved_at > (select b.sealed_at from before b)
order by 1, 2;
