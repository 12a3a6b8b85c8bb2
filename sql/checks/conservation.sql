-- Conservation: landed = booked + rejected + set aside, per stream and rule version: by count, and, for what is booked or
-- set aside, by sum per side and currency. A record without an outcome, or a reported amount that is missing
-- from the ledger, was lost on the way.
-- For: reconcile. Severity: break.
-- What to do: run normalize again; if a pocket was listed for the first time after its records were booked, run tieout normalize
-- --restate; if it stays, find the record in books_internal.conservation_lines, then rebuild the books from the landed records.
--   psql -v run=<run_id> -f sql/checks/conservation.sql
with proof as (
  select * from books_internal.run_conservation where run_id = :'run'::uuid
), wrong as (
  select entity_id, stream as subject, null as currency, sum(landed)::numeric as reported,
    (sum(landed) - sum(landed) filter (where rule_version = 0))::numeric as booked,
    (sum(landed) filter (where rule_version = 0))::numeric as difference,
    sum(landed) filter (where rule_version = 0) || ' of ' || sum(landed) || ' landed records of ' || stream || ' have no outcome'
      as reason,
    jsonb_build_object('kind', 'conservation.lost', 'stream', stream, 'other_amount', sum(landed)::text,
      'amount', (sum(landed) filter (where rule_version = 0))::text) as reason_parts
  from proof
  group by entity_id, stream
  having sum(landed) filter (where rule_version = 0) > 0
  union all
  select entity_id, stream || ' records, rule ' || rule_version, null, landed, booked + rejected + set_aside,
    landed - booked - rejected - set_aside,
    landed || ' landed records of ' || stream || ' have an outcome of rule ' || rule_version || ', and there are '
      || booked + rejected + set_aside || ' such outcomes',
    jsonb_build_object('kind', 'conservation.count', 'stream', stream, 'amount', landed::text,
      'other_amount', (booked + rejected + set_aside)::text)
  from proof
  where rule_version <> 0 and landed <> booked + rejected + set_aside
  union all
  select p.entity_id, p.stream || ' ' || s.side || ' ' || s.currency || ', rule ' || p.rule_version, s.currency,
    s.landed - s.set_aside, s.booked, s.landed - s.set_aside - s.booked,
    'records of ' || p.stream || ' say ' || trim_scale(s.landed - s.set_aside) || ' ' || s.currency || ' ' || s.side
      || ', the ledger has ' || trim_scale(s.booked),
    jsonb_build_object('kind', 'conservation.sum', 'stream', p.stream, 'place', s.side, 'currency', s.currency,
      'amount', trim_scale(s.landed - s.set_aside)::text, 'other_amount', trim_scale(s.booked)::text)
  from proof p
  cross join lateral jsonb_to_recordset(p.sums) as s (side text, currency text, landed numeric, booked numeric, set_aside numeric)
  where s.landed - s.set_aside <> s.booked
)
select entity_id, subject, null as account, currency, reported, booked, difference, reason, reason_parts
from wrong
order by entity_id, subject
