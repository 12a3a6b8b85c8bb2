// A waiver applies to its month: the first night of the next month counts the difference again.
import { expect, test } from 'vitest';
import { concludeRun } from '../../jobs/run-result.ts';
import { waiveOne } from '../../src/actions/breaks.ts';
import { statusOf } from '../../src/run/status.ts';
import { approved } from '../approvals/desk.ts';
import { openStage } from '../jobs/stage.ts';
import { as } from './month.ts';

test('a break waived for October is waived in October, but open and counted in November', async () => {
  const stage = await openStage({ until: '2026-10-20T00:00:00Z', defects: ['unlisted-movement'] });
  await stage.night();
  const [found] = await stage.rows("select break_id from books.breaks where status = 'open'");
  const comparedIn = (month: string) =>
    stage.rows(`update run.runs set started_at = '${month}-15' where job = 'nightly'`);
  const counted = async () => {
    const { exitCode } = await as(stage, (work) =>
      concludeRun(work, { entities: ['main'], failures: new Map(), requests: 0 }),
    );
    const [row] = await stage.rows('select status, waived_through from books.breaks');
    return { exitCode, ...row, listed: (await statusOf(stage.database)).breaks.length };
  };
  await comparedIn('2026-10');
  expect(await counted()).toMatchObject({ exitCode: 1, status: 'open', listed: 1 });
  const request = { id: found?.break_id ?? '', period: '2026-10', by: 'Ada', reason: 'they will pay it' };
  await approved(stage, (work) => waiveOne(work, request));
  await comparedIn('2026-10');
  const waived = { status: 'waived', waived_through: '2026-10', exitCode: 0, listed: 0 };
  expect(await counted()).toEqual(waived);
  await comparedIn('2026-11');
  expect(await counted()).toEqual({ exitCode: 1, status: 'open', waived_through: '2026-10', listed: 1 });
});
