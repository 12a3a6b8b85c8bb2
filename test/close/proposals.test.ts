// What awaits approval blocks the close of every entity that it would change, wherever it is stored.
import { beforeAll, expect, test } from 'vitest';
import { type Change, type Content, labelsChange, propose } from '../../src/approvals/approvals.ts';
import { loadSql } from '../../src/database/database.ts';
import { post } from '../../src/ledger/entries.ts';
import { lotsOf, rulesOf } from '../approvals/changes.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { made, sell } from '../valuation/month-stand.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    select id, id, 'UTC', 'EUR', now() from unnest(array['main', 'sub', 'other']) as id`);
  await books.pool.query(`insert into decide.profiles (entity_id, version, taxpayer, by_name, at)
    select id, 1, 'acme', 'Ada', now() from unnest(array['main', 'sub']) as id`);
  await prepared('main', lotsOf('lots.csv'));
  await prepared('main', rulesOf());
  await prepared('main', BUDGET);
  await prepared('main', entry('2026-09-30T23:59:59.000Z'));
  await prepared('main', entry('2026-10-01T00:00:00.000Z'));
  await prepared('main', await labelsChange(books.db, { lines: [], fileName: 'labels.csv' }));
  return () => books.close();
});

const prepared = (entity: string, content: Content | Change) => {
  const desk = { db: books.db, decider: books.db, settings: { timezone: 'UTC', currency: 'EUR' } };
  const evidence = { name: 'mail.eml', sha256: 'c'.repeat(64) };
  return propose(desk, { entity, content, reason: 'as agreed', by: 'Ada', evidence });
};

const entry = (effectiveAt: string): Content => ({
  action: 'adjust',
  effective_at: effectiveAt,
  description: 'a correction',
  legs: [['assets:trading', 'equity:external:platform', 'EUR', '1']],
});
const BUDGET: Change = { action: 'budget', description: 'a budget', base: '0', ceiling: '100' };

const blocking = async (entity: string): Promise<(string | undefined)[]> => {
  const month = { entity, period: '2026-09', to: '2026-10-01T00:00:00Z' };
  const { rows } = await books.pool.query<{ detail: string }>(loadSql('close/proposals.sql', month));
  return rows.map(({ detail }) => detail.split(',')[0]);
};

test('its own, and the main account has those for the whole company', async () => {
  expect(await blocking('main')).toEqual(['lots', 'counterparties', 'budget', 'adjust', 'labels']);
});

test('those that move lots of its taxpayer, and those for the whole company', async () => {
  expect(await blocking('sub')).toEqual([
    'lots of main',
    'counterparties of main',
    'adjust of main',
    'labels of main',
  ]);
});

test('only those for the whole company, if it shares no lots', async () => {
  expect(await blocking('other')).toEqual(['counterparties of main', 'labels of main']);
});

/** Stored as prepared: whether the lots can be used so is not asked again. */
const chosen = async (...disposals: readonly string[]): Promise<void> => {
  const choices = disposals.map((record) => ['trades', record, 'BTC', 'bought', '1', '2']);
  await books.pool.query(
    `insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
     select 'sub', left(gen_random_uuid()::text, 8), 'choose', $1, 'as sold', 'Ada', now()`,
    [JSON.stringify({ action: 'choose', choices })],
  );
};

test('a choice of lots, if one of its disposals counts by the end of the month', async () => {
  const days = { september: '2026-09-30', october: '2026-10-01' };
  for (const [name, day] of Object.entries(days))
    await post(books.db, [made({ day, name, entity: 'sub' }, sell('1', '9000'))]);
  const before = await blocking('main');
  await chosen('october');
  expect(await blocking('main')).toEqual(before);
  await chosen('october', 'september');
  await chosen('an entry that is booked no more');
  expect(await blocking('main')).toEqual([...before, 'choose of sub', 'choose of sub']);
  expect(await blocking('other')).not.toContain('choose of sub');
});
