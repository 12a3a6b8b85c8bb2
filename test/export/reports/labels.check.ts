// Labels in reports: beside every column of ids, and in a closed month as they were when it was sealed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readLabels } from '../../../src/approvals/label-file.ts';
import { labelsChange } from '../../../src/approvals/labels.ts';
import { ownRows } from '../../../src/base/csv-file.ts';
import { restateMonth } from '../../../src/close/restate.ts';
import { sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { headings } from '../../../src/export/reports/headings.ts';
import { byBoth } from '../../approvals/both.ts';
import { fileOf } from '../../approvals/desk.ts';
import { SEPTEMBER, septemberClosed } from '../../close/month.ts';
import type { Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';

let stage: Stage;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  ({ stage } = await septemberClosed(async (end) => void ends.push(end)));
});
afterAll(async () => {
  for (const end of ends) await end();
});

const BESIDE: Readonly<Record<string, string>> = {
  entity_id: 'entity_name',
  lot_entity_id: 'lot_entity_name',
  account: 'account_label',
  partner_id: 'partner_name',
  across: 'across_label',
  counterparty: 'counterparty_label',
};

const exported = async (period: string): Promise<Record<string, string[][]>> => {
  const outDir = join(newFolder(), period);
  await exportReports({ pool: stage.database.pool, period, outDir, timezone: 'UTC', currency: 'EUR' });
  return Object.fromEntries(
    sqlPaths('reports').map((path) => {
      const name = path.replace(/^reports\/|\.sql$/g, '');
      return [name, ownRows(readFileSync(join(outDir, `${name}.csv`), 'utf8'))];
    }),
  );
};

const label = async (...lines: string[]) => {
  const file = fileOf(['kind,id,label', ...lines].join('\n'), 'labels.csv');
  const change = await labelsChange(stage.database.db, { lines: readLabels(file), fileName: 'labels.csv' });
  await byBoth(stage.database.db, change, { settings: { timezone: 'UTC', currency: 'EUR' } });
};

/** The cells of two columns beside each other, each pair once. */
const pairs = (rows: string[][] = [], column = ''): string[] => {
  const index = rows[0]?.indexOf(column) ?? -1;
  expect(index, column).toBeGreaterThan(-1);
  return [...new Set(rows.slice(1).map((row) => `${row[index]} = ${row[index + 1]}`))].sort();
};

test('every column of ids has its labels beside it, in every report, in each language', async () => {
  const reports = await exported('2026-10');
  const [subaccount = ''] = pairs(reports.trial_balance, 'entity_id').filter(
    (pair) => !pair.startsWith('main'),
  );
  const sub = subaccount.replace(' = ', '');
  await label(
    'entity,main,"Acme, S.L."',
    `entity,${sub},Acme Trading`,
    'account,assets:trading,Desk',
    'account,equity:conversion,Swaps',
  );
  const labelled = await exported('2026-10');
  let columns = 0;
  for (const [report, rows] of Object.entries(labelled)) {
    const [head = []] = rows;
    for (const [index, name] of head.entries()) {
      if (BESIDE[name] === undefined) continue;
      columns += 1;
      expect(head[index + 1], `${report}.${name}`).toBe(BESIDE[name]);
      expect(headings().has(BESIDE[name]), BESIDE[name]).toBe(true);
    }
    const without = (row: string[]) =>
      row.filter((_, index) => !Object.values(BESIDE).includes(head[index] ?? ''));
    expect(rows.map(without), report).toEqual(reports[report]?.map(without)); // labels change nothing else
  }
  expect(columns).toBeGreaterThan(40);
  expect(pairs(labelled.trial_balance, 'entity_id')).toEqual([`${sub} = Acme Trading`, 'main = Acme, S.L.']);
  expect(pairs(labelled.general_ledger, 'across')).toContain('equity:conversion = Swaps');
  const accounts = pairs(labelled.trial_balance, 'account');
  expect(accounts.filter((pair) => !pair.endsWith(' = '))).toEqual([
    'assets:trading = Desk',
    'equity:conversion = Swaps',
  ]);
  expect(accounts.length).toBeGreaterThan(5);
});

const pageOf = async (
  period: string,
  scope: { readonly entities?: readonly string[] } = { entities: ['main'] },
): Promise<string> => {
  const outDir = join(newFolder(), period);
  const { pool } = stage.database;
  await exportReports({ pool, period, outDir, timezone: 'UTC', currency: 'EUR', ...scope });
  return readFileSync(join(outDir, 'report.html'), 'utf8');
};

test('a closed month has the labels it was sealed with, and they are no restatement', async () => {
  const [page, ofAll] = [await pageOf('2026-09'), await pageOf('2026-09', {})];
  await label(
    'entity,main,Acme New',
    'counterparty,the platform,Acme Exchange',
    'account,assets:trading,Desk',
  );
  expect(await pageOf('2026-09')).toBe(page);
  expect(await pageOf('2026-09', {})).toBe(ofAll);
  const open = await pageOf('2026-10');
  expect(open).toContain('Acme New');
  expect(open).toContain('<bdi class="name" title="the platform">Acme Exchange</bdi>');
  const sealed = await exported('2026-09');
  expect(pairs(sealed.trial_balance, 'entity_name').every((pair) => pair.startsWith(' ='))).toBe(true);
  const { pool } = stage.database;
  expect((await restateMonth(pool, { entity: 'main', ...SEPTEMBER })).reports).toEqual([]);
});
