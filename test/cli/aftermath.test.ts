// What follows a run: neither its notice nor its metrics can make it fail.
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { FailedError, InterruptedError, UsageError } from '../../src/base/errors.ts';
import { afterRun, withMetrics, withMistakeNotice, withNotice } from '../../src/cli/aftermath.ts';
import { program } from '../../src/cli/program.ts';
import type { GatewayConfig, MonitorConfig } from '../../src/config/environment.ts';
import { booksConfig } from '../books-config.ts';
import { freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

let stderr: MockInstance<typeof process.stderr.write>;
beforeEach(() => {
  stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const warnings = () => stderr.mock.calls.map(([text]) => String(text));
const BEGUN = { job: 'nightly', startedAt: '2026-11-22T02:30:00.000Z' };
/** A result that has no JSON: a fault in whatever made it. */
const BROKEN = { exitCode: 0, summary: '', verdicts: [{ breaks: 1n }] };

/** A worker's settings, with a program that exits with 0 and metrics in a folder that does not exist. */
const configOn = (databaseUrl: string): GatewayConfig & MonitorConfig => ({
  ...booksConfig(newFolder()),
  databaseUrl,
  gateway: {
    baseUrl: 'http://127.0.0.1:9',
    socketUrl: 'ws://127.0.0.1:9/v1',
    key: 'key',
    secret: 'secret',
    entities: 'listed',
    requestsPerMinute: 600,
    runHours: 20,
    gateUrl: null,
  },
  onFinish: 'true',
  metricsFile: join(newFolder(), 'none', 'a.prom'),
});

test('what follows a run of a worker warns and throws nothing', async () => {
  const books = await freshDatabase();
  const config = configOn(books.url);
  await afterRun(config, BEGUN, BROKEN);
  await books.close();
  expect(warnings()).toEqual([
    expect.stringMatching(
      /^tieout: the notice of TIEOUT_ON_FINISH was not delivered: a fault in tieout: .*BigInt/,
    ),
    expect.stringMatching(
      /^tieout: the metrics cannot be written to .*\/none\/a\.prom: the folder does not exist \(ENOENT in .*\/none\): .*\n$/,
    ),
  ]);
});

test('a job ends as it did, whatever becomes of its notice', async () => {
  vi.stubEnv('TIEOUT_ON_FINISH', 'true');
  expect(await withNotice('nightly', async () => BROKEN)).toBe(BROKEN);
  const failure = new UsageError('why');
  await expect(withNotice('nightly', () => Promise.reject(failure))).rejects.toBe(failure);
  expect(warnings()).toEqual([expect.stringContaining('the notice of TIEOUT_ON_FINISH was not delivered')]);
});

test('a notice to nowhere is refused before the job begins', async () => {
  vi.stubEnv('TIEOUT_ON_FINISH', 'https://');
  const work = vi.fn(async () => BROKEN);
  await expect(withNotice('nightly', work)).rejects.toThrow('TIEOUT_ON_FINISH is not valid');
  expect(work).not.toHaveBeenCalled();
});

/** What a program of TIEOUT_ON_FINISH receives while `work` runs, one notice a line. */
const noticesOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const folder = newFolder();
  const [notify, received] = [join(folder, 'notify'), join(folder, 'received')];
  writeFileSync(notify, `#!/bin/sh\necho "$TIEOUT_JOB $TIEOUT_EXIT_CODE $TIEOUT_SUMMARY" >>${received}\n`);
  chmodSync(notify, 0o700);
  vi.stubEnv('TIEOUT_ON_FINISH', notify);
  await work();
  return existsSync(received) ? readFileSync(received, 'utf8').trim().split('\n') : [];
};

const typed = async (command: string) => (await program(command)).parseAsync([command], { from: 'user' });

test.each([['nightly'], ['worker']])(
  'a wrong setting of %s reaches who is notified, also one beside the notice',
  async (job) => {
    vi.stubEnv('TIEOUT_METRICS_FILE', 'metrics.txt');
    vi.stubEnv('GATEWAY_BASE_URL', 'https://127.0.0.1:9');
    vi.stubEnv('GATEWAY_API_KEY', 'key');
    vi.stubEnv('GATEWAY_API_SECRET', 'secret');
    const notices = await noticesOf(() => expect(typed(job)).rejects.toThrow('ends in .prom'));
    expect(notices.join('\n')).toMatch(
      new RegExp(`^${job} 64 .*\n.*TIEOUT_METRICS_FILE is "metrics.txt": write the path`),
    );
  },
);

test('what a signal stopped ends with the signal in its notice, not with what failed of it', async () => {
  const stopping = new AbortController();
  const stopped = () => {
    stopping.abort(new InterruptedError('SIGTERM'));
    return Promise.reject(new FailedError('the session was ended'));
  };
  const [notice] = await noticesOf(() =>
    expect(withNotice('nightly', stopped, stopping)).rejects.toThrow('the session was ended'),
  );
  expect(notice).toMatch(/^nightly 143 interrupted by SIGTERM/);
});

test('a run that a signal stopped writes its metrics too', async () => {
  const books = await freshDatabase();
  const file = join(newFolder(), 'a.prom');
  vi.stubEnv('TIEOUT_METRICS_FILE', file);
  const stopping = new AbortController();
  const config = { ...configOn(books.url), signal: stopping.signal };
  const stopped = () => {
    stopping.abort(new InterruptedError('SIGTERM'));
    return Promise.reject(stopping.signal.reason);
  };
  await expect(withMetrics(config, false, stopped)).rejects.toBeInstanceOf(InterruptedError);
  await books.close();
  expect(warnings()).toEqual([]);
  expect(readFileSync(file, 'utf8')).toContain('tieout_runs_total');
});

test('a worker that ends otherwise notifies nobody: its supervisor starts it again', async () => {
  const lost = new FailedError('the database is gone');
  expect(await noticesOf(() => withMistakeNotice('worker', async () => {}))).toEqual([]);
  expect(
    await noticesOf(() => expect(withMistakeNotice('worker', () => Promise.reject(lost))).rejects.toBe(lost)),
  ).toEqual([]);
});

test('the notice of a night that several hosts share has beginning and end by one clock, in the form of all notices', async () => {
  const received = join(newFolder(), 'received');
  const ended = { ...BEGUN, startedAt: '2026-11-22T02:30:00.069101Z', finishedAt: '2026-11-22T02:31:00.5Z' };
  const config = {
    ...configOn('postgresql://127.0.0.1:9/none'),
    onFinish: `tee ${received}`,
    metricsFile: null,
  };
  await afterRun(config, ended, { exitCode: 0, summary: 'done' });
  expect(JSON.parse(readFileSync(received, 'utf8'))).toMatchObject({
    started_at: '2026-11-22T02:30:00.069Z',
    finished_at: '2026-11-22T02:31:00.500Z',
  });
});
