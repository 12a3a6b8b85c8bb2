-- The counterparty of what enters or leaves, and all own entities together.
-- For: tax reports; consolidation.
--   psql -f sql/views/23-counterparties.sql

create view books.counterparty_rules as
select f.version, r.line, r.class, r.address, r.bank_account, r.operation, r.counterparty, r.counterparty_type, f.by_name as imported_by,
  f.at as imported_at, f.file_name,
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
comment on view books.counterparty_rules is
  'One row per rule in force that names the counterparty of external postings.';
comment on column books.counterparty_rules.version is 'Version of the file of rules.';
comment on column books.counterparty_rules.line is 'Line of the file; the first rule that matches decides.';
comment on column books.counterparty_rules.class is 'Class of account it matches: bank, blockchain, card, person or platform; null matches all.';
comment on column books.counterparty_rules.address is 'Blockchain address it matches; null matches all.';
comment on column books.counterparty_rules.bank_account is 'Bank account it matches, masked; null matches all.';
comment on column books.counterparty_rules.operation is 'Word of the record it matches; null matches all.';
comment on column books.counterparty_rules.counterparty is 'Name of the counterparty.';
comment on column books.counterparty_rules.counterparty_type is 'Counterparty type: own, own-entity, third-party or platform.';
comment on column books.counterparty_rules.imported_by is 'Who imported the file.';
comment on column books.counterparty_rules.imported_at is 'When the file was imported.';
comment on column books.counterparty_rules.not_known_to is 'Entities whose bank accounts the rule cannot match, because their books began later; empty if none.';

-- Whose wallet an address is, by the entity's address book: verified entries only, each in the version that was in force at an
-- instant, or in its first if it is younger. A version counts from its updatedAt, and without one from when it was received.
-- An exchange's address belongs to the owner of its tag, so the tags must agree. Without names of persons.
create function books_internal.declared_owner(entity text, address text, network text, tag text, currency text, instant timestamptz)
returns table (record_id text, counterparty text, counterparty_type text)
language sql stable parallel safe as $$
  select entry.record_id, coalesce(left(nullif(j ->> 'exchangeName', ''), 200),
      case j ->> 'walletOwnership' when 'own' then 'own wallet' else concat_ws(', ', 'other', j ->> 'personType') end),
    case j ->> 'walletOwnership' when 'own' then 'own' else 'third-party' end
  from (
    select distinct on (r.record_id) r.record_id, j, since
    from books_internal.address_versions r
    cross join lateral (select r.payload::jsonb as j offset 0) as parsed
    cross join lateral (
      select coalesce(books_internal.instant_of(j ->> 'updatedAt'), case when r.version > 1 then r.landed_at end, '-infinity') as since
    ) as version
    where r.entity_id = declared_owner.entity
      and r.address_hash = md5(lower(declared_owner.address))
      and books_internal.address_key(j ->> 'address') = books_internal.address_key(declared_owner.address)
      and coalesce(j ->> 'tag', '') = coalesce(declared_owner.tag, '') and j ->> 'currency' = declared_owner.currency
      and lower(coalesce(j ->> 'network', declared_owner.network)) is not distinct from lower(coalesce(declared_owner.network, j ->> 'network'))
      and j ->> 'status' <> 'validating'
    order by r.record_id, since <= instant desc, case when since <= instant then since end desc, since, r.version desc
  ) as entry
  where j ->> 'status' = 'verified' and j ->> 'walletOwnership' in ('own', 'other')
  order by since <= instant desc, case when since <= instant then since end desc, since, entry.record_id
  limit 1
$$;

