// What awaits approval blocks the close of every entity that it would change, wherever it is stored.
import { beforeAll, expect, test } from 'vitest';
import { type Change, type Content, labelsChange, propose } from '../../src/approvals/approvals.ts';
import { loadSql } from '../../src/database/database.ts';
import { lotsOf, rulesOf } from '../approvals/changes.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

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
