// DATEV: a Buchungsstapel in the DATEV-Format (EXTF), header version 700, format version 13, as specified on
// developer.datev.de: CP1252, CRLF, semicolons, text in quotes, decimal commas, a header, a line of columns, a file per month.
import assert from 'node:assert/strict';
import { cp1252Bytes } from '../../base/cp1252.ts';
import { UsageError } from '../../base/errors.ts';
import { isDatevText } from './datev-columns.ts';
import { pairsOf } from './datev-pairs.ts';
import {
  type AccountSide,
  type BatchHead,
  batchName,
  dayParts,
  decimal,
  fitted,
  type Journal,
  journalNumber,
  movedText,
  type PackageBooking,
  type PackageFormat,
  type PackageOptions,
} from './package.ts';
import { DATEV_LIMITS as LIMITS } from './package-limits.ts';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const compact = (day: string): string => day.replaceAll('-', '');

/** The first day of the fiscal year that a day falls in. A file holds one month, and fiscal years begin with a month. */
const yearStart = (day: string, { settings }: BatchHead): string => {
  const { year, month } = dayParts(day);
  const first = settings.fiscal_year_start ?? '01';
  return `${month < first ? String(Number.parseInt(year, 10) - 1) : year}${first}01`;
};

/** The 31 fields of the header. Festschreibung 0: the accountant reviews the batch before it is fixed. */
const headerOf = (head: BatchHead, days: { readonly from: string; readonly to: string }): string =>
  [
    quoted('EXTF'),
    '700',
    '21',
    quoted('Buchungsstapel'),
    '13',
    head.exportedAt.replaceAll(/\D/g, '').slice(0, 17).padEnd(17, '0'),
    '',
    quoted(''),
    quoted(''),
    quoted(''),
    head.settings.consultant,
    head.settings.client,
    yearStart(days.from, head),
    head.settings.account_digits,
    compact(days.from),
    compact(days.to),
    quoted(`tieout ${batchName(head)}`),
    quoted(''),
    '1',
    '0',
    '0',
    quoted(head.currency),
    '',
    quoted(''),
    '',
    '',
    quoted(''),
    '',
    '',
    quoted(''),
    quoted(''),
  ].join(';');

const cellsOf = (booking: PackageBooking, journal: Journal, head: BatchHead): string[] => {
  const [debit, credit] = sidesOf(booking, journal);
  const { month, day } = dayParts(journal.day);
  const cells: Readonly<Record<string, string>> = {
    'Umsatz (ohne Soll/Haben-Kz)': decimal(debit.cents, ','),
    'Soll/Haben-Kennzeichen': 'S',
    'WKZ Umsatz': head.currency,
    Konto: debit.code,
    'Gegenkonto (ohne BU-Schlüssel)': credit.code,
    'BU-Schlüssel': oneOf('tax', [debit, credit], journal),
    Belegdatum: `${day}${month}`,
    'Belegfeld 1': journalNumber(head, journal),
    'Belegfeld 2': batchName(head),
    Buchungstext: fitted(LIMITS, 'Buchungstext', journal.text),
    'Beleginfo - Art 1': journal.isSum ? 'tieout entries' : 'tieout entry',
    'Beleginfo - Inhalt 1': journal.reference,
    'KOST1 - Kostenstelle': oneOf('dimension1', [debit, credit], journal),
    'KOST2 - Kostenstelle': oneOf('dimension2', [debit, credit], journal),
    ...filters([
      ['Vorgangsart', journal.streamsOf(booking)],
      ['Zeitraum', journal.span],
      ['Asset Soll', assetsOf(debit)],
      ['Asset Haben', assetsOf(credit)],
      // an account in several pairs has its units once, so a sum of pairs has none
      ...(journal.isSum
        ? []
        : [['Bewegung Soll', movedText(debit)] as const, ['Bewegung Haben', movedText(credit)] as const]),
    ]),
    Festschreibung: '0',
  };
  return LIMITS.columns.map((name, i) =>
    isDatevText(i + 1) ? quoted(cells[name] ?? '') : (cells[name] ?? ''),
  );
};

/** Debit and credit. Throws a UsageError if both are one account: only its tax or dimension changes, and DATEV has no form for that. */
const sidesOf = (booking: PackageBooking, { text }: Journal): [AccountSide, AccountSide] => {
  const [debit, credit] = booking;
  assert(debit && credit, 'a booking of DATEV has a debit and a credit');
  if (debit.code === credit.code)
    throw new UsageError(
      `${text} books ${debit.code} against itself, with another tax or dimension, and DATEV refuses that: give the account one of each in the account map`,
    );
  return [debit, credit];
};

