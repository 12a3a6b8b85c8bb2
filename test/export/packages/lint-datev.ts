// The linter for a DATEV Buchungsstapel: what developer.datev.de requires of the header, its columns, and each field that
// we fill. All other fields must be empty: text fields in quotes, number fields without.
import { DATEV_LIMITS as LIMITS } from '../../../src/export/packages/package-limits.ts';
import {
  amountOf,
  type BookedSide,
  cellsOf,
  type DelimitedCell,
  type DelimitedLine,
  isDay,
  type Layout,
  type Lint,
  linesOf,
  lintResult,
  recordsOf,
} from './lint.ts';

const AGAINST = 'Gegenkonto (ohne BU-Schlüssel)';

/** The exact form of each field of the header, with its quotes: developer.datev.de, "Header", fields 1 to 31. */
const HEADER: readonly RegExp[] = [
  /^"EXTF"$/,
  /^700$/,
  /^21$/,
  /^"Buchungsstapel"$/,
  /^13$/,
  /^20\d{15}$/,
  /^$/,
  /^"\w{0,2}"$/,
  /^"\w{0,25}"$/,
  /^"\w{0,25}"$/,
  /^(100[1-9]|10[1-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-9]\d{4,6})$/,
  /^[1-9]\d{0,4}$/,
  /^20\d{6}$/,
  /^[4-8]$/,
  /^20\d{6}$/,
  /^20\d{6}$/,
  /^"[\w.\-/ ]{0,30}"$/,
  /^"(?:[A-Z]{2}){0,2}"$/,
  /^[12]$/,
  /^(?:0|30|40|50|64)$/,
  /^[01]$/,
  /^"[A-Z]{3}"$/,
  /^$/,
  /^""$/,
  /^$/,
  /^$/,
  /^"(?:\d{2}){0,2}"$/,
  /^\d{0,4}$/,
  /^$/,
  /^""$/,
  /^".{0,16}"$/,
];

/** The exact form of the fields of a booking: developer.datev.de, "Buchungsstapel". All other fields are empty. */
const FIELDS: { readonly [column: string]: RegExp } = {
  'Umsatz (ohne Soll/Haben-Kz)': /^(?!0,00$)(?:0|[1-9]\d{0,9}),\d{2}$/,
  'Soll/Haben-Kennzeichen': /^"[SH]"$/,
  'WKZ Umsatz': /^"[A-Z]{3}"$/,
  Konto: /^(?!0+$)\d{1,9}$/,
  [AGAINST]: /^(?!0+$)\d{1,9}$/,
  'BU-Schlüssel': /^"\d{0,4}"$/,
  Belegdatum: /^\d{4}$/,
  'Belegfeld 1': /^"[\w$&%*+\-/]{0,36}"$/,
  'Belegfeld 2': /^"[\w$%\-/]{0,12}"$/,
  Buchungstext: /^".{0,60}"$/,
  'Beleginfo - Art 1': /^".{0,20}"$/,
  'Beleginfo - Inhalt 1': /^".{0,210}"$/,
  'KOST1 - Kostenstelle': /^"[\w ]{0,36}"$/,
  'KOST2 - Kostenstelle': /^"[\w ]{0,36}"$/,
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].flatMap((n) => [
      [`Zusatzinformation - Art ${n}`, /^".{0,20}"$/],
      [`Zusatzinformation- Inhalt ${n}`, /^".{0,210}"$/],
    ]),
  ),
  Festschreibung: /^[01]$/,
};

/** Names of the text columns that we leave empty: they hold `""`, other empty columns hold nothing. */
const EMPTY_TEXT =
  /^(WKZ Basis-Umsatz|Belegfeld 2|Diverse Adressnummer|Beleglink|Beleginfo|KOST[12]|EU-Land|Abw\. Versteuerungsart|Zusatzinformation|Forderungsart|Auftragsnummer|Buchungstyp|Herkunft|Buchungs GUID|SEPA|Gesellschaftername|Identifikationsnummer|Zeichnernummer|Bezeichnung SoBil|Generalumkehr|Land|Abrechnungsreferenz)/;

