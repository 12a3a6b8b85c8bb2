-- Rejects: the rejected records of some streams that mention a currency, with whether one of their amounts equals a
-- difference, and would change the account in that direction where the record says in which. The first four; those with the amount first.
-- For: the causes of a break. Ties to: books.rejects.
--   psql -v entity=main -v streams='{trades}' -v currency=BTC -v pocket= -v difference=0.5 -f sql/breaks/rejects.sql
with rejected as materialized ( -- first: the texts of records that are booked are not to be searched
  select stream, record_id, reason, payload from books.rejects
  where entity_id = :'entity' and decision is distinct from 'settled' and stream = any(:'streams'::text[])
), digits as ( -- every text of the amount has these digits in a row, apart from a point: most records need no closer look
  select trim(both '0' from replace(abs(:'difference'::numeric)::text, '.', '')) as significant
), ours as ( -- the pocket as it stands in a payload, where quotes and backslashes are escaped
  select left(substr(to_json(:'pocket'::text)::text, 2), -1) as pocket
)
select stream || ' ' || record_id as name, reason, case when strpos(replace(payload, '.', ''), significant) = 0 then false else exists (
    select from (select payload::jsonb as body) as parsed
    cross join lateral (
      select strpos(lower(body ->> 'destination'), pocket) > 0 as is_to, strpos(lower(body ->> 'origin'), pocket) > 0 as is_from
    ) as of_pocket
    cross join lateral (
      select case
        when stream = 'wallet-transactions' then case
          when :'pocket' = '' or coalesce(is_to, false) = coalesce(is_from, false) then null when is_to then 1 else -1 end
        else case coalesce(body ->> 'movementType', body ->> 'type') when 'deposit' then 1 when 'reward' then 1 when 'withdrawal' then -1 end
      end as direction -- 1: it would add to the account; null: nobody knows
    ) as effect
    cross join lateral jsonb_path_query(body, 'strict $.**') as part
    cross join lateral (select books_internal.amount_of(part #>> '{}') as amount) as stated
    where jsonb_typeof(part) = 'string' and case when direction is null then abs(amount) = abs(:'difference'::numeric)
      else direction * amount = :'difference'::numeric end
  ) end as has_amount
from rejected, digits, ours
where (strpos(payload, to_json(:'currency'::text)::text) > 0
    or (stream = 'trades' and :'currency' = any(string_to_array(payload::jsonb ->> 'symbol', '/'))))
  and (:'pocket' = '' or strpos(lower(payload), pocket) > 0)
order by has_amount desc, stream, record_id limit 4;
