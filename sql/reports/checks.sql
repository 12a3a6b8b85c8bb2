-- Checks: what the reports of the period agree on, one row per rule, with the largest difference.
-- For: audit, and whoever would add the reports up by hand. Ties to: the reports, whose figures must agree; tieout verify report adds up
-- the rows of the files themselves. compared says what equals what, account by account or asset by asset; compared_rows counts them.
-- In a rule in money, shown_value is the sum of what the report shows and expected_value that of the other side, both without signs. Every
-- difference is 0, or something is wrong: differing_rows counts those that are not, first_difference is the first of them, largest_difference the largest, in
-- units of difference_currency, and tieout verify ledger shows what was altered. A taxpayer of several entities has the rules of its lots at
-- the first of them.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v entity= --csv -f sql/reports/checks.sql
with side as (
  select s.*, s.shown - s.expected as difference,
    row_number() over (partition by s.entity_id, s.place order by abs(s.shown - s.expected) desc, s.subject collate "C", s.currency collate "C",
      s.value_currency collate "C", s.shown) as by_size,
    row_number() over (partition by s.entity_id, s.place order by s.shown = s.expected, s.subject collate "C", s.currency collate "C",
      s.value_currency collate "C", s.shown) as by_name
  from books_internal.report_sides(:'from'::timestamptz, :'to'::timestamptz, :'entity') s
)
select entity_id, report, compared, count(*) as compared_rows, max(value_currency) as value_currency,
  trim_scale(sum(abs(shown)) filter (where value_currency is not null)) as shown_value,
  trim_scale(sum(abs(expected)) filter (where value_currency is not null)) as expected_value, count(*) filter (where difference <> 0) as differing_rows,
  trim_scale(max(difference) filter (where by_size = 1)) as largest_difference,
  max(coalesce(value_currency, currency)) filter (where by_size = 1 and difference <> 0) as difference_currency,
  max(concat_ws(' ', subject, nullif(currency, subject))) filter (where by_name = 1 and difference <> 0) as first_difference,
  case when bool_and(difference = 0) then 'holds' else 'differs' end as verdict
from side
group by entity_id, place, report, compared
order by entity_id collate "C", place;
