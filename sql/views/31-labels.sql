-- Labels: what people call entities, pockets, accounts and counterparties. They change no figure and no id.
-- For: reports and pages, which show the label beside the id or instead of it.
--   psql -f sql/views/31-labels.sql

create view books.labels as
select l.kind, l.id, l.label,
  case l.kind when 'account' then l.id when 'pocket' then 'assets:pocket:' || l.id end as account,
  f.version, f.file_name, f.by_name as imported_by, f.at as imported_at, f.proposal_id
from decide.label_files f
join decide.labels l using (version)
where f.version = (select max(version) from decide.label_files);
comment on view books.labels is
  'One row per label in force: what people call an entity, a pocket, an account or a counterparty.';
comment on column books.labels.kind is 'What the label is for: entity, pocket, account or counterparty.';
comment on column books.labels.id is 'Its id: an entity, a pocket, the path of an account, or the counterparty as reports show it.';
comment on column books.labels.label is 'The label.';
comment on column books.labels.account is 'Account that the label is for; null for an entity or a counterparty.';
comment on column books.labels.version is 'Version of the file of labels.';
comment on column books.labels.imported_by is 'Who imported the file.';
comment on column books.labels.imported_at is 'When the file took effect.';

-- The ids that a label can be for: what the books have, and the counterparties that the rules, the profiles and the address book name.
create view books_internal.labelled_ids as
select 'entity' as kind, entity_id as id from books.entities
union
select 'pocket', lower(pocket_id) from land.pockets
union
select 'pocket', right(account, -length('assets:pocket:')) from ledger.totals where starts_with(account, 'assets:pocket:')
union
select 'account', account from books_internal.booked_pairs
union
select 'counterparty', counterparty from books.counterparty_rules
union
select 'counterparty', coalesce(legal_name, entity_id) from books.profiles
union
select 'counterparty', 'the platform'
union
select 'counterparty', entry.counterparty
from books_internal.address_versions r
cross join lateral (select r.payload::jsonb as j offset 0) as parsed
cross join lateral (
  select coalesce(left(nullif(j ->> 'exchangeName', ''), 200),
    case j ->> 'walletOwnership' when 'own' then 'own wallet' else concat_ws(', ', 'other', j ->> 'personType') end) as counterparty
) as entry;
