// verify report: a night that finds every balance as before writes no month that is over again, and its folder still holds.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extractOnly, reconcileOnly } from '../../../jobs/nightly.ts';
import { type Work, withRun } from '../../../src/run/work.ts';
import { deskOn, idOf } from '../../approvals/desk.ts';
import { as } from '../../close/month.ts';
import { openStageAfterNight, type Stage } from '../../jobs/stage.ts';
import { exported, faultIn, forged, MONTH } from './month-folder.ts';

/** A comparison carries the second of the gateway's clock. */
const NEXT_SECOND_MS = 1_100;

/** An extract alone: it reads, and compares and books nothing. */
const extracted = (stage: Stage) => {
  const config = stage.settings();
  const work = (running: Work) => extractOnly(running, config, { isFull: false });
  return withRun(config, 'extract', { tell: () => {}, work });
};

let stage: Stage;
const ends: (() => Promise<void>)[] = [];
let afterNight: string[];
let afterExtract: string[];

/** A night, and an extract alone, with exports after each; then two nights that find every balance as before. */
beforeAll(async () => {
  stage = await openStageAfterNight({}, (end) => void ends.push(end));
  afterNight = await exported(stage, [
    ['csv', 'excel-de'],
    ['xlsx', 'machine'],
  ]);
  await sleep(NEXT_SECOND_MS);
  await extracted(stage);
  afterExtract = await exported(stage, [
    ['csv', 'machine'],
    ['xlsx', 'excel-en'],
  ]);
  await sleep(NEXT_SECOND_MS);
  await stage.nightWithFiles();
  manifest = manifestText();
  await sleep(NEXT_SECOND_MS);
  await stage.nightWithFiles();
});
afterAll(async () => {
  for (const end of ends) await end();
});

/** That of the month's folder, after the first of the nights that write files. */
let manifest: string;
const folder = (): string => join(stage.home, 'exports', MONTH);
const manifestText = (): string => readFileSync(join(folder(), 'manifest.json'), 'utf8');

test('an export in any format holds after quiet nights', async () => {
  for (const dir of afterNight) expect(await faultIn(stage, dir), dir).toBe(null);
});

test('a month holds after a quiet night, and not with another digit', async () => {
  expect(manifestText()).toBe(manifest);
  expect(await faultIn(stage, folder())).toBe(null);
  const digit = forged(folder(), 'tie_outs.csv', (text) => text.replace(/(\d),0,tied/, '$11,0,tied'));
  expect(await faultIn(stage, digit)).toMatch(/^tie_outs\.csv, line \d+, column /);
});

test('an export after an extract alone holds once nights have followed, and not with another coverage', async () => {
  for (const dir of afterExtract) expect(await faultIn(stage, dir), dir).toBe(null);
  const reach = forged(afterExtract[0] ?? '', 'coverage.csv', (text) => text.replace(/,20\d\d-/, ',2025-'));
  expect(await faultIn(stage, reach)).toMatch(/^coverage\.csv, line 2, column covered_to/);
});

test('an export holds after the same balances were compared again, and a break was found', async () => {
  const desk = deskOn(stage);
  const late = await desk.adjust('assets:trading <- equity:external:platform 5 EUR', `${MONTH}-28T10:00:00Z`);
  await desk.approve(idOf(late));
  const dirs = await exported(stage, [['csv', 'excel-de']]);
  await as(stage, (work) => reconcileOnly(work, {}));
  const breaks = await stage.rows(
    "select from books.breaks where status = 'open' and account = 'assets:trading'",
  );
  expect(breaks).not.toEqual([]);
  dirs.push(...(await exported(stage, [['csv', 'machine']])));
  for (const dir of dirs) expect(await faultIn(stage, dir), dir).toBe(null);
});
