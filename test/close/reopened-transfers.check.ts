// Transfers between own accounts are paired before anything rests on their values: late ones that return to a reopened month have new
// entries there, and a close may come before the next night. Otherwise each would be sold to a third party.
import { expect, test } from 'vitest';
import { reopenMonths } from '../../src/actions/close.ts';
import { post } from '../../src/ledger/entries.ts';
import { entryOf } from '../../src/ledger/posting.ts';
import type { Stage } from '../jobs/stage.ts';
import { as, close, openShared } from './month.ts';

/** One side of a transfer of September that October shows first. */
const side = (entity: string, recordId: string, [debit, credit]: readonly [string, string]) => {
  const legs = [{ debit, credit, currency: 'BTC', amount: '0.0001' }];
  const effectiveAt = '2026-09-29T10:00:00.000Z';
  const draft = { kind: 'wallet-transaction', effectiveAt, description: 'transfer', legs } as const;
  const late = { recordedAt: '2026-10-03T00:00:00Z', period: '2026-10', originalPeriod: '2026-09' };
  const name = { entity, stream: 'wallet-transactions', recordId, ordinal: 1 };
  return entryOf(draft, { ...name, ...late, version: 1, ruleVersion: 1 });
};

const transferred = (stage: Stage, [from, to]: readonly [string, string], record: string) =>
  post(stage.database.db, [
    side(from, record, ['equity:external:person', 'assets:pocket:x']),
    side(to, record, ['assets:pocket:y', 'equity:external:person']),
  ]);

/** The month and the counterparty type of each standing side, and what it was exchanged for. */
const sides = (stage: Stage, record: string) =>
  stage.rows(`
    select o.period, o.counterparty_type, d.exchanged_for
    from books.outside o
    join ledger.entries e using (entity_id, entry_id)
    left join books.disposals d on (d.entity_id, d.entry_id) = (e.entity_id, e.entry_id)
    where e.record_id = '${record}' and e.reverses is null and not books_internal.is_reversed(e.entity_id, e.entry_id)`);

test('what returns to a reopened month, and what a close finds unpaired, is no disposal', async () => {
  const { stage, other } = await openShared();
  const between = ['main', other] as const;
  await transferred(stage, between, 'returned');
  await stage.fullNight();
  const own = { counterparty_type: 'own-entity', exchanged_for: null };
  expect(await sides(stage, 'returned')).toEqual(Array(2).fill({ period: '2026-10', ...own }));
  await as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction' }));
  expect(await sides(stage, 'returned')).toEqual(Array(2).fill({ period: '2026-09', ...own }));
  await transferred(stage, between, 'unpaired');
  await close(stage, '2026-09', { by: 'Edsger' });
  expect(await sides(stage, 'unpaired')).toEqual(Array(2).fill({ period: '2026-09', ...own }));
});
