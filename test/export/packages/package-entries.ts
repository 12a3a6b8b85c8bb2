// Entries of a batch, made in memory, for the tests of writers and linters.
import {
  type BatchHead,
  journalOf,
  type PackageEntry,
  type PackageFormat,
  type PackageLine,
} from '../../../src/export/packages/package.ts';

export const HEAD: BatchHead = {
  year: '2026',
  number: 3,
  exportedAt: '2026-11-02T09:08:07.123Z',
  currency: 'EUR',
  settings: { consultant: '29098', client: '55003', account_digits: '4' },
};

/** A line `1200 12.34`: its code and value. */
export const line = (code: string, cents: bigint, more: Partial<PackageLine> = {}): PackageLine => ({
  account: 'assets:trading',
  currency: 'BTC',
  counterpartyType: '',
  units: '0.5',
  cents,
  code,
  name: `Account:${code}`,
  tax: 'Tax Exempt',
  dimension1: '',
  dimension2: '',
  ...more,
});

export const entry = (lines: readonly PackageLine[], more: Partial<PackageEntry> = {}): PackageEntry => ({
  ordinal: 1,
  id: '019a0000-0000-8000-8000-000000000001',
  day: '2026-10-31',
  kind: 'new',
  stream: 'trades',
  recordId: 't1',
  lines,
  ...more,
});

/** A purchase: the asset, its cost, the fee, a cent of rounding. */
export const purchase = (more: Partial<PackageLine> = {}): PackageEntry =>
  entry([
    line('1200', 10_000n, more),
    line('1000', -10_011n, more),
    line('6300', 10n, more),
    line('6999', 1n, more),
  ]);

/** The bytes of one file with these entries. */
export const fileOf = (format: PackageFormat, entries: readonly PackageEntry[]): Buffer => {
  const days = { from: entries[0]?.day ?? '', to: entries.at(-1)?.day ?? '' };
  const rows = entries.flatMap((entry) => cellsOf(format, entry));
  return format.encode(format.head(HEAD, days) + rows.map(format.row).join(''));
};

/** The cells of each line of an entry. */
export const cellsOf = (format: PackageFormat, entry: PackageEntry): (readonly string[])[] => {
  const journal = journalOf(format, entry, HEAD);
  return journal.bookings.map((booking) => format.cells(booking, journal, HEAD));
};

/** The same file with a text replaced, byte for byte. */
export const spoilt = (bytes: Buffer, from: string, to: string): Buffer => {
  const text = bytes.toString('latin1');
  if (!text.includes(from)) throw new Error(`the file has no ${from}`);
  return Buffer.from(text.replace(from, to), 'latin1');
};
