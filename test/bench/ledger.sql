-- Ten million postings in a ledger that is migrated and empty, for `npm run bench -- --as-of`: 2.5 million entries of 20
-- entities over three years, trades of three legs and movements of one, in 36 accounts and currencies each. The first
-- two and a half years were recorded by a backfill, newest first, 100 records a page and ten pages a second; then each
-- day by its night, one record in a hundred up to 29 nights late. Hashes stand for chance: every build is the same.
create unlogged table public.told as
select *, (lpad(to_hex(floor(extract(epoch from at) * 1000)::bigint), 12, '0') || '8' || substr(name, 1, 3) || '8' ||
    substr(name, 4, 15))::uuid as entry_id,
  night + (row_number() over (partition by entity_id, is_trade, night order by at desc) - 1) / 100 * interval '0.1 s' as recorded_at
from (
  select name, chance, is_trade, at,
    case entity when 0 then 'main' else md5('entity ' || entity)::uuid::text end as entity_id,
    case when at < '2026-04-01T00:00:00Z' then timestamptz '2026-04-01T02:00:00Z'
      else date_trunc('day', at, 'UTC') + interval '1 day 2 hours' + interval '1 day' * case when n % 100 = 0 then n / 100 % 30 else 0 end
    end as night
  from (
    select n, name, chance, n % 2 = 0 as is_trade, floor(20 * power(chance % 99991 / 99991.0, 2))::int as entity,
      timestamptz '2023-10-01T00:00:00Z' + (n::bigint * 37877760 + chance % 30000000) * interval '1 us' as at
    from (
      select n, name, ('x' || left(name, 15))::bit(60)::bigint as chance
      from (select n, md5('record ' || n) as name from generate_series(1, 2500000) as n offset 0) as hashed
    ) as drawn
  ) as placed
) as dated
order by entity_id, at;
analyze public.told;
