// A night that several workers share: whatever becomes of one of them, the books are those of one process alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaint } from '../cli/tieout.ts';
import { FIRST, OVER, program, until } from './programs.ts';
import { booked, openStage, type Stage, truth } from './stage.ts';

const nights = (stage: Stage) =>
  stage.rows('select entity_id, count(*)::int as nights from run.nights group by 1 order by 1');

test('one worker killed and one interrupted: the books of one process alone, each night once, then a clean end', async () => {
  const options = { entities: 4, days: 4, faults: ['slow:10'] };
  const alone = await openStage(options);
  await alone.night();
  const stage = await openStage(options);
  const notice = join(stage.home, 'notice.json');
  const workers = [program(stage, ['worker', '--now', '--jobs', '2'], { TIEOUT_ON_FINISH: `tee ${notice}` })];
  await until(stage, "to_regclass('tieout_queue.jobs') is not null");
  workers.push(...[2, 2].map((jobs) => program(stage, ['worker', '--no-files', '--jobs', `${jobs}`])));
  await until(stage, FIRST);
  workers[1]?.kill('SIGKILL');
  workers[2]?.kill('SIGTERM');
  const busy = await program(stage, ['nightly']);
  await until(stage, OVER);
  expect([await stage.journal(), await booked(stage)]).toEqual([await alone.journal(), await truth(stage)]);
  expect(await nights(stage)).toEqual((await nights(alone)).map((row) => ({ ...row, nights: 1 })));
  expect(await stage.rows('select job, exit_code from books.runs')).toEqual([
    { job: 'nightly', exit_code: 0 },
  ]);
  expect(complaint({ exitCode: busy.exitCode, stdout: '', stderr: `${busy.stderr}` })).toEqual([
    expect.stringContaining('another run is writing these books'),
  ]);
  const [run] = await stage.rows('select requests from books.runs');
  const unsent = Number(run?.requests) - (await stage.log()).length; // allowed to the killed worker, and not sent yet
  expect([0, 1, 2, 3, 4]).toContain(unsent);
  workers[0]?.kill('SIGTERM');
  expect((await Promise.all(workers)).map(({ exitCode, signal }) => exitCode ?? signal)).toEqual([
    0,
    'SIGKILL',
    0,
  ]);
  const entities = (await nights(stage)).map(({ entity_id }) =>
    expect.objectContaining({ entity_id, verdict: 'clean' }),
  );
  expect(JSON.parse(readFileSync(notice, 'utf8'))).toMatchObject({ outcome: 'success', entities });
  expect(readFileSync(join(stage.home, 'exports', '2026-11', 'manifest.json'), 'utf8')).toContain(
    '"2026-11"',
  );
  expect(await stage.rows('select from run.workers')).toEqual([]);
  expect(await stage.rows('select from tieout_queue.jobs where locked_by is not null')).toEqual([]);
});

test('workers that write no files have clean nights, with a note', async () => {
  const stage = await openStage({ days: 2 });
  const worker = program(stage, ['worker', '--no-files', '--now']);
  await until(stage, "to_regclass('run.runs') is not null");
  await until(stage, OVER);
  worker.kill('SIGTERM');
  expect((await worker).exitCode).toBe(0);
  expect(await stage.rows('select exit_code from books.runs')).toEqual([{ exit_code: 0 }]);
  expect(await stage.rows("select severity from books.findings where subject = 'exports'")).toEqual([
    { severity: 'note' },
  ]);
});

test('a 418 that one worker meets stops all of them, and the run ends with 2', async () => {
  const stage = await openStage({ entities: 6, faults: ['ban:60'] });
  const workers = [program(stage, ['worker', '--now', '--jobs', '2'])];
  await until(stage, "to_regclass('tieout_queue.jobs') is not null");
  workers.push(program(stage, ['worker', '--jobs', '2']));
  await until(stage, OVER);
  for (const worker of workers) worker.kill('SIGTERM');
  await Promise.all(workers);
  const [run] = await stage.rows('select exit_code, summary from books.runs');
  expect(run).toMatchObject({ exit_code: 2, summary: expect.stringContaining('banned') });
  const after = (await stage.log()).slice(59).filter(({ status }) => status === 418);
  expect(after.length).toBeLessThanOrEqual(8); // those in flight: four a process
});

test('the hours of a run count from its start, whichever process reads', async () => {
  const stage = await openStage({ entities: 4, days: 4, faults: ['slow:20'] });
  const first = program(stage, ['worker', '--now', '--jobs', '1']);
  await until(stage, `to_regclass('run.tasks') is not null`);
  await until(stage, FIRST);
  first.kill('SIGKILL');
  await first;
  await stage.rows("update run.runs set started_at = started_at - interval '2 hours' returning run_id");
  const second = program(stage, ['worker'], { TIEOUT_RUN_HOURS: '1' });
  await until(stage, OVER);
  second.kill('SIGTERM');
  await second;
  expect(await stage.rows('select exit_code, summary from books.runs')).toEqual([
    { exit_code: 2, summary: expect.stringContaining('TIEOUT_RUN_HOURS') },
  ]);
});

test('a worker without books, with a bad crontab or with another one is refused with one sentence', async () => {
  const stage = await openStage();
  const refusal = async (crontab: string, other: Partial<Stage> = {}) => {
    const file = join(stage.home, 'crontab');
    writeFileSync(file, crontab);
    const { exitCode, stderr } = await program({ ...stage, ...other }, ['worker', '--crontab', file]);
    return [exitCode, ...complaint({ exitCode, stdout: '', stderr: `${stderr}` })];
  };
  expect(await refusal('0 25 * * * night')).toEqual([
    64,
    expect.stringMatching(/crontab is not a crontab of tieout: /),
  ]);
  expect(await refusal('0 5 * * * backup')).toEqual([
    64,
    expect.stringContaining('the only task is night, not backup'),
  ]);
  const worker = program(stage, ['worker']);
  await until(stage, 'exists (select from run.workers)');
  expect(await refusal('0 5 * * * night ?id=other&fill=6h')).toEqual([
    64,
    expect.stringContaining('a worker with another crontab or other settings is at work'),
  ]);
  const abroad = await program(stage, ['worker'], { TIEOUT_TIMEZONE: 'Europe/Madrid' }); // these books have no entry yet
  expect([abroad.exitCode, `${abroad.stderr}`]).toEqual([64, expect.stringContaining('TIEOUT_TIMEZONE')]);
  expect(await stage.rows('select identifier from tieout_queue._private_known_crontabs')).toEqual([
    { identifier: 'night' },
  ]);
  worker.kill('SIGTERM');
  expect((await worker).exitCode).toBe(0);
  const nowhere = { ...stage.database, url: stage.database.url.replace(/\/[^/?]+(\?|$)/, '/nowhere$1') };
  expect(await refusal('0 5 * * * night', { database: nowhere })).toEqual([
    2,
    expect.stringContaining('nowhere'),
  ]);
});
