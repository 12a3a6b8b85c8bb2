// verify ledger: decisions that book no entry are what one person proposed and another approved. The approver's role adds such
// rows for an approved proposal, whatever they hold.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change } from '../../../src/approvals/approvals.ts';
import { loadSql } from '../../../src/database/database.ts';
import { DECISIONS, decideAll } from '../../approvals/decisions.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';

let books: TestDatabase;

const DISMISSAL: Change = {
  action: 'dismiss',
  description: 'dismissal',
  stream: 'trades',
  record_id: 't1',
  version: '1',
};

beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('main', 'main', 'UTC', 'EUR', now());
    insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
    values ('main', 'trades', 't1', 1, '\\x00', '{}', now(), now(), 1), ('main', 'trades', 't2', 1, '\\x00', '{}', now(), now(), 1);
    insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
    values ('main', 'trades', 't1', 1, 'rejected', 'side', true, 1), ('main', 'trades', 't2', 1, 'rejected', 'side', true, 1)`);
  const desk = { db: books.db, decider: books.db, settings: { timezone: 'UTC', currency: 'EUR' } };
  await decideAll(desk, [...DECISIONS, DISMISSAL]);
});
afterAll(() => books.close());

const PROOF = loadSql('proofs/decisions.sql');

test('what was approved holds, row by row', async () => {
  expect((await books.pool.query(PROOF)).rows).toEqual([{ checked: '18', faults: '0', first: null }]);
});

test.each<[string, Readonly<Record<string, string>>]>([
  ['waivers', { break_id: 'b00000000000' }],
  ['waivers', { difference: '-50000' }],
  ['waivers', { period: '2026-12' }],
  ['waivers', { by_name: 'Linus' }],
  ['waivers', {}],
  ['dismissals', { record_id: 't2' }],
  ['budgets', { version: '2', ceiling: '999999' }],
  ['budgets', { version: '2' }],
  ['value_acceptances', { period: '2026-11' }],
  ['external_lots', { line: '3', cost: '1' }],
  ['profiles', { entity_id: 'other' }],
  ['profiles', { version: '2', taxpayer: 'other' }],
  ['counterparty_files', { version: '2' }],
  ['counterparty_rules', { line: '3', counterparty_type: 'own' }],
  ['counterparty_accounts', { commitment: `personal:${'b'.repeat(64)}` }],
  ['charts', { version: '2' }],
  ['chart_lines', { line: '2', code: '2000' }],
  ['chart_classes', { currency: 'BTC' }],
  ['label_files', { version: '2' }],
  ['labels', { id: 'other' }],
  ['official_files', {}],
  ['official_rates', { day: '2026-10-02' }],
])('a row of %s that nobody proposed is named: %o', async (name, changed) => {
  const place = `${name.startsWith('official') ? 'land' : 'decide'}.${name}`;
  const session = await books.pool.connect();
  try {
    await session.query('begin; set local role tieout_approver');
    await session.query(
      `insert into ${place} overriding user value
      select (jsonb_populate_record(null::${place}, to_jsonb(o) || $1::jsonb)).* from (select * from ${place} limit 1) as o`,
      [JSON.stringify(changed)],
    );
    await session.query('reset role');
    const { rows } = await session.query(PROOF);
    expect(rows).toMatchObject([{ checked: '19', faults: '1' }]);
    expect(rows[0].first).toMatch(
      new RegExp(`^${name} of proposal [0-9a-f]{12} of main are not what was approved$`),
    );
  } finally {
    await session.query('rollback');
    session.release();
  }
});

test('an approved proposal of which a row is missing is named', async () => {
  const session = await books.pool.connect();
  try {
    await session.query(`begin; delete from decide.chart_lines`);
    expect((await session.query(PROOF)).rows[0].first).toMatch(
      /^chart_lines of proposal \w+ of main were approved, and one is not there$/,
    );
  } finally {
    await session.query('rollback');
    session.release();
  }
});
