-- Records between: the entries on an account from the runs after its last tie up to the run of the first break, newest
-- first, late records included. Selected by entry number, so no history is read.
-- For: the page of a break. Ties to: the change of the booked balance between the two runs.
--   psql -v entity=main -v account=assets:trading -v currency=BTC -v last_tie= -v first_break=<run_id> -v most=20 -f sql/breaks/records_between.sql
with ends as (
  select coalesce((select entries_to from books.runs where run_id = nullif(:'last_tie', '')::uuid), 0) as after,
    (select entries_to from books.runs where run_id = :'first_break'::uuid) as upto
), place as (
  select unnest(books_internal.accounts_tied_as(:'account')) as account
)
select p.effective_at, p.recorded_at, p.stream, p.record_id, p.kind, trim_scale(sum(p.amount))::text as amount,
  (count(*) over ())::int as total
from ends
join books.postings p on p.entity_id = :'entity' and p.currency = :'currency'
  and p.entry_number > ends.after and (p.entry_number <= ends.upto or ends.upto is null)
where p.account in (select place.account from place)
group by p.effective_at, p.recorded_at, p.stream, p.record_id, p.kind, p.entry_id
having sum(p.amount) <> 0 -- between trading and its bots nothing moves
order by p.effective_at desc, p.entry_id desc
limit :'most'::int;
