// Export batches over real nights, with the roles that write them: all batches of a package together equal the books, and a
// rebuild does not change that.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { exportNewBatch } from '../../../src/actions/export-batch.ts';
import { rebuild } from '../../../src/actions/rebuild.ts';
import { InterruptedError } from '../../../src/base/errors.ts';
import { exportPackage } from '../../../src/cli/package-export.ts';
import { figureSettings } from '../../../src/config/environment.ts';
import type { ExportedBatch } from '../../../src/export/packages/export-batch.ts';
import { centsOf } from '../../../src/export/packages/package.ts';
import { PACKAGE_NAMES, type PackageName, packageOf } from '../../../src/export/packages/packages.ts';
import { type Work, withRun } from '../../../src/run/work.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { openStage, type Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { LINTERS } from './linters.ts';

/** One code per class, so that accounts can be derived from codes. */
const CLASSES = { assets: '1200', liabilities: '3500', equity: '2900', income: '4800', expenses: '6300' };

let stage: Stage;
let folder: string;
const ends: (() => Promise<void>)[] = [];
const batches = new Map<PackageName, ExportedBatch[]>();

beforeAll(async () => {
  stage = await openStage({ days: 6, perDay: 30 }, (end) => void ends.push(end));
  folder = newFolder();
  await stage.night();
});
afterAll(async () => {
  for (const end of ends) await end();
});

const mapFor = (name: PackageName): string => {
  const tax = name === 'xero' ? 'Tax Exempt' : '';
  const lines = Object.entries(CLASSES).map(([path, code]) => `${path}:*,,,${code},${path},${tax}`);
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, `account,currency,counterparty_type,code,name,tax\n${lines.join('\n')}\n`);
  return file;
};

/** Exports to a package what it has not received; null if there is nothing. */
const exportNext = async (name: PackageName): Promise<ExportedBatch | null> => {
  const config = stage.settings();
  const { timezone, currency } = config;
  const ask = {
    entity: 'main',
    period: '2026',
    timezone,
    currency,
    package: name,
    mapFile: mapFor(name),
    datev: '29098/55003',
    by: 'Ada B.',
    settings: figureSettings(config),
    outDir: ({ number }: { number: number }) => join(folder, `${name}-${number}`),
  };
  const made: (ExportedBatch | null)[] = [];
  await withRun(config, 'export', {
    tell: () => {},
    work: async (work) => {
      const { result, exported } = await exportNewBatch(work, ask);
      made.push(exported);
      return result;
    },
  });
  const [exported = null] = made;
  if (exported) batches.set(name, [...(batches.get(name) ?? []), exported]);
  return exported;
};

/** The sums that all batches of a package booked, account by account, from the bytes of their files. */
const booked = (name: PackageName): Record<string, bigint> => {
  const sums: Record<string, bigint> = {};
  for (const { dir, files } of batches.get(name) ?? [])
    for (const file of files.filter((file) => !file.name.startsWith('batch_')))
      for (const [key, cents] of LINTERS[name](readFileSync(join(dir, file.name))).totals)
        sums[key] = (sums[key] ?? 0n) + cents;
  return Object.fromEntries(Object.entries(sums).filter(([, cents]) => cents !== 0n));
};

const wanted = async (name: PackageName): Promise<Record<string, bigint>> => {
  const rows = await stage.rows(`
    select split_part(account, ':', 1) as class, trim_scale(sum(value)) as value
    from books.value_postings where entity_id = 'main' group by 1 having sum(value) <> 0`);
  const key = (path: string) =>
    packageOf(name).keyOf({ code: CLASSES[path as keyof typeof CLASSES], name: path });
  return Object.fromEntries(rows.map((row) => [key(row.class ?? ''), centsOf(row.value ?? '') ?? 0n]));
};

test.each(PACKAGE_NAMES)('%s: two nights, two batches, together equal to the books', async (name) => {
  const first = await exportNext(name);
  expect(Number(first?.manifest.batch?.entries)).toBeGreaterThan(50);
  expect(booked(name)).toEqual(await wanted(name));
  const { proofs } = await verifyFolder(first?.dir ?? '');
  expect(proofs.filter(({ faults }) => faults !== '0')).toEqual([]);
  expect(await exportNext(name)).toBeNull();
});

test('a later night exports only what is new, and a rebuild nothing', async () => {
  await stage.advance(2);
  await stage.night();
  for (const name of PACKAGE_NAMES) {
    const more = await exportNext(name);
    expect(Number(more?.manifest.batch?.entries)).toBeGreaterThan(10);
    expect(booked(name)).toEqual(await wanted(name));
  }
  const settings = stage.settings();
  const work = async (work: Work) => (await rebuild(work)).result;
  await withRun(settings, 'rebuild', { tell: () => {}, as: 'owner', work });
  expect(await exportNext('xero')).toBeNull();
  expect(await stage.rows('select distinct exported_by from books.batches')).toEqual([
    { exported_by: 'Ada B.' },
  ]);
});

test('a batch that is recorded while a signal ends its run is named with its folder all the same', async () => {
  const out = join(newFolder(), 'stopped');
  const stop = new AbortController();
  const looking = setInterval(() => {
    if (existsSync(out)) stop.abort(new InterruptedError('SIGTERM')); // it is in its place, and about to be committed
  }, 1);
  const printed: string[] = [];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => printed.push(String(text)) > 0);
  const config = { ...stage.settings(), signal: stop.signal };
  const options = { again: '1', period: '2026', by: 'Ada', entity: 'main', out, json: true };
  const error = await exportPackage(config, options, 'xero').catch((failure: unknown) => failure);
  clearInterval(looking);
  write.mockRestore();
  expect(error).toBeInstanceOf(InterruptedError);
  expect(JSON.parse(printed.join(''))).toMatchObject({ dir: out });
});
