// Entities that share lots: a month that one of them reopens keeps its values while another has it closed, and the message says so.
import { expect, test } from 'vitest';
import { reopenMonths } from '../../src/actions/close.ts';
import type { Stage } from '../jobs/stage.ts';
import { as, close, faultsIn, openShared } from './month.ts';

const reopened = (stage: Stage, only: string) =>
  as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'a correction', only }));

/** The month in which the late entries of the main account have their values. */
const valuedIn = (stage: Stage) =>
  stage.rows(`select distinct e.period, v.period as valued_in from ledger.returns r
    join ledger.entries e on (e.entity_id, e.entry_id) = (r.entity_id, r.redone_as)
    join value.postings v on (v.entity_id, v.entry_id) = (e.entity_id, e.entry_id)`);

test('a reopening names the entity of the same taxpayer that still has the month closed; once it has reopened it too, the month is valued anew', async () => {
  const { stage, other: holder } = await openShared();
  await stage.backdate('2026-09-29T10:00:00Z', 3);
  await stage.advance(1);
  await stage.fullNight();

  expect((await reopened(stage, 'main')).summary).toBe(
    `2026-09 REOPENED by Grace (a correction): main; 3 late entries moved back into it. The values of main stay as they were sealed, because lots are shared with ${holder} of the same taxpayer, where 2026-09 is closed: what moved back is valued in the first month that all of them have open. To value 2026-09 anew, reopen it there too, the last closed month first: npx tieout reopen 2026-09 --entity ${holder}`,
  );
  expect(await valuedIn(stage)).toEqual([{ period: '2026-09', valued_in: '2026-10' }]);
  expect((await reopened(stage, holder)).summary).toContain(
    'moved back into it, and its values are recomputed',
  );
  expect(await valuedIn(stage)).toEqual([{ period: '2026-09', valued_in: '2026-09' }]);
  const { closed } = await close(stage, '2026-09', { by: 'Edsger' });
  expect(closed.flatMap(({ obstacles }) => obstacles)).toEqual([]);
  expect(await faultsIn(stage)).toEqual([]);
});
