// Batches for tests: books with a value layer, an account map, and the sums of a batch's files.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type BatchRequest,
  type ExportedBatch,
  exportBatch,
} from '../../../src/export/packages/export-batch.ts';
import type { PackageName } from '../../../src/export/packages/packages.ts';
import type { TestDatabase } from '../../database.ts';
import { LINTERS } from './linters.ts';

/** The books that tests export, and the folder of the files. */
export type Stand = { readonly books: TestDatabase; readonly folder: string };

const MAP = `account,currency,counterparty_type,code,name,tax
assets:trading,BTC,,1200,Bitcoin,TAX
assets:trading,,,1210,Trading,TAX
assets:pocket:*,,,1220,Pockets,TAX
equity:external:*,,own,1000,Bank,TAX
equity:external:*,,,3000,Third parties,TAX
expenses:*,,,6300,Fees,TAX
`;

const TAXES: Record<PackageName, string> = { xero: 'Tax Exempt', quickbooks: '', datev: '', holded: '' };

/** October of main, by Ada, to a folder named by package and number. */
export const ask = ({ folder }: Stand, name: PackageName, more: Partial<BatchRequest> = {}): BatchRequest => {
  const mapFile = join(folder, `${name}.csv`);
  writeFileSync(mapFile, MAP.replaceAll('TAX', TAXES[name]));
  return {
    entity: 'main',
    period: '2026-10',
    timezone: 'UTC',
    currency: 'EUR',
    package: name,
    mapFile,
    settings: {},
    datev: '29098/55003',
    by: 'Ada B.',
    at: '2026-11-02T09:00:00.000Z',
    outDir: ({ number }) => join(folder, `${name}-${number}`),
    ...more,
  };
};

export const deskOf = ({ books }: Stand) => ({ pool: books.pool, decider: books.db, url: books.url });

export const hand = (stand: Stand, name: PackageName, more: Partial<BatchRequest> = {}) =>
  exportBatch(deskOf(stand), ask(stand, name, more));

/** The batches of the books, in order: `1 xero`. */
export const numbers = async ({ books }: Stand): Promise<string[]> =>
  (await books.pool.query('select package, batch_number as n from books.batches order by year, 2')).rows.map(
    (row) => `${row.n} ${row.package}`,
  );

export const read = ({ dir }: Pick<ExportedBatch, 'dir'>, name: string) => readFileSync(join(dir, name));

/** The package's own files of a batch. */
export const ofPackage = ({ files }: Pick<ExportedBatch, 'files'>) =>
  files.filter((file) => !file.name.startsWith('batch_'));

/** What batches booked to each account of a package, in cents, by the bytes of their files. */
export const summed = (
  name: PackageName,
  batches: readonly Pick<ExportedBatch, 'dir' | 'files'>[],
): Record<string, string> => {
  const sums = new Map<string, bigint>();
  for (const batch of batches)
    for (const file of ofPackage(batch)) {
      const { faults, totals } = LINTERS[name](read(batch, file.name));
      expect(faults).toEqual([]);
      for (const [key, cents] of totals) sums.set(key, (sums.get(key) ?? 0n) + cents);
    }
  return Object.fromEntries(
    [...sums].filter(([, cents]) => cents !== 0n).map(([key, cents]) => [key, `${cents}`]),
  );
};
