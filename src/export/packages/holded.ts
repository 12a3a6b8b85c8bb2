// Holded: the import template of the journal (libro diario), as in help.holded.com/en/articles/6895995 and
// es/articles/10006986: fixed columns, rows with the same number and date are one entry, decimal commas without separators
// of thousands, accounts by number and name. The template is a spreadsheet: open this file in one, and paste its rows
// below the head of the template. Dimensions are tags.
import { UsageError } from '../../base/errors.ts';
import { sideAmount } from './booked-amount.ts';
import {
  bookingPerLine,
  dayParts,
  decimal,
  delimitedFormat,
  fitted,
  lineText,
  onlySide,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { HOLDED_LIMITS as LIMITS } from './package-limits.ts';

/** Without it, spreadsheets read the file in the machine's own character set. */
const BYTE_ORDER_MARK = '\ufeff';

export const HOLDED: PackageFormat = {
  ...delimitedFormat('holded', { limits: LIMITS, delimiter: ';', mark: BYTE_ORDER_MARK }),
  bookings: bookingPerLine,
  cells: (booking, journal) => {
    const side = onlySide(booking);
    const { year, month, day } = dayParts(journal.day);
    return [
      String(journal.ordinal),
      `${day}/${month}/${year}`,
      side.name,
      side.code,
      side.cents > 0n ? decimal(side.cents, ',') : '',
      side.cents < 0n ? decimal(-side.cents, ',') : '',
      fitted(LIMITS, 'Description', lineText(journal, side)),
      [side.dimension1, side.dimension2].filter((tag) => tag !== '').join('-'),
      journal.reference,
      '',
    ];
  },
  settings: ({ codes }) => {
    if (new Set(codes.map(({ length }) => length)).size > 1)
      throw new UsageError(
        `Holded has codes of one length: the map and earlier batches have ${codes.join(', ')}`,
      );
    return {};
  },
  booked: ([, , , code = '', debit, credit]) => [[code, sideAmount(debit, credit).replace(',', '.')]],
  keyOf: ({ code }) => code,
  ofChart: ({ code, names }) => ({ code, name: names.es, tax: '' }),
  mapFaults: ({ code, name, tax, dimension1, dimension2 }) => [
    ...(/^[1-9]\d{3,11}$/.test(code)
      ? []
      : [`the code ${code} is not 4 to 12 digits, the first not 0: a spreadsheet drops a 0 in front`]),
    ...(name === '' ? ['name is empty: Holded wants the name of each account'] : []),
    ...tooLong(LIMITS, 'Name of the accounting account', name),
    ...(tax === '' ? [] : ['tax must be empty: the template has no column for it']),
    ...[dimension1, dimension2].flatMap((tag) =>
      tag.includes('-') ? [`the tag ${tag} has a dash, which separates tags`] : [],
    ),
  ],
};