const raw = ({ text, quoted }: DelimitedCell): string => (quoted ? `"${text}"` : text);

const LAYOUT: Layout = { charset: 'windows-1252', delimiter: ';', limits: LIMITS, above: 1 };

/** What each column may hold, in order: a pattern, or the exact text of an empty field. */
const ALLOWED: readonly (readonly [name: string, allowed: RegExp | string])[] = LIMITS.columns.map((name) => [
  name,
  FIELDS[name] ?? (EMPTY_TEXT.test(name) ? '""' : ''),
]);

export const lintDatev = (bytes: Uint8Array): Lint => {
  const { lines, faults } = linesOf(bytes, LAYOUT);
  const [head = ''] = lines;
  const fields = cellsOf(head, ';')?.map(raw) ?? [];
  if (lines.length > 0 && fields.length !== HEADER.length)
    faults.push(`the header has ${fields.length} fields`);
  HEADER.forEach((pattern, i) => {
    if (!pattern.test(fields[i] ?? ''))
      faults.push(`field ${i + 1} of the header is ${fields[i] ?? 'not there'}`);
  });
  const span = { from: fields[14] ?? '', to: fields[15] ?? '', digits: fields[13] ?? '' };
  if (span.from > span.to || span.from.slice(0, 6) !== span.to.slice(0, 6))
    faults.push('the header spans more than a month');
  const booked: BookedSide[] = [];
  for (const record of recordsOf(lines, LAYOUT, faults)) {
    const wrong = [
      ...fieldFaults(record),
      ...pairFaults(record),
      ...dayFaults(record, span),
      ...accountFaults(record, span.digits),
    ];
    faults.push(...wrong.map((fault) => `line ${record.number}: ${fault}`));
    booked.push(...bookedBy(record));
  }
  return lintResult(booked, faults);
};

const fieldFaults = ({ cells }: DelimitedLine): string[] =>
  ALLOWED.flatMap(([name, allowed], i) => {
    const cell = raw(cells[i] ?? { text: '', quoted: false });
    const isAllowed = typeof allowed === 'string' ? cell === allowed : allowed.test(cell);
    return isAllowed ? [] : [`${name} is ${cell.slice(0, 80)}`];
  });

/** "Always fill both fields": a name without content, or the other way round. */
const pairFaults = ({ text }: DelimitedLine): string[] =>
  LIMITS.columns.flatMap((name, i) => {
    const content = LIMITS.columns[i + 1] ?? '';
    const isHalf = name.includes(' - Art ') && (text(name) === '') !== (text(content) === '');
    return isHalf ? [`${name} and ${content} are not both filled`] : [];
  });

type Span = { readonly from: string; readonly to: string };

const dayFaults = ({ text }: DelimitedLine, { from, to }: Span): string[] => {
  const [day, month, year] = [text('Belegdatum').slice(0, 2), text('Belegdatum').slice(2), from.slice(0, 4)];
  const date = `${year}${month}${day}`;
  return isDay(year, month, day) && date >= from && date <= to
    ? []
    : [`Belegdatum ${day}${month} is not a day from ${from} to ${to}`];
};

const accountFaults = ({ text }: DelimitedLine, digits: string): string[] => {
  const codes = [text('Konto'), text(AGAINST)];
  const isLong = (code: string) => String(code.length) === digits || String(code.length - 1) === digits;
  return [
    ...(codes[0] === codes[1] ? [`books ${codes[0]} against itself`] : []),
    ...codes.filter((code) => !isLong(code)).map((code) => `${code} has not ${digits} digits, nor one more`),
  ];
};

const bookedBy = ({ text }: DelimitedLine): BookedSide[] => {
  const amount = amountOf(text('Umsatz (ohne Soll/Haben-Kz)'), ',', LIMITS.wholeDigits) ?? 0n;
  const cents = text('Soll/Haben-Kennzeichen') === 'H' ? -amount : amount;
  const [journal, day] = [text('Belegfeld 1'), text('Belegdatum')];
  return [
    { journal, day, key: text('Konto'), cents },
    { journal, day, key: text(AGAINST), cents: -cents },
  ];
};
