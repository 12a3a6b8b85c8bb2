-- Balances: every account must have a balance, read after the cut-off and rolled back to it, that ties, and every clearing
-- account a counterpart for each transfer before it, unless exactly this difference is waived for this period. A difference that
-- may have arisen before or after the cut-off counts, and the line says so.
-- For: close. Ties to: closing_balances.csv.
--   psql -v entity=main -v period=2026-10 -v to=2026-11-01T00:00:00Z -f sql/close/balances.sql
select c.account || ' ' || c.currency as subject,
  case
    when c.status = 'not read' then format('holds %s, and no balance of it was read after %s: run npx tieout nightly', c.booked, cut_off.text)
    else format('%s: a difference of %s that is not waived for %s%s',
      case when c.read_at is null
        then format('the transfers without a counterpart before %s sum to %s, the books have %s', cut_off.text, c.rolled_back, c.booked)
        else format('the balance read at %s rolls back to %s, the books have %s',
          to_char(c.read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), c.rolled_back, c.booked)
      end, c.difference, :'period'::text, (
        select format('%s: npx tieout breaks show %s lists likely causes, npx tieout breaks waive %s --period %s --by NAME --reason TEXT accepts it',
          case when b.diverged_after is null then format('; it may have arisen by the end of %s, since no earlier balance of the account ties '
            'and no record explains the difference', :'period'::text) end, b.break_id, b.break_id, :'period'::text)
        from books.breaks b
        where (b.entity_id, b.account, b.currency) = (c.entity_id, c.account, c.currency) and b.status <> 'resolved'
        order by b.break_id
        limit 1
      ))
  end as detail
from books_internal.closing_balances_of(:'to'::timestamptz, :'entity') c,
  to_char(:'to'::timestamptz at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as cut_off (text)
where c.entity_id = :'entity' and c.status <> 'tied' and not exists (
  select from books.breaks b
  join books.waivers w using (entity_id, break_id)
  where (b.entity_id, b.account, b.currency) = (c.entity_id, c.account, c.currency)
    and w.period = :'period' and w.difference = c.difference
)
order by c.account collate "C", c.currency collate "C";
