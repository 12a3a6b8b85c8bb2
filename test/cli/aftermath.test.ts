// What follows a run: neither its notice nor its metrics can make it fail.
import { join } from 'node:path';
import { afterEach, beforeEach, expect, type MockInstance, test, vi } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { afterRun, withNotice } from '../../src/cli/aftermath.ts';
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
