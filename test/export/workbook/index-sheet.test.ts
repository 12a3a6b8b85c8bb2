// The index of the workbook: what an entity is called, beside its id.
import { expect, test } from 'vitest';
import { EXCEL_PROFILES } from '../../../src/export/reports/profile.ts';
import { indexOf } from '../../../src/export/workbook/index-sheet.ts';

test('entities have their names, with the id beside; one without a name has its id', () => {
  const head = {
    period: '2026-10',
    from: '2026-10-01T00:00:00.000Z',
    to: '2026-11-01T00:00:00.000Z',
    timezone: 'UTC',
    currency: 'EUR',
    entities: ['main', 'sub'],
    profile: 'excel-es',
    format: 'xlsx',
    settings: {},
  } as const;
  const { below = [] } = indexOf([], {
    profile: EXCEL_PROFILES['excel-es'],
    head,
    names: new Map([['main', 'Holding S.L.']]),
    reportOf: (table) => table,
  });
  expect(below.map(({ values }) => values)).toContainEqual(['Entidades', null, 'Holding S.L. (main), sub']);
});
