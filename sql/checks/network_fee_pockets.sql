-- Network fee pockets: a network fee in another coin whose record does not name the pocket that paid it, and a pocket whose
-- reported balance is lower by exactly that fee.
-- For: the analyst who looks into a difference of assets:clearing:fees or of a pocket. Severity: note.
-- What to do: enter the leg with the command in the reason; both differences then disappear.
--   psql -v run=<run_id> -f sql/checks/network_fee_pockets.sql
with fee as (
  select t.entity_id, m.stream || ' ' || m.record_id as subject, m.currency, -m.amount as amount
  from books.tie_outs t
  cross join lateral books_internal.lone_clearing_moves(t.entity_id) as m
  where t.run_id = :'run'::uuid and t.account = 'assets:clearing:fees' and (m.account, m.currency) = (t.account, t.currency)
), taken as ( -- one by one, and all together
  select entity_id, subject, currency, amount from fee
  union all
  select entity_id, 'all open fees in ' || currency, currency, sum(amount) from fee group by entity_id, currency having count(*) > 1
)
select f.entity_id, f.subject, p.account, f.currency, p.reported, p.booked, p.difference,
  format('%s %s of network fees and the difference of this pocket are the same: npx tieout adjust --entity %s --leg "assets:clearing:fees <- %s %s %s" --at DAY --by NAME --reason TEXT --evidence FILE',
    trim_scale(f.amount), f.currency, f.entity_id, p.account, trim_scale(f.amount), f.currency) as reason
from taken f
join books.tie_outs p on p.run_id = :'run'::uuid and (p.entity_id, p.currency, p.difference) = (f.entity_id, f.currency, -f.amount)
where p.account like 'assets:pocket:%'
order by f.entity_id, f.subject, p.account
