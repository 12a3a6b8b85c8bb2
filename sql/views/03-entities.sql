-- Entities, their profiles and their fiscal years.
-- For: whoever asks which books exist.
--   psql -f sql/views/03-entities.sql

create view books.entities as
select entity_id, name, subaccount_id, timezone, currency, first_seen_at,
  case when timezone is not null then fiscal_year_start::integer end as fiscal_year_start, platform_class
from run.entities;
comment on view books.entities is
  'One row per entity (one set of books).';
comment on column books.entities.name is 'Display name.';
comment on column books.entities.subaccount_id is 'The gateway''s id of the subaccount; null for the main account.';
comment on column books.entities.timezone is 'IANA timezone that cuts the periods; null until the first entry fixes it.';
comment on column books.entities.currency is 'Reporting currency; null until the first entry fixes it.';
comment on column books.entities.first_seen_at is 'When tieout first read this entity.';
comment on column books.entities.fiscal_year_start is 'Month in which fiscal years begin, 1 to 12; null until the first entry fixes it.';
comment on column books.entities.platform_class is 'The platform''s own word for another of its users (GATEWAY_PLATFORM_CLASS) by which records are booked; null until the first of them.';

-- How the gateway names the user behind each entity.
create view books_internal.gateway_users as
select entity_id, gateway_user_id, subaccount_id from run.entities;

-- The pockets ever listed for each entity, by id alone.
create view books_internal.pockets as
select entity_id, pocket_id from land.pockets;

-- The pockets ever listed for each entity, a row for each currency that one has had. listed_in: the request whose list had it first.
-- absent_until: the last list before that, 0 if there was none. named_after, named_until: the lists between which it had this currency, the
-- last one with another before and the last one with this, null if it still has it. In the order of requests: the clock of the gateway
-- dates a list.
create view books_internal.listed_pockets as
select p.entity_id, p.pocket_id, coin.currency, p.first_listed_at, first_list.request_id as listed_in,
  coalesce(last_list.request_id, 0) as absent_until, coalesce(coin.named_after, last_list.request_id, 0) as named_after, coin.named_until
from land.pockets p
cross join lateral (
  select min(s.request_id) as request_id
  from land.snapshots s join land.balances b using (entity_id, request_id)
  where (s.entity_id, s.product, s.taken_at, b.item_id) = (p.entity_id, 'pocket', p.first_listed_at, p.pocket_id)
) as first_list
cross join lateral (
  select max(s.request_id) as request_id from land.snapshots s
  where (s.entity_id, s.product) = (p.entity_id, 'pocket') and s.request_id < first_list.request_id
) as last_list
cross join lateral (
  select exists (
    select from land.balances b join land.snapshots s using (entity_id, request_id)
    where (b.entity_id, b.item_id, s.product) = (p.entity_id, p.pocket_id, 'pocket') and b.currency <> ''
      and (b.currency < p.currency or b.currency > p.currency) -- two ends of the index: its own name has a row for every list
  ) as is_renamed
) as name
cross join lateral (
  select p.currency, null::bigint as named_after, null::bigint as named_until where not name.is_renamed
  union all
  select run.currency, run.named_after, lead(run.named_after) over (order by run.request_id)
  from ( -- only of a pocket that was renamed: all its lists are read
    select b.currency, s.request_id, lag(s.request_id) over by_list as named_after, lag(b.currency) over by_list as last_currency
    from land.snapshots s join land.balances b using (entity_id, request_id)
    where (s.entity_id, s.product, b.item_id) = (p.entity_id, 'pocket', p.pocket_id) and b.currency <> '' and name.is_renamed
    window by_list as (order by s.request_id)
  ) as run
  where run.currency is distinct from run.last_currency
) as coin;

-- The profile of each entity with books, as in force. Omitted fields are null, except the taxpayer (the
-- entity itself), the owner (own) and the cost method (fifo). Timezone, currency and the first month of fiscal years are those
-- of the first entry, once there is one. The books of clients never enter our own totals.
create view books.profiles as
select n.entity_id, n.name, p.legal_name, p.tax_id, coalesce(p.taxpayer, n.entity_id) as taxpayer, coalesce(p.owner, 'own') as owner,
  coalesce(n.currency, p.currency) as currency, coalesce(n.timezone, p.timezone) as timezone,
  coalesce(p.cost_method, 'fifo') as cost_method, p.version, p.by_name as set_by, p.at as set_at,
  coalesce(n.fiscal_year_start, p.fiscal_year_start) as fiscal_year_start, p.lot_rules, p.residence
