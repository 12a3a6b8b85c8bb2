-- Proof of decisions that book no entry: each row that names an approved proposal holds what it proposed, once, and every row
-- that it proposed is there. A policy lets the approver add rows for an approved proposal, but cannot tell which; what reads
-- them believes them.
-- For: verify ledger. Ties to: books.proposals, books.waivers, books.counterparty_rules, books.chart_lines, books.labels.
--   psql -f sql/proofs/decisions.sql
with approved as materialized (
  select p.entity_id, p.proposal_id, p.action, p.content::jsonb as c, p.reason, jsonb_build_array(p.prepared_by, a.approved_at) as signed,
    p.evidence_name, p.evidence_sha256
  from decide.proposals p
  join decide.approvals a using (entity_id, proposal_id)
  where a.verdict = 'approved' and p.action not in ('open', 'adjust', 'settle', 'reverse')
), wanted as (
  select entity_id, proposal_id, 'waivers' as place,
    signed || jsonb_build_array(reason, c -> 'break_id', c -> 'period', (c ->> 'difference')::numeric) as content
  from approved where action = 'waive'
  union all
  select entity_id, proposal_id, 'dismissals', signed || jsonb_build_array(reason, c -> 'stream', c -> 'record_id', (c ->> 'version')::numeric)
  from approved where action = 'dismiss'
  union all
  select entity_id, proposal_id, 'budgets', signed || jsonb_build_array(reason, (c ->> 'base')::numeric + 1, (c ->> 'ceiling')::numeric)
  from approved where action = 'budget'
  union all
  select entity_id, proposal_id, 'value_acceptances', signed || jsonb_build_array(reason, c -> 'period', (c ->> 'findings_max')::numeric)
  from approved where action = 'accept'
  union all -- a line of a file that was imported before adds no lot
  select entity_id, proposal_id, 'external_lots', signed || jsonb_build_array(reason, evidence_name, evidence_sha256, c -> 'file_name',
    c -> 'file_sha256', lot ->> 0, (lot ->> 1)::numeric, (lot ->> 2)::numeric, lot ->> 3, lot ->> 4, (lot ->> 5)::numeric)
  from approved a
  cross join lateral jsonb_array_elements(c -> 'lots') as lot
  where action = 'lots' and not exists (
    select from decide.external_lots l
    where (l.entity_id, l.file_sha256, l.line) = (a.entity_id, c ->> 'file_sha256', (lot ->> 5)::numeric)
      and l.proposal_id is distinct from a.proposal_id
  )
  union all
  select entity_id, proposal_id, 'lot_choices', signed || jsonb_build_array(reason, c -> 'file_name', c -> 'file_sha256', choice ->> 0,
    choice ->> 1, choice ->> 2, choice ->> 3, (choice ->> 4)::numeric, (choice ->> 5)::numeric)
  from approved cross join lateral jsonb_array_elements(c -> 'choices') as choice where action = 'choose'
  union all
  select entity_id, proposal_id, 'profiles', signed || jsonb_build_array(w -> 'entity', (w ->> 'base')::numeric + 1, jsonb_strip_nulls(w -> 'profile'))
  from approved cross join lateral jsonb_array_elements(c -> 'wanted') as w where action = 'profiles'
  union all
  select entity_id, proposal_id, 'counterparty_files', signed || jsonb_build_array((c ->> 'base')::numeric + 1, c -> 'file_name')
  from approved where action = 'counterparties'
  union all
  select entity_id, proposal_id, 'counterparty_rules', jsonb_build_array((c ->> 'base')::numeric + 1, jsonb_strip_nulls(rule))
  from approved cross join lateral jsonb_array_elements(c -> 'rules') as rule where action = 'counterparties'
  union all
  select entity_id, proposal_id, 'counterparty_accounts', jsonb_build_array((c ->> 'base')::numeric + 1, account)
  from approved cross join lateral jsonb_array_elements(c -> 'accounts') as account where action = 'counterparties'
  union all
  select entity_id, proposal_id, 'charts', signed || jsonb_build_array((c ->> 'base')::numeric + 1, c -> 'for_entity', c -> 'chart', c -> 'from_month')
  from approved where action = 'chart'
  union all
  select entity_id, proposal_id, 'chart_lines', jsonb_build_array((c ->> 'base')::numeric + 1, nth, line)
  from approved cross join lateral jsonb_array_elements(c -> 'lines') with ordinality as l (line, nth) where action = 'chart'
  union all
  select entity_id, proposal_id, 'chart_classes', jsonb_build_array((c ->> 'base')::numeric + 1, corrected)
  from approved cross join lateral jsonb_array_elements(c -> 'classes') as corrected where action = 'chart'
  union all
  select entity_id, proposal_id, 'label_files', signed || jsonb_build_array((c ->> 'base')::numeric + 1, c -> 'file_name')
  from approved where action = 'labels'
  union all
  select entity_id, proposal_id, 'labels', jsonb_build_array((c ->> 'base')::numeric + 1, label)
  from approved cross join lateral jsonb_array_elements(c -> 'labels') as label where action = 'labels'
  union all
  select entity_id, proposal_id, 'official_files', signed || jsonb_build_array(c -> 'file_name', c -> 'file_sha256')
  from approved where action = 'rates'
  union all -- a day is a line of words: the day, then currency and rate in turn
  select entity_id, proposal_id, 'official_rates', jsonb_build_array(words[1]::date, words[2 * nth], words[2 * nth + 1]::numeric)
  from approved
  cross join lateral jsonb_array_elements_text(c -> 'days') as day
  cross join lateral string_to_array(day, ' ') as words
  cross join lateral generate_series(1, (cardinality(words) - 1) / 2) as nth
  where action = 'rates'
), decided as (
  select entity_id, proposal_id, 'waivers' as place,
    jsonb_build_array(by_name, at, reason, break_id, period, difference) as content
  from decide.waivers
  union all
  select entity_id, proposal_id, 'dismissals', jsonb_build_array(by_name, at, reason, stream, record_id, version) from decide.dismissals
  union all
  select entity_id, proposal_id, 'budgets', jsonb_build_array(by_name, at, reason, version, ceiling) from decide.budgets
  union all
  select entity_id, proposal_id, 'value_acceptances', jsonb_build_array(by_name, at, reason, period, findings_max) from decide.value_acceptances
  union all
  select entity_id, proposal_id, 'external_lots', jsonb_build_array(by_name, at, reason, evidence_name, evidence_sha256, file_name, file_sha256,
    currency, units, cost, cost_currency, acquired_on, line)
  from decide.external_lots
  union all
  select entity_id, proposal_id, 'lot_choices', jsonb_build_array(by_name, at, reason, file_name, file_sha256, stream, record_id, currency, lot_id,
    units, line)
  from decide.lot_choices
  union all
  select proposal_entity, proposal_id, 'profiles', jsonb_build_array(by_name, at, entity_id, version, jsonb_strip_nulls(to_jsonb(p)
    - '{entity_id,version,by_name,at,proposal_entity,proposal_id,position}'::text[] || jsonb_build_object('fiscal_year_start', fiscal_year_start::text)))
  from decide.profiles p
  union all
  select proposal_entity, proposal_id, 'counterparty_files', jsonb_build_array(by_name, at, version, file_name) from decide.counterparty_files
  union all
  select proposal_entity, proposal_id, 'counterparty_rules',
    jsonb_build_array(version, jsonb_strip_nulls(to_jsonb(r) - '{version,position}'::text[] || jsonb_build_object('line', line::text)))
  from decide.counterparty_rules r join decide.counterparty_files using (version)
  union all
  select proposal_entity, proposal_id, 'counterparty_accounts', jsonb_build_array(version, jsonb_build_array(entity_id, line::text, commitment))
  from decide.counterparty_accounts join decide.counterparty_files using (version)
  union all
  select proposal_entity, proposal_id, 'charts', jsonb_build_array(by_name, at, version, for_entity, chart, from_month) from decide.charts
  union all
  select proposal_entity, proposal_id, 'chart_lines', jsonb_build_array(version, line, to_jsonb(l) - '{version,line,position}'::text[])
  from decide.chart_lines l join decide.charts using (version)
  union all
  select proposal_entity, proposal_id, 'chart_classes', jsonb_build_array(version, jsonb_build_object('currency', currency, 'class', class))
  from decide.chart_classes join decide.charts using (version)
  union all
  select proposal_entity, proposal_id, 'label_files', jsonb_build_array(by_name, at, version, file_name) from decide.label_files
  union all
  select proposal_entity, proposal_id, 'labels', jsonb_build_array(version, jsonb_build_object('kind', kind, 'id', id, 'label', label))
  from decide.labels join decide.label_files using (version)
  union all
  select entity_id, proposal_id, 'official_files', jsonb_build_array(by_name, at, name, sha256) from land.official_files
  union all
  select entity_id, f.proposal_id, 'official_rates', jsonb_build_array(r.day, r.currency, r.rate)
  from land.official_rates r join land.official_files f using (entity_id, file_id)
), counted as ( -- a row that is there twice was approved once
  select *, row_number() over (partition by entity_id, proposal_id, place, content) as nth from decided where proposal_id is not null
), compared as (
  select case
      when d.content is null then format('%s of proposal %s of %s were approved, and one is not there', place, proposal_id, entity_id)
      when w.content is null then format('%s of proposal %s of %s are not what was approved', place, proposal_id, entity_id)
    end as fault
  from (select *, 1 as nth from wanted) as w
  full join counted d using (entity_id, proposal_id, place, content, nth)
)
select count(*) as checked, count(fault) as faults, min(fault collate "C") as first
from compared;
