// Xero: the import file for manual journals. Columns, order and rules as help.xero.com/int/ManualJournalsImport tells
// them: rows of one narration and date are one journal, amounts are debit positive, dates dd/mm/yyyy, every line has the
// full name of a tax rate.
import { lintXero } from './lint-xero.ts';
import {
  batchName,
  dayParts,
  decimal,
  delimited,
  entryText,
  fitted,
  journalNumber,
  lineText,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { XERO_LIMITS as LIMITS } from './package-limits.ts';

export const XERO: PackageFormat = {
  limits: LIMITS,
  headLines: 1,
  isMonthly: false,
  fileName: (head, part) => `xero-${batchName(head)}-${part}.csv`,
  head: () => delimited(LIMITS.columns, ','),
  rows: (entry, head) => {
    const { year, month, day } = dayParts(entry.day);
    const narration = fitted(LIMITS, '*Narration', `${journalNumber(head, entry)} ${entryText(entry)}`);
    return entry.lines.map((line) => ({
      cells: [
        ...[narration, `${day}/${month}/${year}`, fitted(LIMITS, 'Description', lineText(line))],
        ...[line.code, line.tax, decimal(line.cents), '', '', '', ''],
      ],
      sides: [{ line, cents: line.cents }],
    }));
  },
  row: (cells) => delimited(cells, ','),
  encode: (text) => Buffer.from(text, 'utf8'),
  settings: () => ({}),
  keyOf: ({ code }) => code,
  mapFaults: ({ code, tax }) => [
    ...tooLong(LIMITS, '*AccountCode', code),
    ...(tax === '' ? ['tax is empty: Xero wants the full name of a tax rate, such as Tax Exempt'] : []),
    ...tooLong(LIMITS, '*TaxRate', tax),
  ],
  lint: lintXero,
};
