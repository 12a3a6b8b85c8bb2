-- Booked months: those with entries, in order: valued ones, and those of the entries written after a given number, valued or not.
-- For: the nightly, which has a folder for each month. Ties to: value.months, books.entries.
--   psql -v entry=120 -f sql/export/booked_months.sql
select m.period as month from value.months m
union
select e.period from books.entries e where e.entry_number > :'entry'::bigint
order by month;
