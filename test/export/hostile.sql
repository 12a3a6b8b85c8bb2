-- Books that no format is glad of: names, texts and amounts that each language would misread, and days cut at midnight.
insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
  ('Ünit [x] ;y', '', 'Europe/Madrid', 'EUR', '2026-10-01T00:00:00Z'), ('9x-X5A', '', 'Europe/Madrid', 'EUR', '2026-10-01T00:00:00Z');

insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
  reverses, rule_version, description)
select case n % 2 when 0 then 'Ünit [x] ;y' else '9x-X5A' end,
  (left(books_internal.first_entry_id(at)::text, 13) || '-8000-8000-0000000001' || lpad(n::text, 2, '0'))::uuid, at, now(), '2026-10', 'movement', 'movements', text, 1, 1, null, 1, text
from (values
  (1, 'plain'), (2, ''), (3, ' ; not: a comment, date:2026-13-45'), (4, 'payee | note  two  blanks '),
  (5, E'a line\n2026-10-01 * another\r\n    main:assets:trading  1 EUR'), (6, '"quoted" \ and \" again'),
  (7, '[2026-13-45] [=2026-02-30]'), (8, '@ 5 EUR @@ 6 EUR = 7 EUR {8 EUR} (code) * !'), (9, E'\t100% ；｜＠ 出金'),
  (10, '~ P D Y include /etc/passwd'), (11, ':tag:other: key:: 1/0'), (12, '"'), (13, '\'), (14, U&'\202E right to left \2028'),
  (15, '%3B %'), (16, '= expr true'), (17, '#tag ^link "'), (18, 'option "plugin_processing_mode" "raw"'), (19, repeat('出', 512)),
  (20, 'settlement of trades ' || repeat(U&'\3000', 512)), (21, 'cells; ;=1+1'), (22, E'cells\t,=1+1\n=1+1')
) as told (n, text)
cross join lateral (select timestamptz '2026-10-24T21:59:59.999999Z' + n * interval '6 hours' as at) as moment;

insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
select entity_id, entry_id, leg, debit, credit, currency, amount
from ledger.entries
cross join (values
  (1, 'assets:pocket:;a|b', 'equity:conversion', '1INCH', 999999999999999999999999999999.999999999999999999),
  (2, 'assets:pocket:(x)', 'assets:pocket:9_%é', '7', 0.000000000000000001),
  (3, 'assets:pocket:p--x', 'equity:external:person', 'TRUE', 99999999999999999999999999999),
  (4, 'assets:pocket:p', 'assets:pocket:p-x2d', 'X', 0.1),
  (5, 'equity:external:person', 'assets:pocket:"q"', 'a.b', 5)
) as leg (leg, debit, credit, currency, amount)
where entry_id::text like '%-8000-8000-0000000001%';

insert into ledger.daily select * from ledger.daily_sums where entity_id in ('Ünit [x] ;y', '9x-X5A');
insert into ledger.totals select * from ledger.total_sums where entity_id in ('Ünit [x] ;y', '9x-X5A');
