-- Breaks: value, age, severity, waivers, events and likely causes.
-- For: finance.
--   psql -f sql/views/24-breaks.sql

create view books.severities as
select severity, rank, value_from, age_from, due_days from reconcile.severities;
comment on view books.severities is
  'One row per severity of breaks, by value and age.';
comment on column books.severities.severity is 'Name of the severity.';
comment on column books.severities.rank is 'Order, 1 the mildest. The highest rank that a break reaches applies.';
comment on column books.severities.value_from is 'Value from which it applies, in the reporting currency; null for breaks without a price.';
comment on column books.severities.age_from is 'Age in days from which it applies.';
comment on column books.severities.due_days is 'Days until a break is due.';

-- The severity of the highest rank whose value or age is reached; without a price, the rank that has no value. Its rows are those of a
-- query, so that Postgres reads them in the statement's own plan: a call for each break would take most of the time of a long list.
create function books_internal.severity_of(value numeric, age_days integer) returns table (severity text, due_days integer)
language sql stable parallel safe as $$
  select s.severity, s.due_days
  from (select severity_of.value, severity_of.age_days offset 0) as b -- computed once, not for each severity
  cross join books.severities s
  where case when b.value is null then s.value_from is null else s.value_from <= b.value or s.age_from <= b.age_days end
  order by s.rank desc
  limit 1
$$;

-- When a break that was found at an instant is due, by its value alone. In hours, so that the session's timezone has no effect.
create function books_internal.due_at(since timestamptz, value numeric) returns table (due_at timestamptz)
language sql stable parallel safe as $$
  select due_at.since + make_interval(hours => 24 * s.due_days) from books_internal.severity_of(due_at.value, 0) s
$$;

create view books.waivers as
select w.entity_id, w.break_id, w.period, w.difference, w.by_name as prepared_by, w.reason, w.at as approved_at, w.proposal_id,
  a.approved_by
from decide.waivers w
left join decide.approvals a using (entity_id, proposal_id);
comment on view books.waivers is
  'One row per break accepted for one month, at one difference.';
comment on column books.waivers.period is 'Month for which it is accepted, YYYY-MM.';
comment on column books.waivers.difference is 'Difference that was accepted, in units; another difference is not covered.';
comment on column books.waivers.prepared_by is 'Who proposed it.';
comment on column books.waivers.reason is 'Reason given.';
comment on column books.waivers.approved_at is 'When it was approved.';