/** Zusatzinformation, by which users of DATEV filter: a name and its content, each in its own place. DATEV wants both or neither. */
const filters = (labels: readonly (readonly [name: string, content: string])[]): Record<string, string> =>
  Object.fromEntries(
    labels.flatMap(([name, content], i) => [
      [`Zusatzinformation - Art ${i + 1}`, content === '' ? '' : name],
      [`Zusatzinformation- Inhalt ${i + 1}`, fitted(LIMITS, 'Zusatzinformation- Inhalt 1', content)],
    ]),
  );

const assetsOf = ({ moved }: AccountSide): string =>
  [...new Set(moved.map(({ currency }) => currency))].sort().join(', ');

const COLUMNS = { tax: 'BU-Schlüssel', dimension1: 'KOST1', dimension2: 'KOST2' } as const;

/** The one text for both accounts of a line: there is no column for a second. */
const oneOf = (
  name: keyof typeof COLUMNS,
  [debit, credit]: readonly [AccountSide, AccountSide],
  { text }: Journal,
): string => {
  if (debit[name] !== '' && credit[name] !== '' && debit[name] !== credit[name])
    throw new UsageError(
      `${text} books ${debit.code} with ${name} ${debit[name]} against ${credit.code} with ${name} ${credit[name]}, and a line of DATEV has one ${COLUMNS[name]}: leave one of them empty in the account map`,
    );
  return debit[name] || credit[name];
};

/** A Beraternummer is 1001 to 9999999, a Mandantennummer 1 to 99999. */
const WHOSE = /^(100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-9]\d{4,6})\/([1-9]\d{0,4})$/;
const HOW = 'write --datev CONSULTANT/CLIENT, such as --datev 29098/55003 (Berater, Mandant)';

const settingsOf = ({
  datev,
  currency,
  codes,
  fiscalYearStart = 1,
}: PackageOptions): Record<string, string> => {
  const [, consultant, client] = WHOSE.exec(datev ?? '') ?? [];
  if (consultant === undefined || client === undefined)
    throw new UsageError(`DATEV needs the consultant and client number: ${HOW}`);
  if (!/^[A-Z]{3}$/.test(currency))
    throw new UsageError(`DATEV takes three letters for a currency, and the books are in ${currency}`);
  const digits = Math.min(...codes.map(({ length }) => length));
  const wrong = codes.filter(({ length }) => length > digits + 1);
  if (digits > 8 || wrong.length > 0)
    throw new UsageError(
      `DATEV has codes of one length, at most 8 digits, and personal accounts with one more: the map and earlier batches have ${codes.join(', ')}`,
    );
  return {
    consultant,
    client,
    account_digits: String(digits),
    ...(fiscalYearStart !== 1 && { fiscal_year_start: String(fiscalYearStart).padStart(2, '0') }),
  };
};

export const DATEV: PackageFormat = {
  limits: LIMITS,
  headLines: 2,
  delimiter: ';',
  isMonthly: true,
  fileName: (head, part) => `EXTF_Buchungsstapel_${batchName(head)}-${part}.csv`,
  head: (head, days) => `${headerOf(head, days)}\r\n${LIMITS.columns.join(';')}\r\n`,
  bookings: pairsOf,
  cells: cellsOf,
  row: (cells) => `${cells.join(';')}\r\n`,
  encode: cp1252Bytes, // what it lacks, only the id of a record can contain
  settings: settingsOf,
  booked: (cells) => {
    const [figure = '', side, , , , , account = '', counterAccount = ''] = cells;
    const amount = figure.replace(',', '.');
    const [debit, credit] = side === 'S' ? [account, counterAccount] : [counterAccount, account];
    return [
      [debit, amount],
      [credit, `-${amount}`],
    ];
  },
  keyOf: ({ code }) => code,
  ofChart: ({ code, names }) => ({ code, name: names.de, tax: '' }),
  mapFaults: ({ code, tax, type, dimension1, dimension2 }) => [
    ...(/^(?!0+$)\d{4,9}$/.test(code) ? [] : [`the code ${code} is not 4 to 9 digits`]),
    ...(/^\d{0,4}$/.test(tax) ? [] : [`the tax ${tax} is not a BU-Schlüssel of at most 4 digits`]),
    ...(type !== 'automatic' || tax === '' || tax === '40'
      ? []
      : [
          `${code} is an Automatikkonto, which sets its own tax: leave tax empty, or write 40 to switch that off`,
        ]),
    ...[dimension1, dimension2].flatMap((cost) =>
      /^[A-Za-z0-9_ ]{0,36}$/.test(cost)
        ? []
        : [`the dimension ${cost} is not a Kostenstelle of at most 36 letters and digits`],
    ),
  ],
};
