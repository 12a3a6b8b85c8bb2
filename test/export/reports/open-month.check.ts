// A month that is not over is reported as of the watermark, never as of its end or of the clock.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isoOf, nowMs } from '../../../src/base/time.ts';
import { exportReports } from '../../../src/export/export.ts';
import { openStage } from '../../jobs/stage.ts';

const HOUR_MS = 3_600_000;

const cellsOf = (dir: string, name: string): Record<string, string>[] => {
  const [head = '', ...lines] = readFileSync(join(dir, name), 'utf8').trim().split('\n');
  const columns = head.split(',');
  return lines.map((line) =>
    Object.fromEntries(line.split(',').map((cell, position) => [columns[position], cell])),
  );
};

test('holdings of an open month have market values at the watermark, which is in the manifest', async () => {
  const until = isoOf(nowMs() - (nowMs() % HOUR_MS));
  const stage = await openStage({ until, days: 4 });
  await stage.night();
  const month = until.slice(0, 7);
  const [outDir, pool] = [join(stage.home, 'open'), stage.database.pool];
  const { manifest, dir } = await exportReports({
    pool,
    period: month,
    outDir,
    timezone: 'UTC',
    currency: 'EUR',
  });
  const asOf = manifest.as_of ?? '';
  expect(asOf < manifest.to && asOf >= until, `${until} <= ${asOf} < ${manifest.to}`).toBe(true);
  const holdings = cellsOf(dir, 'valuation.csv');
  expect(holdings.length).toBeGreaterThan(5);
  for (const { currency, as_of: valuedAt = '', market_value: value, market_at: rateAt = '' } of holdings) {
    expect(valuedAt < manifest.to, `${currency} as of ${valuedAt}`).toBe(true);
    expect(value, currency).not.toBe('');
    expect(currency === 'EUR' || rateAt <= valuedAt, `${currency}: a rate of ${rateAt}`).toBe(true);
  }
});
