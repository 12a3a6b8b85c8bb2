// A table that is not what its manifest states is named by its first fault, in each proof that needs it, and by no consequence.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Manifest, manifestText } from '../../../src/export/reports/manifest.ts';
import { examine } from '../../../src/verify/report/examine.ts';
import { checksExamination } from '../../../src/verify/report/own-checks.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { shapeExamination } from '../../../src/verify/report/shape.ts';
import { withTables } from '../../../src/verify/report/tables.ts';
import { tiesExamination } from '../../../src/verify/report/ties.ts';
import { totalsExamination } from '../../../src/verify/report/totals.ts';
import { newFolder } from '../../room.ts';

const COLUMNS = 'entity_id,account,currency,closing,closing_value,missing_value,value_currency';
const ROWS = ['main,assets:trading,BTC,0.5,10,0,EUR', 'main,equity:opening,BTC,-0.5,-10,0,EUR'];
const ZERO = { debit: '0', credit: '0' };
const CLOSING = { assets: '0.5', liabilities: '0', equity: '-0.5', income: '0', expenses: '0' };

/** The first fault of each proof of a folder with this trial balance. */
const firstsOf = async (text: string | Buffer): Promise<(string | null)[]> => {
  const dir = newFolder();
  writeFileSync(join(dir, 'trial_balance.csv'), text);
  const manifest = {
    profile: 'machine',
    files: [{ name: 'trial_balance.csv', sha256: '', rows: 2, columns: COLUMNS.split(',') }],
    control_totals: [{ currency: 'BTC', ...ZERO, closing: CLOSING }],
  } as unknown as Manifest;
  const proofs = await withTables(dir, manifest, (tables) =>
    examine(tables, [
      shapeExamination(),
      totalsExamination(manifest),
      checksExamination(),
      tiesExamination(),
    ]),
  );
  expect(proofs[0]?.faults).toBe(proofs[0]?.first === null ? '0' : '1');
  return proofs.map(({ first }) => first);
};

const csv = (head: string, rows: readonly string[]): string => `${[head, ...rows].join('\n')}\n`;
const everywhere = (fault: string) => [fault, fault, fault, fault];

test('what is as stated has no fault', async () => {
  expect(await firstsOf(csv(COLUMNS, ROWS))).toEqual([null, null, null]);
});

test.each([
  ['other separators', csv(COLUMNS, ROWS).replaceAll(',', ';'), 'entity_id;account;currency;closing;closi'],
  ['another language', csv(COLUMNS.replace('entity_id', 'Entidad'), ROWS), 'Entidad'],
  ['no header', csv('main', ROWS), 'main'],
  ['another encoding', Buffer.from(csv(COLUMNS, ROWS), 'utf16le'), 'e\0n\0t\0i\0t\0y\0_\0i\0d\0'],
])('%s: the heading is the fault', async (_what, text, found) => {
  const fault = `trial_balance.csv, line 1, column 1: expected entity_id, found ${found}`;
  expect(await firstsOf(text)).toEqual(everywhere(fault));
});

test.each(['0,5', '1.000.5', '1e-7', '0x1', 'n/a', '5-'])('%j is no figure', async (cell) => {
  const rows = [ROWS[0]?.replace('0.5', `"${cell}"`) ?? '', ROWS[1] ?? ''];
  const fault = `trial_balance.csv: expected a figure, found ${JSON.stringify(cell)}`;
  expect(await firstsOf(csv(COLUMNS, rows))).toEqual(everywhere(fault));
});

test('a manifest with a byte order mark is read, and the mark is its fault', async () => {
  const dir = newFolder();
  const manifest = { program: { name: 'tieout' }, format: 'consolidated', files: [], sources: [] };
  writeFileSync(join(dir, 'manifest.json'), `\ufeff${manifestText(manifest)}`);
  const [first, ...others] = (await verifyFolder(dir)).proofs.map((proof) => proof.first);
  expect(first).toBe(
    'manifest.json begins with a byte order mark, which an editor puts there: save it as UTF-8 without one',
  );
  expect(others).toEqual([null, null]);
});

test('a manifest that lost its last line end is said to be cut off', async () => {
  const dir = newFolder();
  const text = manifestText({ program: { name: 'tieout' }, format: 'consolidated', files: [], sources: [] });
  writeFileSync(join(dir, 'manifest.json'), text.slice(0, -1));
  const lines = text.split('\n').length - 1;
  expect((await verifyFolder(dir)).proofs[0]?.first).toBe(
    `manifest.json is cut off after line ${lines}: take it from a copy, or export again`,
  );
});
