// Holded: the import template of the journal (libro diario), as in help.holded.com/en/articles/6895995 and
// es/articles/10006986: fixed columns, rows with the same number and date are one entry, decimal commas without separators
// of thousands, accounts by number and name. The template is a spreadsheet: open this file in one, and paste its rows
// below the head of the template.
import { UsageError } from '../../base/errors.ts';
import {
  dayParts,
  decimal,
  delimitedFormat,
  entryText,
  fitted,
  lineText,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { HOLDED_LIMITS as LIMITS } from './package-limits.ts';

/** Without it, spreadsheets read the file in the machine's own character set. */
const BYTE_ORDER_MARK = '\ufeff';

export const HOLDED: PackageFormat = {
  ...delimitedFormat('holded', { limits: LIMITS, delimiter: ';', mark: BYTE_ORDER_MARK }),
  rows: (entry) => {
    const { year, month, day } = dayParts(entry.day);
    return entry.lines.map((line) => ({
      cells: [
        String(entry.ordinal),
        `${day}/${month}/${year}`,
        line.name,
        line.code,
        line.cents > 0n ? decimal(line.cents, ',') : '',
        line.cents < 0n ? decimal(-line.cents, ',') : '',
        fitted(LIMITS, 'Description', `${entryText(entry)}: ${lineText(line)}`),
        '',
        entry.id,
        '',
      ],
      sides: [{ line, cents: line.cents }],
    }));
  },
  settings: ({ codes }) => {
    if (new Set(codes.map(({ length }) => length)).size > 1)
      throw new UsageError(
        `Holded has codes of one length: the map and earlier batches have ${codes.join(', ')}`,
      );
    return {};
  },
  keyOf: ({ code }) => code,
  ofChart: ({ code, names }) => ({ code, name: names.es, tax: '' }),
  mapFaults: ({ code, name, tax }) => [
    ...(/^\d{4,12}$/.test(code) ? [] : [`the code ${code} is not 4 to 12 digits`]),
    ...(name === '' ? ['name is empty: Holded wants the name of each account'] : []),
    ...tooLong(LIMITS, 'Name of the accounting account', name),
    ...(tax === '' ? [] : ['tax must be empty: the template has no column for it']),
  ],
};
