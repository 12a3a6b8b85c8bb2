-- The chart of accounts in force, and the code of every account of the books by it.
-- For: statements; accounting packages; the accountant.
--   psql -f sql/views/30-chart.sql

create view books.charts as
select version, for_entity, chart, from_month, by_name as imported_by, at as imported_at, proposal_id,
  (select count(*) from decide.chart_lines l where l.version = c.version) as lines
from decide.charts c
union all
select 0, null, 'ifrs', '0001-01', null, null, null, (select count(*) from books.chart_templates where template = 'ifrs');
comment on view books.charts is
  'One row per version of a chart of accounts. Version 0 is the chart of the program, until another is approved.';
comment on column books.charts.version is 'Version; the last one that applies to an entity and month is in force.';
comment on column books.charts.for_entity is 'The only entity that it applies to; null for all entities without a chart of their own.';
comment on column books.charts.chart is 'Name: a template of the program or the imported file.';
comment on column books.charts.from_month is 'First month in which it applies; it begins a fiscal year.';
comment on column books.charts.imported_by is 'Who prepared it; null for the chart of the program.';
comment on column books.charts.imported_at is 'When it took effect; null for the chart of the program.';
comment on column books.charts.lines is 'Number of its lines.';

create view books.chart_lines as
select version, line, account, class, currency, code, name_en, name_es, name_de, statement, statement_class
from decide.chart_lines
union all
select 0, line, account, class, currency, code, name_en, name_es, name_de, statement, statement_class
from books.chart_templates
where template = 'ifrs';
comment on view books.chart_lines is
  'One row per line of each version of a chart of accounts. The first line that matches an account decides.';
comment on column books.chart_lines.currency is 'Currency that the line matches; empty matches all.';

-- The class of each currency: what the chart's file of classes says, the gateway's list of assets, otherwise its code.
create view books_internal.asset_classes as
select symbol as currency, null::integer as version, class from books.assets where class is not null
union all
select currency, version, class from decide.chart_classes;

-- The version of the chart that applies to an entity's reports up to an instant.
create function books_internal.chart_version(entity text, month text) returns integer language sql stable parallel safe
return (
  select c.version from books.charts c
  where (c.for_entity is null or c.for_entity = chart_version.entity) and c.from_month <= chart_version.month
  order by c.for_entity is null, c.version desc
  limit 1
);

-- Every account and currency with postings, in units or in value, and the account that carries the results of earlier years.
create view books_internal.booked_pairs as
select distinct pair.entity_id, place.account, pair.currency
from (
  select entity_id, account, currency from ledger.totals
  union
  select entity_id, account, currency from value.monthly
) as pair
cross join lateral (
  select pair.account
  union all
  select 'equity:retained-earnings' where books_internal.is_of_year(pair.account)
) as place (account);

create function books.chart_of_accounts_at(as_of timestamptz)
returns table (entity_id text, account text, currency text, asset_class text, version integer, line integer, code text, name_en text,
  name_es text, name_de text, statement text, statement_class text)
language sql stable as $$
  with version as materialized (
    select n.entity_id, books_internal.chart_version(n.entity_id, case when chart_of_accounts_at.as_of < 'infinity' then
      to_char((chart_of_accounts_at.as_of - interval '1 microsecond') at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM')
      else '9999-12' end) as version
    from books.entities n
  ), listed as materialized (
    select * from books_internal.asset_classes
  ), classed as (
    select p.*, v.version, coalesce(corrected.class, case when books_internal.is_fiat(p.currency) then 'fiat' end,
      case when books_internal.is_e_money_token(p.currency) then 'e-money token' end, known.class, 'coin') as asset_class
    from books_internal.booked_pairs p
    join version v using (entity_id)
    left join listed corrected on (corrected.currency, corrected.version) = (p.currency, v.version)
    left join listed known on known.currency = p.currency and known.version is null
  ), charted as materialized (
    select l.*, case when right(l.account, 1) = '*' then left(l.account, -1) end as prefix
    from books.chart_lines l
    where l.version in (select v.version from version v)
  )
  select c.entity_id, c.account, c.currency, c.asset_class, c.version, l.line, l.code, l.name_en, l.name_es, l.name_de, l.statement,
    l.statement_class
  from classed c
  left join lateral (
    select l.* from charted l
    where l.version = c.version and (l.class = '' or l.class = c.asset_class) and (l.currency = '' or l.currency = c.currency)
      and (l.account = c.account or starts_with(c.account, l.prefix))
    order by l.line
    limit 1
  ) as l on true
$$;
comment on function books.chart_of_accounts_at(timestamptz) is
  'The chart of accounts as it applies to reports up to an instant: the columns of books.chart_of_accounts.';

create view books.chart_of_accounts as
select * from books.chart_of_accounts_at('infinity');
comment on view books.chart_of_accounts is
  'One row per entity, account and currency of the books, with its code, names and statement by the newest chart of accounts.';
comment on column books.chart_of_accounts.line is 'Line of the chart that decides; null if none matches.';

do $$
declare
  found record;
begin
  for found in
    select view, name, comment
    from (values ('chart_templates'), ('chart_lines'), ('chart_of_accounts')) as place (view)
    cross join (values
      ('version', 'Version of the chart (books.charts).'),
      ('line', 'Line of the chart; the first line that matches decides.'),
      ('asset_class', 'fiat, e-money token, coin or testnet: by the chart''s file of classes, the gateway''s list of assets, otherwise the code.'),
      ('class', 'Asset class that the line matches: fiat, e-money token, coin or testnet; empty matches all.'),
      ('code', 'Account code.'),
      ('name_en', 'Account name in English.'),
      ('name_es', 'Account name in Spanish.'),
      ('name_de', 'Account name in German.'),
      ('statement', 'balance sheet or income statement.'),
      ('statement_class', 'Line of the statement. What lies outside the platform is technical, not equity.')
    ) as common (name, comment)
    join information_schema.columns c on (c.table_schema, c.table_name, c.column_name) = ('books', view, name)
    where not (view = 'chart_of_accounts' and name = 'line')
  loop
    execute format('comment on column books.%I.%I is %L', found.view, found.name, found.comment);
  end loop;
end $$;
