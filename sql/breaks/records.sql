-- Records: the legs of the newest records that move one of some accounts, since an instant; reversed entries are left out.
-- For: the causes of a break. Ties to: books.postings.
--   psql -v entity=main -v places='{assets:trading BTC}' -v since=-infinity -v most=20 -f sql/breaks/records.sql
with near as (
  select e.entry_id, e.stream, e.record_id, e.effective_at, e.entry_number
  from ledger.entries e
  where e.entity_id = :'entity' and e.reverses is null
    and (:'since'::timestamptz = '-infinity' or e.entry_id >= books_internal.first_entry_id(:'since'::timestamptz))
    and exists (
      select from ledger.transfers t
      cross join lateral (values (t.debit), (t.credit)) as side (account)
      where (t.entity_id, t.entry_id) = (e.entity_id, e.entry_id) and books_internal.tied_account(side.account) || ' ' || t.currency = any(:'places'::text[])
    )
    and not exists (
      select from ledger.entries u
      where (u.entity_id, u.stream, u.record_id) = (e.entity_id, e.stream, e.record_id) and u.reverses = e.entry_id
    )
  order by e.entry_id desc limit :'most'::int
)
select n.stream, n.record_id, n.effective_at, n.entry_number as entry, side.account, t.currency, trim_scale(side.amount)::text as amount,
  case when t.debit like 'expenses:fees:%' then 'fee' when side.other = 'equity:conversion' then 'exchange' else 'move' end as role
from near n
join ledger.transfers t on t.entity_id = :'entity' and t.entry_id = n.entry_id
cross join lateral (values (t.debit, t.credit, t.amount), (t.credit, t.debit, -t.amount)) as side (account, other, amount)
where side.account ~ '^assets:(trading|earn$|pocket:|clearing:)'
order by n.entry_id desc, t.leg, side.amount desc;
