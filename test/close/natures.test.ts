// Who is on the other side, said after a month was closed: the month stays as it was valued, and whoever says it is told.
import { expect, test } from 'vitest';
import { importCounterparties } from '../../jobs/counterparties.ts';
import { valueAll } from '../../jobs/values.ts';
import { readRules } from '../../src/decide/decide.ts';
import { fileOf } from '../decide/desk.ts';
import type { Stage } from '../jobs/stage.ts';
import { as, septemberClosed } from './month.ts';

const named = (stage: Stage, ...lines: string[]) => {
  const path = fileOf(['class,address,bank_account,operation,counterparty,nature', ...lines].join('\n'));
  return as(stage, (work) => importCounterparties(work, { rules: readRules(path), path, by: 'Ada' }));
};

test('months that are closed are named and keep their values; the same rules again name none', async () => {
  const { stage } = await septemberClosed();
  const outside = await stage.rows(
    "select distinct entity_id from books.outside where period = '2026-09' and nature = 'unknown' order by 1",
  );
  expect(outside.length).toBeGreaterThan(0);
  const values = () =>
    stage.rows("select * from books.value_postings where period = '2026-09' order by 1, 2, 3");
  const before = await values();
  const rules = ['bank', 'card', 'blockchain', 'person'].map((it) => `${it},,,,Acme,third-party`);
  const first = await named(stage, ...rules);
  expect(first.closed).toEqual(outside.map(({ entity_id }) => `${entity_id} 2026-09`));
  expect(first.result.summary).toContain(`; ${first.closed.join(', ')}: closed, and valued as before`);
  await as(stage, valueAll);
  expect(await values()).toEqual(before);
  expect((await named(stage, ...rules)).closed).toEqual([]);
});
