-- Who is on the other side of what enters or leaves, and all own entities together.
-- For: tax reports; consolidation.
--   psql -f sql/views/22-counterparties.sql

-- The rules of the last file that say who is on the other side, and those entities whose bank accounts they cannot know,
-- because their books began after the file was handed in.
create view books.counterparty_rules as
select f.version, r.line, r.class, r.address, r.bank_account, r.operation, r.counterparty, r.nature, f.by_name, f.at, f.file_name,
  case when r.bank_account is null then '' else (
    select coalesce(string_agg(k.entity_id, ', ' order by k.entity_id collate "C"), '')
    from run.entities k
    where not exists (
      select from decide.counterparty_accounts a where (a.entity_id, a.version, a.line) = (k.entity_id, r.version, r.line)
    )
  ) end as not_known_to
from decide.counterparty_files f
join decide.counterparty_rules r using (version)
where f.version = (select max(version) from decide.counterparty_files);

-- What lies outside: every posting on equity:external:*, debit positive (money left us), with who is there and of what
-- nature. A move between two of our own entities is known by its pair, then the first rule that holds decides, then the
-- platform is itself; all else is unknown. A reversal is of the nature of what it undoes. address: on a chain alone.
create view books.outside as
select p.entity_id, p.entry_id, p.leg, p.effective_at, p.posted_at, p.period, p.belongs_to, p.kind, p.stream, p.record_id,
  p.account, p.currency, p.amount, coalesce(own.counterparty, ruled.counterparty,
    case when told.class = 'platform' then 'the platform' end) as counterparty,
  coalesce(own.nature, ruled.nature, case when told.class = 'platform' then 'platform' end, 'unknown') as nature,
  case
    when own.nature is not null then 'own transfer: ' || own.grounds
    when ruled.nature is not null then format('version %s, line %s', ruled.version, ruled.line)
    when told.class = 'platform' then 'platform'
  end as rule,
  e.description as operation, case when told.class = 'blockchain' then told.told_address end as address
from books.postings p
join ledger.entries e using (entity_id, entry_id)
left join ledger.entries undone on (undone.entity_id, undone.entry_id) = (e.entity_id, e.reverses)
left join land.records r on (r.entity_id, r.stream, r.record_id, r.version)
  = (e.entity_id, e.stream, e.record_id, coalesce(undone.version, e.version))
cross join lateral (
  select split_part(p.account, ':', 3) as class, side ->> 'address' as told_address, side ->> 'bankAccount' as bank_account,
    case when side ->> 'address' ~* '^0x[0-9a-f]+$' then lower(side ->> 'address') else side ->> 'address' end as address,
    array[j ->> 'type', j ->> 'subtype', j ->> 'method', j ->> 'movementType', j ->> 'serviceOrderName',
      case when e.stream = 'manual' then 'manual' end] as words
  from (select r.payload::jsonb as j offset 0) as parsed
  cross join lateral (
    select j -> case when (p.amount > 0) = (e.reverses is null) then 'destination' else 'origin' end as side
  ) as far
  offset 0
) as told
left join lateral (
  select case when n.owner = 'own' and mine.owner = 'own' then 'own-entity' else 'third-party' end as nature,
    coalesce(n.legal_name, n.entity_id) as counterparty, o.grounds
  from (
    select to_entity as entity_id, grounds, holds from books.own_transfers
    where (from_entity, from_entry_id, currency) = (p.entity_id, coalesce(e.reverses, p.entry_id), p.currency)
    union all
    select from_entity, grounds, holds from books.own_transfers
    where (to_entity, to_entry_id, currency) = (p.entity_id, coalesce(e.reverses, p.entry_id), p.currency)
  ) as o
  join books.profiles n using (entity_id)
  join books.profiles mine on mine.entity_id = p.entity_id
  where told.class = 'person' and o.holds
  limit 1
) as own on true
left join lateral (
  select g.version, g.line, g.counterparty, g.nature
  from decide.counterparty_rules g
  where g.version = (select max(version) from decide.counterparty_files)
    and (g.class is null or g.class = told.class)
    and (g.operation is null or g.operation = any (told.words))
    and (g.address is null or g.address = told.address)
    and (g.bank_account is null or exists (
      select from decide.counterparty_accounts a
      where (a.entity_id, a.version, a.line, a.commitment) = (p.entity_id, g.version, g.line, told.bank_account)
    ))
  order by g.line
  limit 1
) as ruled on true
where p.account like 'equity:external:%';

-- The last tie-out of every account, all of our own entities together (none of a client's), per currency. difference =
-- reported - booked, of what was compared. What was not (nothing was reported, or the account is uncovered) stands apart:
-- what is booked there is not_compared, and so many of them are uncovered. Of what went to people, own_out went from one of
-- our entities to another, where own_in came, so that person_outside is what others have of it.
create view books.consolidated as
with last as (
  select n.entity_id, c.run_id
  from books.profiles n
  join books_internal.last_compared c using (entity_id)
  where n.owner = 'own'
), tied as (
  select t.currency, count(distinct t.entity_id) as entities, min(t.as_of) as as_of,
    sum(t.reported) filter (where is_compared) as reported, sum(t.booked) filter (where is_compared) as booked,
    sum(t.difference) filter (where is_compared) as difference, sum(t.booked) filter (where not is_compared) as not_compared,
    count(*) filter (where t.status = 'uncovered') as uncovered
  from last
  join books.tie_outs t using (entity_id, run_id)
  cross join lateral (select t.reported is not null and t.status <> 'uncovered' as is_compared) as it
  group by t.currency
), person as (
  select b.currency, sum(b.balance) as balance
  from books.balances b
  join books.profiles n using (entity_id)
  where b.account = 'equity:external:person' and n.owner = 'own'
  group by 1
), own as (
  select o.currency, sum(o.amount_out) as amount_out, sum(o.amount_in) as amount_in, count(*) as transfers
  from books.own_transfers o
  join books.profiles f on f.entity_id = o.from_entity
  join books.profiles t on t.entity_id = o.to_entity
  where o.holds and f.owner = 'own' and t.owner = 'own'
  group by 1
)
select currency, coalesce(t.entities, 0) as entities, t.as_of, trim_scale(coalesce(t.reported, 0)) as reported,
  trim_scale(coalesce(t.booked, 0)) as booked, trim_scale(coalesce(t.difference, 0)) as difference,
  trim_scale(coalesce(t.not_compared, 0)) as not_compared, coalesce(o.transfers, 0) as own_transfers,
  trim_scale(coalesce(o.amount_out, 0)) as own_out, trim_scale(coalesce(o.amount_in, 0)) as own_in,
  trim_scale(coalesce(p.balance, 0) - coalesce(o.amount_out, 0) + coalesce(o.amount_in, 0)) as person_outside,
  coalesce(t.uncovered, 0) as uncovered
from tied t
full join person p using (currency)
full join own o using (currency);
