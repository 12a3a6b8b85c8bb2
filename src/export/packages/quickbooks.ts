// QuickBooks Online: the import file for journal entries, as in Intuit's help article "Import journal entries" (L4tQBwbs7):
// rows with the same number are one entry, accounts have names instead of numbers, a subaccount is Parent:Sub. Dates have
// the month first, and the importer asks for their form. The first dimension is the class, the second the name of a
// customer or supplier.
import { sideAmount } from './booked-amount.ts';
import {
  bookingPerLine,
  dayParts,
  decimal,
  delimitedFormat,
  fitted,
  journalNumber,
  lineText,
  onlySide,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { QUICKBOOKS_LIMITS as LIMITS } from './package-limits.ts';

/** A name with an empty part, or with blanks around a part. */
const BLANK_PART = /(?:^|:)\s|\s(?::|$)|::|^:|:$/;

export const QUICKBOOKS: PackageFormat = {
  ...delimitedFormat('quickbooks', { limits: LIMITS, delimiter: ',' }),
  bookings: bookingPerLine,
  cells: (booking, journal, head) => {
    const side = onlySide(booking);
    const { year, month, day } = dayParts(journal.day);
    return [
      journalNumber(head, journal),
      `${month}/${day}/${year}`,
      side.name,
      side.cents > 0n ? decimal(side.cents) : '',
      side.cents < 0n ? decimal(-side.cents) : '',
      fitted(LIMITS, 'Description', lineText(journal, side)),
      side.dimension2,
      side.dimension1,
    ];
  },
  booked: ([, , name = '', debit, credit]) => [[name, sideAmount(debit, credit)]],
  keyOf: ({ name }) => name,
  ofChart: ({ code, names }) => ({ code, name: names.en.replaceAll(': ', ':'), tax: '' }),
  mapFaults: ({ name, tax, type, dimension1, dimension2 }) => [
    ...(name === '' ? ['name is empty: QuickBooks finds an account by its name, Parent:Sub'] : []),
    ...(BLANK_PART.test(name) ? [`the name ${name} is not written Parent:Sub`] : []),
    ...tooLong(LIMITS, 'AccountName', name),
    ...(tax === '' ? [] : ['tax must be empty: this import has no column for it']),
    ...(BLANK_PART.test(dimension1) ? [`the class ${dimension1} is not written Parent:Sub`] : []),
    ...tooLong(LIMITS, 'Class', dimension1),
    ...tooLong(LIMITS, 'Name', dimension2),
    ...((type === 'receivable' || type === 'payable') && dimension2 === ''
      ? [`QuickBooks books ${name} only with a customer or supplier: write the name in dimension2`]
      : []),
  ],
};
