// Working on breaks from a shell: by a prefix of the id, each step with a person, and the page of one break.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isoOf, nowMs } from '../../src/base/time.ts';
import { environmentOf, openStage, type Stage } from '../jobs/stage.ts';
import { typed } from './played.ts';
import { complaint, type Env } from './tieout.ts';

let stage: Stage;
let env: Env;

beforeAll(async () => {
  stage = await openStage(
    {
      seed: 4,
      days: 4,
      perDay: 10,
      entities: 1,
      until: '2026-10-03T00:00:00Z',
      defects: ['unlisted-movement'],
    },
    afterAll,
  );
  env = environmentOf(stage);
  expect((await typed(['nightly'], env)).exitCode).toBe(1);
});

const text = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await typed(['breaks', ...args], env);
  expect([exitCode, stderr]).toEqual([0, '']);
  return stdout;
};
const json = async (...args: string[]) => JSON.parse(await text(...args, '--json'));
const ADA = ['--by', 'Ada', '--reason', 'a gift by mail'];
const reconcile = async () => (await typed(['reconcile'], env)).exitCode;

test('a break is listed, assigned, explained, resolved, found again, and waived', async () => {
  const [listed] = await json('list');
  expect(listed).toMatchObject({
    subject: 'assets:trading USDC',
    difference: '250.5',
    status: 'open',
    age_days: 0,
    is_overdue: false,
    assigned_to: null,
    explanation: null,
  });
  const id = listed.break_id.slice(0, 6);
  expect(await text('assign', id, '--to', 'Grace', ...ADA)).toBe(
    `break ${listed.break_id} of main (assets:trading USDC, 250.5 USDC) assigned to Grace by Ada: a gift by mail\n`,
  );
  const [row] = await stage.rows("select record_id from books.records where stream = 'movements' limit 1");
  const record = row?.record_id;
  const none = await typed(['breaks', 'explain', id, '--record', 'movements:x', ...ADA], env);
  expect([none.exitCode, complaint(none)]).toEqual([
    64,
    ['tieout: main has no record x in movements: look for it in books.records'],
  ]);
  expect(await json('explain', id, '--record', `movements:${record}`, ...ADA)).toMatchObject({
    exit_code: 0,
  });
  expect(await reconcile()).toBe(1); // assigned and explained count

  const page = await text('show', id);
  expect(page.split('\n')[0]).toBe(`BREAK ${listed.break_id} of main: assets:trading USDC`);
  for (const line of [
    /^ {2}check +trading_tie_out: Trading tie-out: /m,
    /^ {2}difference +250\.5 USDC \(reported exceeds booked\)$/m,
    /^ {2}status +explained, assigned to Grace$/m,
    /^ {2}last tie +none: it never tied$/m,
    /^ {2}first break +balance of 2026-\S+: reported \S+ USDC, booked \S+ USDC \(run \S+\)$/m,
    new RegExp(`^ {2}explanation +a gift by mail \\(Ada; movements ${record}\\)$`, 'm'),
    /^ {2}to do +look at the reason; /m,
    /^BOOKED ON THE ACCOUNT from the beginning to the first break: /m,
    /^HISTORY$/m,
  ])
    expect(page).toMatch(line);
  expect((await json('show', id)).history).toHaveLength(3);

  const query = 'select b.severity, b.value, e.changed_by from breaks b join break_events e using (break_id)';
  const analyst = await typed(['query', `${query} order by e.event_id`, '--format', 'csv'], env);
  expect(analyst.stdout).toMatch(/^severity,value,changed_by\n(medium,2\d\d\.\d+),\n(\1,Ada\n){2}$/);

  await text('resolve', id, ...ADA);
  expect([await json('list'), await text('list')]).toEqual([[], 'no breaks\n']);
  expect(await text('show', id)).toMatch(/by Ada: not confirmed by a comparison yet/);
  expect(await reconcile()).toBe(1);
  expect(await json('list')).toMatchObject([{ status: 'explained', assigned_to: 'Grace' }]);

  const month = isoOf(nowMs()).slice(0, 7); // the month of the night that no longer counts it
  const { proposal_id } = await json('waive', id, '--period', month, ...ADA);
  expect(await reconcile()).toBe(1); // it awaits approval
  expect((await typed(['approve', proposal_id, '--by', 'Grace'], env)).exitCode).toBe(0);
  expect(await reconcile()).toBe(0);
  expect(await json('list')).toMatchObject([{ status: 'waived', waived_for: month, waived_by: 'Ada' }]);
  expect(await text('list')).toContain(`waived for ${month} by Ada`);
  expect(await text('show', id)).toContain(`waived for ${month} by Ada, assigned to Grace\n`);
  const late = await typed(['breaks', 'assign', id, '--to', 'Edsger', ...ADA], env);
  expect([late.exitCode, complaint(late)[0]]).toEqual([
    64,
    expect.stringMatching(
      /is waived, and opens again when its difference changes or the month ends: there is nothing left to assign$/,
    ),
  ]);
});
