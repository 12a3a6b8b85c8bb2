// The output of a close besides the seal: entities without readings, and unvalued items of the month.
import { expect, test } from 'vitest';
import { reopenMonths } from '../../src/actions/close.ts';
import { importCounterparties } from '../../src/actions/counterparties.ts';
import { profileRows } from '../../src/actions/profiles.ts';
import { readRules } from '../../src/approvals/approvals.ts';
import { approved, fileOf } from '../approvals/desk.ts';
import { openStage } from '../jobs/stage.ts';
import { as, close, septemberClosed } from './month.ts';

test('an entity without any reading is not closed, and its output claims no reading', async () => {
  const stage = await openStage({ until: '2026-10-03T00:00:00Z', entities: 1 });
  await stage.night(['main']);
  await stage.rows(
    "insert into run.entities (entity_id, name, first_seen_at) values ('nobody', 'nobody', now())",
  );
  const { closed } = await close(stage, '2026-09');
  expect(closed.map(({ entity, sealed, obstacles }) => [entity, sealed !== null, obstacles.length])).toEqual([
    ['main', true, 0],
    ['nobody', false, 1],
  ]);
  expect(closed[1]?.obstacles[0]?.detail).toMatch(
    /^nothing was ever read of this entity: look at GATEWAY_ENTITIES/,
  );
  const listed = await profileRows(stage.database.db);
  expect(listed.map(({ entity_id, is_read }) => [entity_id, is_read])).toEqual([
    ['main', true],
    ['nobody', false],
  ]);
});

test('unvalued items of a month are counted, because its totals in money do not sum to zero', async () => {
  const { stage, closed: before } = await septemberClosed();
  expect(before.map(({ unvalued }) => unvalued.findings)).toEqual([0, 0]);
  const path = fileOf(
    'class,address,bank_account,operation,counterparty,counterparty_type\nblockchain,,,,Our wallet,own\n',
  );
  const month = { period: '2026-09', by: 'Grace', reason: 'our own wallet' };
  await as(stage, (work) => reopenMonths(work, month));
  await approved(stage, (work) => importCounterparties(work, { rules: readRules(path), path, by: 'Ada' }));
  const { closed } = await close(stage, '2026-09');
  const found = await stage.rows(`select entity_id, count(*)::int as count from books.value_findings
    where period = '2026-09' and severity = 'finding' group by 1 order by 1`);
  expect(found.length).toBeGreaterThan(0);
  expect(
    closed
      .filter(({ unvalued }) => unvalued.findings > 0)
      .map(({ entity, unvalued, sealed, obstacles }) => [
        entity,
        unvalued.findings,
        sealed,
        obstacles[0]?.need,
      ]),
  ).toEqual(found.map(({ entity_id, count }) => [entity_id, count, null, 'values']));
});
