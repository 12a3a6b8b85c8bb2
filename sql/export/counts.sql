-- Counts: a mark of each kind of row that reports show whatever the month, or that people decide: another number of rows, or other
-- content where rows can change, is another mark.
-- For: the nightly, which writes a month again only if something that it shows changed. Ties to: news, for what has a date. These
-- tables hold what people wrote, so they stay small.
--   psql -f sql/export/counts.sql
select 'entities' as kind, md5(concat((
    select string_agg(to_jsonb(n)::text, ',' order by n.entity_id collate "C") from books.entities n
  ), (
    select string_agg(concat_ws(' ', s.main_entity_id, s.entity_id, s.is_read), ',' order by s.main_entity_id collate "C", s.entity_id collate "C")
    from books_internal.subaccounts s
  ), (select count(distinct entity_id) from run.listings))) as mark
union all
select 'names', concat_ws(' ', (select concat_ws(' ', count(*), max(position)) from land.pockets), ( -- whose a pocket or a user is, and whose list of pockets was read
    select concat_ws(' ', count(n.gateway_user_id), count(n.subaccount_id), count(*) filter (
      where exists (select from land.snapshots s where s.entity_id = n.entity_id and s.product = 'pocket')
    )) from run.entities n
  ))
union all
select 'profiles', concat_ws(' ', count(*), max(position)) from decide.profiles
union all
select 'counterparties', concat_ws(' ', (select concat_ws(' ', count(*), max(position)) from decide.counterparty_rules),
  (select concat_ws(' ', count(*), max(position)) from decide.counterparty_accounts))
union all
select 'chart', concat_ws(' ', (select concat_ws(' ', count(*), max(position)) from decide.charts),
  (select md5(string_agg(a.symbol || ' ' || coalesce(a.class, ''), ',' order by a.symbol collate "C")) from books.assets a))
union all
select 'labels', concat_ws(' ', count(*), max(position)) from decide.labels
union all
select 'rejects', md5(string_agg(concat_ws(' ', r.entity_id, r.stream, r.record_id, r.version, r.reason, r.decision, r.decided_by,
  r.decision_reason), ',' order by r.entity_id collate "C", r.stream collate "C", r.record_id collate "C"))
from books.rejects r
union all
select 'erasures', concat_ws(' ', count(*), max(position)) from land.erasures
union all
select 'cautions', concat_ws(' ', (select concat_ws(' ', count(*), max(position)) from decide.duties),
  (select concat_ws(' ', count(*), max(position)) from decide.value_acceptances))
union all
select 'waivers', concat_ws(' ', count(*), max(waiver_id)) from decide.waivers
union all
select 'severities', md5(string_agg(to_jsonb(s)::text, ',' order by s.rank)) from books.severities s
union all
select 'returns', concat_ws(' ', (select concat_ws(' ', count(*), max(position)) from ledger.returns),
  (select concat_ws(' ', count(*), max(restatement_id)) from ledger.restatements))
union all
select 'official', concat_ws(' ', count(*), max(file_id)) from land.official_files
union all
select 'external', concat_ws(' ', (select concat_ws(' ', count(*), max(position)) from land.external_statements),
  (select concat_ws(' ', count(*), max(position)) from land.external_withdrawals),
  (select concat_ws(' ', count(*), max(position)) from reconcile.external_matches));
