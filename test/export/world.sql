-- A small world for the tests of the export room: two entities, October 2026 cut in Europe/Madrid.
insert into run.runs (run_id, job, started_at, finished_at, exit_code) values
  ('00000000-0000-4000-8000-000000000001', 'nightly', '2026-10-31T02:00:00Z', '2026-10-31T02:01:00Z', 1),
  ('00000000-0000-4000-8000-000000000002', 'nightly', '2026-11-02T02:00:00Z', '2026-11-02T02:01:00Z', 0);

insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
  ('main', 'main', 'Europe/Madrid', 'EUR', '2026-10-31T02:00:00Z'),
  ('Zeta', 'a subaccount', 'Europe/Madrid', 'EUR', '2026-10-31T02:00:00Z');

insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
  reverses, rule_version, description) values
  ('main', '01a0a482-5500-8000-8000-000000000001', '2026-09-15T10:00:00Z', '2026-10-31T02:00:10Z', '2026-09', 'manual',
    'manual', 'opening', 1, 1, null, 1, 'opening balance'),
  ('main', '01a0f454-e6ff-8000-8000-000000000002', '2026-09-30T21:59:59.999999Z', '2026-10-31T02:00:10Z', '2026-09',
    'movement', 'movements', 'last of September', 1, 1, null, 1, 'deposit'),
  ('main', '01a0f454-e700-8000-8000-000000000003', '2026-09-30T22:00:00Z', '2026-10-31T02:00:10Z', '2026-10',
    'movement', 'movements', 'first of October', 1, 1, null, 1, '=HYPERLINK("http://example.test";"deposit")'),
  ('main', '01a170ad-c9c0-8000-8000-000000000004', '2026-10-25T01:30:00.000001Z', '2026-10-31T02:00:10Z', '2026-10',
    'trade', 'trades', 't1', 1, 1, null, 1, 'buy BTC/EUR, "limit"' || chr(10) || 'second line'),
  ('main', '01a177a7-1100-8000-8000-000000000005', '2026-10-26T10:00:00Z', '2026-10-31T02:00:10Z', '2026-10',
    'wallet-transaction', 'wallet-transactions', '-card 1', 1, 1, null, 1, '  ＝1+1'),
  ('main', '01a177dd-ff80-8000-8000-000000000006', '2026-10-26T11:00:00Z', '2026-10-31T02:00:10Z', '2026-10',
    'wallet-transaction', 'wallet-transactions', 'w2', 1, 1, null, 1, 'withdrawal – 出金'),
  ('main', '01a177dd-ff80-8000-8000-000000000007', '2026-10-26T11:00:00Z', '2026-10-31T02:00:10Z', '2026-10',
    'reversal', 'wallet-transactions', 'w2', 2, 2, '01a177dd-ff80-8000-8000-000000000006', 1, 'withdrawal – 出金'),
  ('main', '01a19430-f980-8000-8000-000000000008', '2026-10-31T23:00:00Z', '2026-11-02T02:00:10Z', '2026-11',
    'movement', 'movements', 'first of November', 1, 1, null, 1, 'withdrawal'),
  ('Zeta', '01a19430-f97f-8000-8000-000000000009', '2026-10-31T22:59:59.999Z', '2026-11-02T02:00:10Z', '2026-10',
    'movement', 'movements', 'whale', 1, 1, null, 1, chr(9) || '@SUM(A1)');

insert into decide.proposals (entity_id, proposal_id, action, content, reason, evidence_name, evidence_sha256, prepared_by,
  prepared_at) values
  ('main', 'opening', 'open', '{"action":"open","description":"opening balance","effective_at":"2026-09-15T10:00:00.000Z",'
    '"legs":[["assets:trading","equity:opening","EUR","10000.5"],["assets:pocket:p1","equity:opening","ETH","2.5"]]}',
    'the account is older than these books', 'statement.pdf', repeat('ab', 32), 'Ada', '2026-10-30T10:00:00Z');
insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, period) values
  ('main', 'opening', 'approved', 'Ada', 'Grace', '2026-10-31T02:00:10Z', '2026-09');

insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount) values
  ('main', '01a0a482-5500-8000-8000-000000000001', 1, 'assets:trading', 'equity:opening', 'EUR', 10000.50),
  ('main', '01a0a482-5500-8000-8000-000000000001', 2, 'assets:pocket:p1', 'equity:opening', 'ETH', 2.500000000000000000),
  ('main', '01a0f454-e6ff-8000-8000-000000000002', 1, 'assets:trading', 'assets:clearing:trading', 'EUR', 0.000001),
  ('main', '01a0f454-e700-8000-8000-000000000003', 1, 'assets:trading', 'assets:clearing:trading', 'EUR', 100.50),
  ('main', '01a170ad-c9c0-8000-8000-000000000004', 1, 'assets:trading', 'equity:conversion', 'BTC', 0.123456789012345678),
  ('main', '01a170ad-c9c0-8000-8000-000000000004', 2, 'equity:conversion', 'assets:trading', 'EUR', 6172.84),
  ('main', '01a170ad-c9c0-8000-8000-000000000004', 3, 'expenses:fees:trading', 'assets:trading', 'BTC', 0.000000000000000001),
  ('main', '01a177a7-1100-8000-8000-000000000005', 1, 'equity:conversion', 'equity:external:card', 'EUR', 50),
  ('main', '01a177a7-1100-8000-8000-000000000005', 2, 'assets:pocket:p1', 'equity:conversion', 'ETH', 0.02),
  ('main', '01a177dd-ff80-8000-8000-000000000006', 1, 'equity:external:blockchain', 'assets:pocket:p1', 'ETH', 1),
  ('main', '01a177dd-ff80-8000-8000-000000000006', 2, 'expenses:fees:network', 'assets:pocket:p1', 'ETH', 0.001),
  ('main', '01a177dd-ff80-8000-8000-000000000007', 1, 'assets:pocket:p1', 'equity:external:blockchain', 'ETH', 1),
  ('main', '01a177dd-ff80-8000-8000-000000000007', 2, 'assets:pocket:p1', 'expenses:fees:network', 'ETH', 0.001),
  ('main', '01a19430-f980-8000-8000-000000000008', 1, 'assets:clearing:trading', 'assets:trading', 'EUR', 7),
  ('Zeta', '01a19430-f97f-8000-8000-000000000009', 1, 'assets:trading', 'assets:clearing:trading', 'SHIB',
    123456789012345678901234567890.123456789012345678);

insert into ledger.daily select * from ledger.daily_sums;
insert into ledger.totals select * from ledger.total_sums;

insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
select 'main', 'trades', id, 1, '\x00', payload, at::timestamptz, '2026-10-31T02:00:05Z', 1
from (values
  ('t1', '2026-10-25T01:30:00.000001Z', '{"amount":"0.123456789012345678","amountCurrency":"BTC","cost":"6172.84",'
    '"costEuro":"6172.84","createdAt":"2026-10-25T01:30:00.000001Z","feeAmount":"1e-18","feeCurrency":"BTC",'
    '"feePercentage":"0.10","id":"t1","isMaker":"true","orderId":"o1","orderType":"limit","price":"50000.10",'
    '"priceCurrency":"EUR","side":"buy","symbol":"BTC/EUR"}'),
  ('t2', '2026-10-26T00:00:00Z', '{"amount":"-1","amountCurrency":"BTC","cost":"a lot","createdAt":"2026-10-26T00:00:00Z",'
    '"id":"t2","isMaker":"false","side":"sell","symbol":"+BTC/EUR"}'),
  ('t3', '2026-11-26T00:00:00Z', '{"amount":"1","createdAt":"2026-11-26T00:00:00Z","id":"t3"}'),
  ('t4', null, '{"createdAt":"yesterday","id":"t4"}')
) as trade (id, at, payload);

insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
select entity_id, 'movements', id, 1, '\x00', json_build_object('amount', amount, 'currency', currency, 'movementType', 'deposit',
  'createdAt', at, 'serviceOrderName', 'wallet', 'status', 'completed')::text, at::timestamptz, '2026-10-31T02:00:05Z', 1
from (values
  ('main', 'first of October', '100.50', 'EUR', '2026-09-30T22:00:00Z'),
  ('main', 'small', '0.10', 'EUR', '2026-10-02T00:00:00Z'),
  ('Zeta', 'whale', '123456789012345678901234567890.123456789012345678', 'SHIB', '2026-10-31T22:59:59.999Z')
) as movement (entity_id, id, amount, currency, at);

insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id) values
  ('Zeta', 'wallet-transactions', '@w9', 3, '\x00', '{"concept":"personal:' || repeat('ab', 32) || '","id":"@w9","type":"gift"}',
    '2026-08-01T00:00:00Z', '2026-11-02T02:00:05Z', 2);

insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version) values
  ('main', 'trades', 't1', 1, 'booked', null, true, 1),
  ('main', 'trades', 't2', 1, 'rejected', 'cost is not a number: a lot', true, 1),
  ('main', 'trades', 't3', 1, 'set-aside', 'not-final', false, 1),
  ('main', 'trades', 't4', 1, 'rejected', 'createdAt is not an instant: yesterday', true, 1),
  ('main', 'movements', 'first of October', 1, 'booked', null, true, 1),
  ('main', 'movements', 'small', 1, 'set-aside', 'not-final', false, 1),
  ('Zeta', 'movements', 'whale', 1, 'booked', null, true, 1),
  ('Zeta', 'wallet-transactions', '@w9', 3, 'rejected', 'type is unknown: gift', true, 1);

insert into land.coverage (entity_id, stream, scope, covered) values
  ('main', 'movements', '', '{(,2026-11-02T02:00:01.5Z)}'),
  ('main', 'trades', '', '{[-infinity,2026-10-30T00:00:00Z),[2026-10-30T12:00:00Z,2026-11-02T02:00:02Z)}'),
  ('main', 'earn-movements', 'e1', '{[-infinity,2026-11-02T02:00:03Z)}'),
  ('main', 'wallet-transactions', '', '{[-infinity,2026-11-02T02:00:02Z)}'),
  ('Zeta', 'movements', '', '{[-infinity,2026-11-02T02:00:04Z)}'),
  ('Zeta', 'wallet-transactions', '', '{[-infinity,2026-11-02T02:00:04Z)}');
insert into run.findings (entity_id, run_id, severity, subject, detail) values
  ('Zeta', '00000000-0000-4000-8000-000000000001', 'note', 'trades', 'not offered to this entity: trades answers 404');
update land.coverage c set landed = (
  select count(*) from land.records r where (r.entity_id, r.stream, r.scope, r.version) = (c.entity_id, c.stream, c.scope, 1)
);

insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status, reason) values
  ('main', '00000000-0000-4000-8000-000000000001', 'assets:trading', 'EUR', '2026-10-31T02:00:30Z', 3928, 3928.160001, -0.160001,
    'break', 'not explained'),
  ('main', '00000000-0000-4000-8000-000000000002', 'assets:trading', 'EUR', '2026-11-02T02:00:30Z', 3921.160001000, 3921.160001,
    0.000000000, 'tied', null),
  ('main', '00000000-0000-4000-8000-000000000001', 'assets:trading', 'BTC', '2026-10-31T02:00:30Z', 0.123456789012345677,
    0.123456789012345677, 0, 'tied', null),
  ('Zeta', '00000000-0000-4000-8000-000000000002', 'assets:trading', 'SHIB', '2026-11-02T02:00:30Z', null,
    123456789012345678901234567890.123456789012345678, null, 'uncovered', 'movements not read far enough');

insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, reported, booked, difference, status,
  reason, opened_at, since, resolved_at, run_id, tied_run_id, assigned_to, explanation, explained_by, explained_records) values
  ('main', 'b1', 'tie_outs', 'assets:trading EUR', 'assets:trading', 'EUR', 3928, 3928.160001, -0.160001, 'resolved',
    'tied again', '2026-10-01T02:01:00Z', '2026-10-01T02:01:00Z', '2026-10-31T22:00:00Z',
    '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', null, null, null, null),
  ('main', 'b2', 'tie_outs', 'assets:earn EUR', 'assets:earn', 'EUR', 1, 0, 1, 'resolved', 'tied again',
    '2026-09-01T02:01:00Z', '2026-09-01T02:01:00Z', '2026-09-30T21:00:00Z',
    '00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000001', null, null, null, null),
  ('Zeta', 'b3', 'clearing', '=cmd|x', 'assets:clearing:trading', 'SHIB', 0, -1.50, 1.50, 'open', '-2+3 of it is unknown',
    '2026-10-20T02:01:00Z', '2026-10-20T02:01:00Z', null, '00000000-0000-4000-8000-000000000001', null, null, null, null, null),
  ('main', 'b4', 'conservation', 'trades', null, null, null, null, null, 'open', 'known', '2026-08-20T02:01:00Z',
    '2026-08-20T02:01:00Z', null, '00000000-0000-4000-8000-000000000001', null, null, null, null, null),
  ('main', 'b5', 'pocket_tie_out', 'assets:pocket:p2 BTC', 'assets:pocket:p2', 'BTC', 0.05, 0, 0.05, 'explained',
    'nothing explains it', '2026-07-01T02:01:00Z', '2026-10-14T02:01:00Z', null, '00000000-0000-4000-8000-000000000001', null,
    'Grace', '=a gift', 'Grace', '{trades t1,movements small}');
