// The result of a run: its summary is one line, however many entities failed.
import { expect, test } from 'vitest';
import { concludeRun } from '../../jobs/run-result.ts';
import { withRun } from '../../src/run/work.ts';
import { openStage } from './stage.ts';

test.each([
  [1, '; failed: e1: refused'],
  [3, '; failed: e1: refused; e2: refused; e3: refused'],
  [4, '; failed: e1: refused; e2: refused; e3: refused; and 1 other entity'],
  [5_000, '; failed: e1: refused; e2: refused; e3: refused; and 4997 other entities'],
])('%i entities that failed', async (count, end) => {
  const stage = await openStage();
  const failures = new Map(Array.from({ length: count }, (_, nth) => [`e${nth + 1}`, new Error('refused')]));
  const { exitCode, summary } = await withRun(stage.settings(), 'nightly', {
    tell: () => {},
    work: (work) => concludeRun(work, { entities: [], failures, requests: 7 }),
  });
  expect([exitCode, summary]).toEqual([2, expect.stringMatching(new RegExp(`\\)${end}$`))]);
});
