// A closed month that an earlier program sealed: its export holds the reports of then, not those of today.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportReports } from '../../src/export/export.ts';
import { septemberClosed } from './month.ts';

/** As if trades.csv had been called fills.csv then, and fees.csv had not been thought of. */
const OLDER = `
  update decide.seal_files set name = 'fills.csv' where name = 'trades.csv';
  delete from decide.seal_files where name = 'fees.csv';
  update decide.seals set seal = jsonb_set(seal::jsonb, '{manifest,files}', (
    select jsonb_agg(case f ->> 'name' when 'trades.csv' then f || '{"name": "fills.csv"}' else f end order by f ->> 'name')
    from jsonb_array_elements(seal::jsonb -> 'manifest' -> 'files') as f
    where f ->> 'name' <> 'fees.csv'
  ))::text`;

test('what was sealed is handed out, file by file, and nothing beside it', async () => {
  const { stage } = await septemberClosed();
  await stage.rows(OLDER);
  const outDir = join(stage.home, 'september');
  const { files } = await exportReports({
    ...{ pool: stage.database.pool, period: '2026-09-01..2026-09-30', outDir, entities: ['main'] },
    ...{ timezone: 'UTC', currency: 'EUR' },
  });
  const names = files.map(({ name }) => name);
  expect(names).toContain('fills.csv');
  expect(names).not.toContain('fees.csv');
  expect(readdirSync(outDir).sort()).toEqual([...names, 'manifest.json'].sort());
  const manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'));
  for (const { name, sha256 } of manifest.files)
    expect([
      name,
      createHash('sha256')
        .update(readFileSync(join(outDir, name)))
        .digest('hex'),
    ]).toEqual([name, sha256]);
});