from books.entities n
left join lateral (
  select * from decide.profiles v where v.entity_id = n.entity_id order by v.version desc limit 1
) as p on true;
comment on view books.profiles is
  'One row per entity: the profile in force, as people last set it, with the defaults for what nobody set.';
comment on column books.profiles.name is 'Display name.';
comment on column books.profiles.legal_name is 'Legal name of the owner; null if not set.';
comment on column books.profiles.tax_id is 'Tax identification number of the owner; null if not set.';
comment on column books.profiles.taxpayer is 'Who is taxed; entities with the same taxpayer share their lots. Default: the entity itself.';
comment on column books.profiles.owner is 'own (default) or client: whose books these are. Clients'' books never enter our own totals.';
comment on column books.profiles.currency is 'Reporting currency; null if neither set nor fixed by an entry.';
comment on column books.profiles.timezone is 'IANA timezone that cuts the periods; null if neither set nor fixed by an entry.';
comment on column books.profiles.cost_method is 'Cost method for disposals: fifo (default), average, hifo or specific.';
comment on column books.profiles.residence is 'Country of tax residence of the owner, by its two letters (ISO 3166-1); null if not set.';
comment on column books.profiles.lot_rules is 'Rules for lots that differ from their defaults, such as swap-fee:cost; null if none does.';
comment on column books.profiles.version is 'Version of the profile, from 1; null if nobody set one.';
comment on column books.profiles.set_by is 'Who set this version; null if nobody did.';
comment on column books.profiles.set_at is 'When this version was set; null if nobody did.';
comment on column books.profiles.fiscal_year_start is 'Month in which fiscal years begin, 1 to 12; null means January.';

-- Whether a report covers an entity: `chosen` holds entity ids separated by commas; '' means all.
create function books_internal.is_chosen(entity text, chosen text) returns boolean language sql immutable parallel safe
return chosen = '' or entity = any (string_to_array(chosen, ','));

-- The subaccounts in the gateway's last list, by the account of the key. is_read: some of its records are landed.
create view books_internal.subaccounts as
select l.entity_id as main_entity_id, listed.subaccount_id as entity_id, l.listed_at,
  exists (select from land.coverage c where c.entity_id = listed.subaccount_id) as is_read
from run.listings l
cross join lateral unnest(l.subaccounts) as listed (subaccount_id)
where not exists (
  select from run.listings later where later.entity_id = l.entity_id and later.listing_id > l.listing_id
);

-- The entities that should have been read: the main account and the subaccounts in the gateway's last list, or all if there is no list.
create view books_internal.listed_entities as
select entity_id
from run.entities
where subaccount_id is null or not exists (select from run.listings)
  or subaccount_id in (select s.entity_id from books_internal.subaccounts s);

-- The first instant at which clocks in a timezone show a local time. Midnight of 1 November 2026 occurs twice in Havana: Postgres takes the
-- second, but the hour before it belongs to that day, and so to November. A midnight that is skipped is the instant of the change.
create function books_internal.local_start(local timestamp, timezone text) returns timestamptz language sql immutable parallel safe as $$
  select case when earlier.instant at time zone timezone = local then least(earlier.instant, later.instant) else later.instant end
  from (values (local at time zone timezone)) as later (instant)
  cross join lateral (values (case when isfinite(local) then -- by the clocks of the day before
    (local - ((later.instant - interval '1 day') at time zone timezone - (later.instant - interval '1 day') at time zone 'UTC')) at time zone 'UTC'
  end)) as earlier (instant)
$$;

-- The first day of the fiscal year of an instant, as clocks in the books' timezone show it: a year from the first day of a month, January by
-- default. It subtracts and adds whole months, so that no day falls in a month that lacks it.
create function books_internal.fiscal_year_day(at timestamptz, timezone text, first_month integer)
returns timestamp language sql stable parallel safe
return date_trunc('year', date_trunc('month', at at time zone coalesce(timezone, 'UTC')) - make_interval(months => coalesce(first_month, 1) - 1))
  + make_interval(months => coalesce(first_month, 1) - 1);

-- The start of the fiscal year of an instant.
create function books_internal.fiscal_year_start(at timestamptz, timezone text, first_month integer)
returns timestamptz language sql stable parallel safe
return books_internal.local_start(books_internal.fiscal_year_day(at, timezone, first_month), coalesce(timezone, 'UTC'));

-- The fiscal year of a month, by the calendar year in which it begins.
create function books_internal.fiscal_year_of(month text, first_month integer) returns integer language sql immutable parallel safe
return left(month, 4)::integer - (right(month, 2)::integer < coalesce(first_month, 1))::integer;
