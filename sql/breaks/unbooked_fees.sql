-- Unbooked fees: of the newest booked wallet transactions since an instant, those that name a fee which their entry does not charge, and
-- whose amount is what a pocket of that currency lacks. The rules take the difference between the two sides for the fee, and a fee of
-- another payer for theirs; the gateway may have charged this one all the same.
-- For: the causes of a break. Ties to: books.records.
--   psql -v entity=main -v accounts='{assets:pocket:p1}' -v currencies='{TRX}' -v missing='{27.5}' -v since=-infinity -v most=20 -f sql/breaks/unbooked_fees.sql
with newest as (
  select e.entry_id, e.stream, e.record_id, e.version, e.effective_at, e.entry_number
  from ledger.entries e
  where e.entity_id = :'entity' and e.stream = 'wallet-transactions' and e.reverses is null
    and (:'since'::timestamptz = '-infinity' or e.entry_id >= books_internal.first_entry_id(:'since'::timestamptz))
    and not exists (
      select from ledger.entries u
      where (u.entity_id, u.stream, u.record_id) = (e.entity_id, e.stream, e.record_id) and u.reverses = e.entry_id
    )
  order by e.entry_id desc limit :'most'::int
)
select lacking.account, lacking.currency, n.stream || ' ' || n.record_id as name, n.effective_at, n.entry_number as entry,
  trim_scale(-lacking.amount)::text as amount
from newest n
join books_internal.record_versions r on (r.entity_id, r.stream, r.record_id, r.version) = (:'entity', n.stream, n.record_id, n.version)
cross join lateral (select r.payload::jsonb as body offset 0) as parsed
cross join unnest(:'accounts'::text[], :'currencies'::text[], :'missing'::numeric[]) as lacking (account, currency, amount)
where exists (
  select from (values ('{fee}'), ('{fee,network}'), ('{fee,mercantile}'), ('{fee,teller}'), ('{fee,teller,fixed}'), ('{fee,teller,variable}')) as member (path)
  cross join lateral (select body #> member.path::text[] as fee) as stated
  where coalesce(fee ->> 'currency', fee ->> 'feeCurrency') = lacking.currency
    and lacking.amount in (books_internal.amount_of(fee ->> 'amount'), books_internal.amount_of(fee ->> 'fixedFee'), books_internal.amount_of(fee ->> 'variableFee'))
) and not exists (
  select from ledger.transfers t
  where (t.entity_id, t.entry_id) = (:'entity', n.entry_id) and t.debit like 'expenses:fees:%'
    and (t.currency, t.amount) = (lacking.currency, lacking.amount)
)
order by n.entry_id desc, lacking.account;
