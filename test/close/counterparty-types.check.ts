// A counterparty type set after a month was closed: the month keeps its values, and the person gets a warning.
import { expect, test } from 'vitest';
import { reopenMonths } from '../../src/actions/close.ts';
import { importCounterparties } from '../../src/actions/counterparties.ts';
import { readRules } from '../../src/approvals/approvals.ts';
import { derive, forgetValues } from '../../src/valuation/valuation.ts';
import { valueAll } from '../../src/valuation/value-all.ts';
import { approved, fileOf } from '../approvals/desk.ts';
import type { Stage } from '../jobs/stage.ts';
import { as, septemberClosed } from './month.ts';

const importRules = (stage: Stage, ...lines: string[]) => {
  const path = fileOf(
    ['class,address,bank_account,operation,counterparty,counterparty_type', ...lines].join('\n'),
  );
  return approved(stage, (work) => importCounterparties(work, { rules: readRules(path), path, by: 'Ada' }));
};

const RULES = ['bank', 'card', 'blockchain', 'person'].map((it) => `${it},,,,Acme,third-party`);
const BOOKS = { timezone: 'UTC', currency: 'EUR' };
const valuesOf = (stage: Stage) =>
  stage.rows("select * from books.value_postings where period = '2026-09' order by 1, 2, 3");

test('closed months are named and their values stay; the same rules again name none', async () => {
  const { stage } = await septemberClosed();
  const outside = await stage.rows(
    "select distinct entity_id from books.outside where period = '2026-09' and counterparty_type = 'unknown' order by 1",
  );
  expect(outside.length).toBeGreaterThan(0);
  const before = await valuesOf(stage);
  const first = await importRules(stage, ...RULES);
  const months = outside.map(({ entity_id }) => `${entity_id} 2026-09`);
  expect(first.summary).toContain(`; ${months.join(', ')}: closed, and valued as before`);
  await as(stage, valueAll);
  expect(await valuesOf(stage)).toEqual(before);
  expect((await importRules(stage, ...RULES)).summary).toMatch(/took effect$/);
});

test('a reopened month has the values of a derivation from scratch', async () => {
  const { stage } = await septemberClosed();
  const before = await valuesOf(stage);
  await importRules(stage, ...RULES.map((rule) => rule.replace('third-party', 'own')));
  await as(stage, valueAll);
  expect(await valuesOf(stage)).toEqual(before);
  await as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'they are ours' }));
  await as(stage, valueAll);
  const after = await valuesOf(stage);
  expect(after).not.toEqual(before);
  await forgetValues(stage.database.db, BOOKS);
  await derive(stage.database.db, BOOKS);
  expect(await valuesOf(stage)).toEqual(after);
});
