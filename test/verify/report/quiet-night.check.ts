// verify report: a night that finds every balance as before writes no month that is over again, and its folder still holds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { extractOnly } from '../../../jobs/nightly.ts';
import { type Work, withRun } from '../../../src/run/work.ts';
import { openStage, openStageAfterNight, type Stage } from '../../jobs/stage.ts';
import { exported, faultIn, forged, MONTH } from './month-folder.ts';

/** A comparison carries the second of the gateway's clock. */
const NEXT_SECOND_MS = 1_100;

/** An extract alone: it reads, and compares and books nothing. */
const extracted = (stage: Stage) => {
  const config = stage.settings();
  const work = (running: Work) => extractOnly(running, config, { isFull: false });
  return withRun(config, 'extract', { tell: () => {}, work });
};

test('an export in any format holds after a quiet night', async () => {
  const stage = await openStageAfterNight();
  const written = await exported(stage, [
    ['csv', 'excel-de'],
    ['xlsx', 'machine'],
    ['xlsx', 'excel-en'],
  ]);
  await sleep(NEXT_SECOND_MS);
  await stage.night();
  for (const dir of written) expect(await faultIn(stage, dir), dir).toBe(null);
});

test('a month holds after quiet nights, and not with another digit or another time', async () => {
  const stage = await openStage();
  await stage.nightWithFiles();
  const dir = join(stage.home, 'exports', MONTH);
  const before = readFileSync(join(dir, 'manifest.json'), 'utf8');
  for (let nights = 0; nights < 2; nights += 1) {
    await sleep(NEXT_SECOND_MS);
    await stage.nightWithFiles();
  }
  expect(readFileSync(join(dir, 'manifest.json'), 'utf8')).toBe(before);
  expect(await faultIn(stage, dir)).toBe(null);
  const digit = forged(dir, 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await faultIn(stage, digit)).toMatch(/^tie_outs\.csv, line \d+, column /);
  const reach = forged(dir, 'coverage.csv', (text) => text.replace(/,20\d\d-/, ',2025-'));
  expect(await faultIn(stage, reach)).toMatch(/^coverage\.csv, line 2, column covered_to/);
});

test('an export after an extract alone holds once nights have followed, and not with another coverage', async () => {
  const stage = await openStageAfterNight();
  await sleep(NEXT_SECOND_MS);
  await extracted(stage);
  const written = await exported(stage, [
    ['csv', 'machine'],
    ['xlsx', 'excel-de'],
  ]);
  await sleep(NEXT_SECOND_MS);
  await stage.night();
  for (const dir of written) expect(await faultIn(stage, dir), dir).toBe(null);
  const reach = forged(written[0] ?? '', 'coverage.csv', (text) => text.replace(/,20\d\d-/, ',2025-'));
  expect(await faultIn(stage, reach)).toMatch(/^coverage\.csv, line 2, column covered_to/);
});