-- The waiver of each break for the month of its last comparison, if it covers the present difference.
create view books_internal.standing_waivers as
select b.entity_id, b.break_id, w.period, w.by_name as prepared_by, w.reason, w.at as approved_at
from reconcile.breaks b
join books_internal.last_compared c using (entity_id)
join run.entities n using (entity_id)
cross join lateral (
  select * from decide.waivers k
  where (k.entity_id, k.break_id) = (b.entity_id, b.break_id) and k.difference is not distinct from b.difference
    and k.period = to_char(c.compared_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM')
  order by k.at desc
  limit 1
) as w;

-- The newest price of each currency in which an entity has unresolved breaks, once for all of them. The groups are exactly the
-- columns by which books.breaks joins them, so Postgres drops join and prices from a statement that uses no value. Sorted by
-- price, so a nested loop reads the sorted rows again and does not compute the prices again.
create view books_internal.break_prices as
select b.entity_id, b.currency, books_internal.price_of(b.entity_id, b.currency, min(n.currency), 'infinity') as price
from reconcile.breaks b
left join run.entities n using (entity_id)
where b.resolved_at is null
group by b.entity_id, b.currency
order by price;

create view books.breaks as
select b.break_id, b.entity_id, b.check_name, b.subject, b.account, b.currency, b.reported, b.booked, b.difference,
  case when b.status <> 'resolved' and w.period is not null then 'waived' when b.status <> 'waived' then b.status
    when b.explanation is not null then 'explained' when b.assigned_to is not null then 'assigned' else 'open' end as status, -- only a waiver waives
  b.reason, b.opened_at, b.resolved_at, b.run_id, coalesce(b.diverged_at, b.since) as since, worth.value, aged.age_days,
  (select s.severity from books_internal.severity_of(worth.value, aged.age_days) s) as severity,
  (select d.due_at from books_internal.due_at(b.since, worth.value) d) as due_at, b.assigned_to,
  b.explanation, b.explained_by, array_to_string(b.explained_records, '; ') as explained_records, b.resolved_by, b.tied_run_id,
  b.since as found_at, b.diverged_after, (
    select max(k.period) from decide.waivers k
    where (k.entity_id, k.break_id) = (b.entity_id, b.break_id) and k.difference is not distinct from b.difference
  ) as waived_through, b.reason_parts
from reconcile.breaks b
left join books_internal.standing_waivers w using (entity_id, break_id)
left join books_internal.break_prices newest on (newest.entity_id, newest.currency) = (b.entity_id, b.currency)
-- A resolved break keeps the price of the instant at which it was resolved. Only columns of the break are used outside the subquery: by
-- their number Postgres expects few different ones, and remembers the price of each currency and run.
cross join lateral (
  select case when b.resolved_at is not null then books_internal.price_of(b.entity_id, b.currency,
    (select own.currency from run.entities own where own.entity_id = b.entity_id), b.resolved_at) end as price
  offset 0
) as past
cross join lateral (
  select books_internal.days_between(coalesce(b.diverged_at, b.since), coalesce(b.resolved_at, now())) as age_days offset 0
) as aged
cross join lateral ( -- without offset 0, which would keep the prices in every statement
  select trim_scale(round(abs(b.difference) * case when b.resolved_at is null then newest.price else past.price end, 18)) as value
) as worth;
comment on view books.breaks is
  'One row per difference that finance must look at; breaks are never deleted.';
comment on column books.breaks.break_id is 'Break.';
comment on column books.breaks.check_name is 'Check that found it: the name of its file in sql/checks.';
comment on column books.breaks.subject is 'What it is about: an account and currency, or a record.';
comment on column books.breaks.account is 'Account concerned; null if the break is about a record.';
comment on column books.breaks.currency is 'Currency concerned; null if the break has no amount.';
comment on column books.breaks.reported is 'The gateway''s figure, in units; null if there is none.';
comment on column books.breaks.booked is 'The ledger''s figure, in units; null if there is none.';
comment on column books.breaks.status is 'open, assigned, explained, waived or resolved. Waived while a waiver covers the month of the last comparison.';
comment on column books.breaks.reason is 'What differs, in words.';
comment on column books.breaks.opened_at is 'When the break was first found.';
comment on column books.breaks.resolved_at is 'When it was resolved; null if it stands.';
comment on column books.breaks.run_id is 'Last run that saw it.';
comment on column books.breaks.since is 'When books and gateway diverged, by effective date; its age counts from here.';
comment on column books.breaks.value is 'Value of the difference in the reporting currency, at the newest price; without a sign. Null without a price.';
comment on column books.breaks.age_days is 'Whole days since it began, until now or until it was resolved.';
comment on column books.breaks.severity is 'Severity by value and age (books.severities).';
comment on column books.breaks.due_at is 'When it is due, by its value.';
comment on column books.breaks.assigned_to is 'Who works on it; null if nobody does.';
comment on column books.breaks.explanation is 'Explanation given; null if none.';
comment on column books.breaks.explained_by is 'Who explained it; null if nobody did.';
comment on column books.breaks.explained_records is 'Records that explain it, separated by semicolons; null if none.';
comment on column books.breaks.resolved_by is 'Who resolved it; null if a run found it tied.';
comment on column books.breaks.tied_run_id is 'Run that found it tied; null if no comparison has confirmed the resolution.';
comment on column books.breaks.found_at is 'Run that found it, or found it again after a tie; it is due from here.';
comment on column books.breaks.diverged_after is 'Last instant at which they still agreed; null if nothing shows it.';
comment on column books.breaks.waived_through is 'Last month for which this difference was ever waived; null if never.';
comment on column books.breaks.reason_parts is
  'The reason in parts, as JSON: its kind, and the records, amounts and names in it, all text; the report page writes it in each language. Null if the reason is only words.';

create view books.break_events as
select entity_id, break_id, event_id, at as changed_at, run_id, by_name as changed_by, status, difference, reason
from reconcile.break_events;
comment on view books.break_events is
  'One row per change of a break; rows are added, never changed.';
comment on column books.break_events.event_id is 'Event.';
comment on column books.break_events.changed_at is 'When it happened.';
comment on column books.break_events.run_id is 'Run in which it happened; the command of a person is a run too.';
comment on column books.break_events.changed_by is 'Who did it; null if a run did.';
comment on column books.break_events.status is 'Status after the event.';
comment on column books.break_events.difference is 'Difference at the time, in units.';
comment on column books.break_events.reason is 'What changed, or the reason given.';

create view books.break_candidates as
select c.entity_id, c.break_id, c.rank, c.kind, c.confidence, c.sentence, c.records, c.proof, c.run_id
from reconcile.candidates c
where not exists (
  select from reconcile.candidates later
  where (later.entity_id, later.break_id) = (c.entity_id, c.break_id) and later.reading > c.reading
);
comment on view books.break_candidates is
  'One row per possible cause of a break, the likeliest first.';
comment on column books.break_candidates.rank is '1 for the likeliest.';
comment on column books.break_candidates.kind is 'Kind of cause.';
comment on column books.break_candidates.confidence is 'How likely it is, from 0 to 1.';
comment on column books.break_candidates.sentence is 'The cause in one sentence.';
comment on column books.break_candidates.records is 'Records that the cause rests on.';
comment on column books.break_candidates.proof is 'The arithmetic behind it.';
comment on column books.break_candidates.run_id is 'Run that found it.';
