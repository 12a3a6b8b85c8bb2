// Xero: the import file for manual journals, with the columns, order and rules of help.xero.com/int/ManualJournalsImport:
// rows with the same narration and date are one journal, amounts are debit positive, dates dd/mm/yyyy, every line has the
// full name of a tax rate.
import {
  dayParts,
  decimal,
  delimitedFormat,
  entryText,
  fitted,
  journalNumber,
  lineText,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { XERO_LIMITS as LIMITS } from './package-limits.ts';

export const XERO: PackageFormat = {
  ...delimitedFormat('xero', { limits: LIMITS, delimiter: ',' }),
  rows: (entry, head) => {
    const { year, month, day } = dayParts(entry.day);
    const narration = fitted(LIMITS, '*Narration', `${journalNumber(head, entry)} ${entryText(entry)}`);
    return entry.lines.map((line) => ({
      cells: [
        narration,
        `${day}/${month}/${year}`,
        fitted(LIMITS, 'Description', lineText(line)),
        line.code,
        line.tax,
        decimal(line.cents),
        '',
        '',
        '',
        '',
      ],
      sides: [{ line, cents: line.cents }],
    }));
  },
  keyOf: ({ code }) => code,
  ofChart: ({ code, names }) => ({ code, name: names.en, tax: 'Tax Exempt' }), // the name of the rate without tax in every Xero
  mapFaults: ({ code, tax }) => [
    ...tooLong(LIMITS, '*AccountCode', code),
    ...(tax === '' ? ['tax is empty: Xero wants the full name of a tax rate, such as Tax Exempt'] : []),
    ...tooLong(LIMITS, '*TaxRate', tax),
  ],
};