-- The addresses on either side of wallet transactions, hashed as their indexes have them.
create view books_internal.transaction_addresses as
select entity_id, record_id, md5(lower(payload::jsonb #>> '{destination,address}')) as address_hash
from land.records where stream = 'wallet-transactions' and payload like '%"address":%'
union all
select entity_id, record_id, md5(lower(payload::jsonb #>> '{origin,address}'))
from land.records where stream = 'wallet-transactions' and payload like '%"address":%';

-- The entries that versions of an entity's address book received after a request may name: those of its wallet transactions with an
-- address that the entry of the book has or had.
create function books_internal.named_by_book(entity text, after_request bigint)
returns table (entity_id text, entry_id uuid, period text, effective_at timestamptz)
language sql stable parallel safe as $$
  with sought as materialized (
    select distinct a.address_hash
    from (
      select distinct v.record_id from books_internal.address_versions v where v.entity_id = named_by_book.entity and v.request_id > after_request and v.request_id > 0
    ) as fresh
    join books_internal.address_versions a on (a.entity_id, a.record_id) = (named_by_book.entity, fresh.record_id)
  )
  select e.entity_id, e.entry_id, e.period, e.effective_at
  from (
    select distinct found.record_id
    from sought
    cross join lateral (
      select t.record_id from books_internal.transaction_addresses t where (t.entity_id, t.address_hash) = (named_by_book.entity, sought.address_hash)
      offset 0
    ) as found
  ) as transaction
  join books.entries e on (e.entity_id, e.stream, e.record_id) = (named_by_book.entity, 'wallet-transactions', transaction.record_id)
$$;

create view books.outside as
select p.entity_id, p.entry_id, p.leg, p.effective_at, p.posted_at, p.period, p.original_period, p.kind, p.stream, p.record_id,
  p.account, p.currency, p.amount, coalesce(own.counterparty, ruled.counterparty, book.counterparty,
    case when far_side.class = 'platform' then 'the platform' end) as counterparty,
  coalesce(own.counterparty_type, ruled.counterparty_type, book.counterparty_type, case when far_side.class = 'platform' then 'platform' end, 'unknown') as counterparty_type,
  case
    when own.counterparty_type is not null then 'own transfer: ' || own.grounds
    when ruled.counterparty_type is not null then format('version %s, line %s', ruled.version, ruled.line)
    when book.counterparty_type is not null then 'address book: ' || book.record_id
    when far_side.class = 'platform' then 'platform'
  end as rule,
  e.description as operation, case when far_side.class = 'blockchain' then far_side.address_received end as address
from books.postings p
join ledger.entries e using (entity_id, entry_id)
left join ledger.entries undone on (undone.entity_id, undone.entry_id)
  = (e.entity_id, case when coalesce(e.reverses, e.undoes) is not null then books_internal.stands_for(e.entity_id, e.entry_id) end)
cross join lateral (
  select split_part(p.account, ':', 3) as class, side ->> 'address' as address_received, side ->> 'bankAccount' as bank_account,
    books_internal.address_key(side ->> 'address') as address,
    coalesce(side ->> 'addressNetwork', side ->> 'network') as network, side ->> 'addressTag' as tag,
    array[j ->> 'type', j ->> 'subtype', j ->> 'method', j ->> 'movementType', j ->> 'serviceOrderName',
      case when e.stream = 'manual' then 'manual' end] as words
  from ( -- the record is read only where something in it can decide: an address, or what a rule asks for
    select case when p.account = 'equity:external:blockchain' or exists (select from decide.counterparty_rules) then (
      select r.payload::jsonb from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (e.entity_id, e.stream, e.record_id, coalesce(undone.version, e.version))
    ) end as j
    offset 0
  ) as parsed
  cross join lateral (
    select j -> case when (p.amount > 0) = (e.reverses is null) then 'destination' else 'origin' end as side
  ) as far
  offset 0
) as far_side
left join lateral (
  select case when n.entity_id = p.entity_id then 'own' when n.owner = 'own' and mine.owner = 'own' then 'own-entity' else 'third-party' end as counterparty_type,
    coalesce(n.legal_name, n.entity_id) as counterparty, o.grounds
  from (
    select t.entity_id, t.grounds from books_internal.transfers_of(p.entity_id, coalesce(undone.entry_id, p.entry_id)) t
    where t.currency = p.currency and (t.is_sent or t.is_received)
    union all
    select case p.entity_id when from_entity then to_entity else from_entity end, grounds
    from books_internal.transfer_fees_of(p.entity_id, coalesce(undone.entry_id, p.entry_id))
    where e.stream = 'manual' and currency = p.currency
  ) as o
  join books.profiles n using (entity_id)
  join books.profiles mine on mine.entity_id = p.entity_id
  where far_side.class in ('person', 'blockchain')
  limit 1
) as own on true
left join lateral (
  select g.version, g.line, g.counterparty, g.counterparty_type
  from decide.counterparty_rules g
  where g.version = (select max(version) from decide.counterparty_files)
    and (g.class is null or g.class = far_side.class)
    and (g.operation is null or g.operation = any (far_side.words))
    and (g.address is null or g.address = far_side.address)
    and (g.bank_account is null or exists (
      select from decide.counterparty_accounts a
      where (a.entity_id, a.version, a.line, a.commitment) = (p.entity_id, g.version, g.line, far_side.bank_account)
    ))
  order by g.line
  limit 1
) as ruled on true
left join lateral (
  select d.* from books_internal.declared_owner(p.entity_id, far_side.address, far_side.network, far_side.tag, p.currency,
    coalesce(undone.effective_at, e.effective_at)) d
  where far_side.class = 'blockchain' and far_side.address <> '' and ruled.counterparty_type is null
  offset 0 -- so that the address book is searched only for these
) as book on true
where p.account like 'equity:external:%';
comment on view books.outside is
  'One row per posting on an equity:external account: what entered or left the platform, with its counterparty.';
comment on column books.outside.amount is 'Amount in units of the currency; positive if it left us, negative if it came in.';
comment on column books.outside.counterparty is 'Name of the counterparty; null if not known.';
comment on column books.outside.counterparty_type is 'Counterparty type: own, own-entity, third-party, platform or unknown. A reversal has the type of what it reverses.';
comment on column books.outside.rule is 'What decided the type: the pair, the line of the rules, the entry of the address book, or platform; null if nothing did.';
comment on column books.outside.operation is 'Description of the entry.';
comment on column books.outside.address is 'Blockchain address on the other side; null unless on a chain.';

create view books.consolidated as
with last as (
  select n.entity_id, c.run_id
  from books.profiles n
  left join books_internal.last_compared c using (entity_id)
  where n.owner = 'own'
), balance as (
  select t.entity_id, t.currency, t.as_of, t.reported, t.booked, t.difference, t.status,
    t.reported is not null and t.status <> 'uncovered' as is_compared, true as is_tie_out
  from last
  join books.tie_outs t using (entity_id, run_id)
  union all
  select b.entity_id, b.currency, null, null, b.balance, null, null, false, false
  from last
  join books.balances b using (entity_id)
  where last.run_id is null and books_internal.is_holding(b.account)
), tied as (
  select currency, count(distinct entity_id) filter (where is_tie_out) as entities, min(as_of) as as_of,
    sum(reported) filter (where is_compared) as reported, sum(booked) filter (where is_compared) as booked,
    sum(difference) filter (where is_compared) as difference, sum(booked) filter (where not is_compared) as not_compared,
    count(*) filter (where status = 'uncovered') as uncovered
  from balance
  group by currency
), person as (
  select b.currency, sum(b.balance) as balance
  from books.balances b
  join books.profiles n using (entity_id)
  where b.account = 'equity:external:person' and n.owner = 'own'
  group by 1
), own as (
  select o.currency, sum(o.amount_out) as amount_out, sum(o.amount_in) as amount_in, count(*) as transfers,
    sum(o.amount_out - o.amount_in - case when o.amount_in < o.amount_out
      then books_internal.fee_entered(o.from_entity, o.from_entry_id, o.currency) else 0 end)
      filter (where o.grounds not in ('address', 'hash', 'address and hash')) as person
  from books.own_transfers o
  join books.profiles f on f.entity_id = o.from_entity
  join books.profiles t on t.entity_id = o.to_entity
  where o.stands and o.from_entity <> o.to_entity and f.owner = 'own' and t.owner = 'own'
  group by 1
)
select currency, coalesce(t.entities, 0) as entities, t.as_of, trim_scale(coalesce(t.reported, 0)) as reported,
  trim_scale(coalesce(t.booked, 0)) as booked, trim_scale(coalesce(t.difference, 0)) as difference,
  trim_scale(coalesce(t.not_compared, 0)) as not_compared, coalesce(o.transfers, 0) as own_transfers,
  trim_scale(coalesce(o.amount_out, 0)) as own_out, trim_scale(coalesce(o.amount_in, 0)) as own_in,
  trim_scale(coalesce(p.balance, 0) - coalesce(o.person, 0)) as person_outside,
  coalesce(t.uncovered, 0) as uncovered
from tied t
full join person p using (currency)
full join own o using (currency);
comment on view books.consolidated is
  'One row per currency: the last tie-outs of all our own entities together, and what those without any have booked; clients'' books are left out.';
comment on column books.consolidated.entities is 'Number of entities compared.';
comment on column books.consolidated.as_of is 'Earliest instant of those comparisons.';
comment on column books.consolidated.reported is 'Sum of the reported balances that were compared, in units.';
comment on column books.consolidated.booked is 'Sum of the booked balances that were compared, in units.';
comment on column books.consolidated.not_compared is 'Sum booked where nothing was reported, the account is uncovered, or the entity was never compared, in units.';
comment on column books.consolidated.own_transfers is 'Number of transfers between our own entities.';
comment on column books.consolidated.own_out is 'Units that those transfers sent.';
comment on column books.consolidated.own_in is 'Units that those transfers received.';
comment on column books.consolidated.person_outside is 'Units with people outside our own entities: equity:external:person without own transfers.';
comment on column books.consolidated.uncovered is 'Number of uncovered accounts.';
