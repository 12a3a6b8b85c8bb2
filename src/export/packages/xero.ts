// Xero: the import file for manual journals, with the columns, order and rules of help.xero.com/int/ManualJournalsImport:
// rows with the same narration and date are one journal, amounts are debit positive, dates dd/mm/yyyy, every line has the
// full name of a tax rate. A dimension is a tracking category and its option, `Region: North`.
import {
  bookingPerLine,
  dayParts,
  decimal,
  delimitedFormat,
  fitted,
  journalNumber,
  movedText,
  onlySide,
  type PackageFormat,
  tooLong,
} from './package.ts';
import { XERO_LIMITS as LIMITS } from './package-limits.ts';

const TRACKING = /^([^:\s][^:]*): ?(\S.*)$/;

const trackingOf = (dimension: string): [name: string, option: string] => {
  const [, name = '', option = ''] = TRACKING.exec(dimension) ?? [];
  return [name, option];
};

/** Xero books these from its own documents only (help.xero.com, "Manual journals", "Record movements in system accounts"). */
const CLOSED: Readonly<Record<string, string>> = {
  bank: 'a bank account: map it to a clearing account, and let the bank feed meet it there',
  receivable: 'accounts receivable: map it to a secondary current-asset account',
  payable: 'accounts payable: map it to a secondary current-liability account',
};

export const XERO: PackageFormat = {
  ...delimitedFormat('xero', { limits: LIMITS, delimiter: ',' }),
  bookings: bookingPerLine,
  cells: (booking, journal, head) => {
    const side = onlySide(booking);
    const { year, month, day } = dayParts(journal.day);
    return [
      fitted(LIMITS, '*Narration', `${journalNumber(head, journal)} ${journal.text}`),
      `${day}/${month}/${year}`,
      fitted(LIMITS, 'Description', movedText(side) || journal.text),
      side.code,
      side.tax,
      decimal(side.cents),
      ...trackingOf(side.dimension1),
      ...trackingOf(side.dimension2),
    ];
  },
  booked: ([, , , code = '', , amount = '']) => [[code, amount]],
  keyOf: ({ code }) => code,
  // the rate without tax of the global edition: others call theirs No VAT (UK), No GST (New Zealand), BAS Excluded (Australia)
  ofChart: ({ code, names }) => ({ code, name: names.en, tax: 'Tax Exempt' }),
  mapFaults: ({ code, tax, type, dimension1, dimension2 }) => [
    ...tooLong(LIMITS, '*AccountCode', code),
    ...(tax === '' ? ['tax is empty: Xero wants the full name of a tax rate, such as Tax Exempt'] : []),
    ...tooLong(LIMITS, '*TaxRate', tax),
    ...(CLOSED[type] === undefined ? [] : [`a manual journal of Xero cannot book ${code}, ${CLOSED[type]}`]),
    ...[dimension1, dimension2].flatMap(trackingFaults),
    ...(dimension1 === '' || trackingOf(dimension1)[0] !== trackingOf(dimension2)[0]
      ? []
      : [`both dimensions are of the category ${trackingOf(dimension1)[0]}`]),
  ],
};

const trackingFaults = (dimension: string): string[] => {
  if (dimension === '') return [];
  const [name, option] = trackingOf(dimension);
  if (name === '')
    return [`the dimension ${dimension} is not a tracking category and its option, Region: North`];
  return [...tooLong(LIMITS, 'TrackingName1', name), ...tooLong(LIMITS, 'TrackingOption1', option)];
};
