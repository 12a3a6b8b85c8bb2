// The index of the workbook of reports: which sheets there are, what they answer, the facts of the export, and every total.
import { localOf } from '../../base/time.ts';
import type { Head } from '../reports/facts.ts';
import type { Language } from '../reports/headings.ts';
import { SIGN_CONVENTION } from '../reports/manifest.ts';
import type { Profile } from '../reports/profile.ts';
import { reportTitleOf } from '../reports/titles.ts';
import type { FirstSheet } from './cover.ts';
import { COUNT_FORMAT, MONEY_FORMAT } from './layout.ts';
import type { Labels, WrittenSheet } from './table.ts';

/** The name of the index and the headings of its columns. */
const INDEX: Readonly<Record<Language, readonly [name: string, ...titles: string[]]>> = {
  en: ['Index', 'Report', 'Rows', 'What it answers'],
  es: ['Índice', 'Informe', 'Filas', 'Qué responde'],
  de: ['Übersicht', 'Bericht', 'Zeilen', 'Was er beantwortet'],
};

/** The facts of an export, by their name. */
const FACTS: Readonly<Record<Language, readonly string[]>> = {
  en: ['Period', 'From', 'To (excluded)', 'Timezone', 'Entities', 'Reporting currency'],
  es: ['Periodo', 'Desde', 'Hasta (excluido)', 'Zona horaria', 'Entidades', 'Moneda de presentación'],
  de: ['Periode', 'Von', 'Bis (ausschließlich)', 'Zeitzone', 'Gesellschaften', 'Berichtswährung'],
};

const WORDS = {
  en: {
    signs: 'Signs',
    totals: 'Totals',
    use: 'How to use it',
    hints: [
      'The first heading of each sheet leads back to this index.',
      'A figure shows at most 15 digits: the columns “(exact)” on the right of each sheet have all of them. They are not printed.',
      'Totals follow the filter of their sheet; an empty cell adds nothing.',
      'A column is totalled if its amounts are in one currency and add up.',
    ],
  },
  es: {
    signs: 'Signos',
    totals: 'Totales',
    use: 'Cómo se usa',
    hints: [
      'El primer encabezado de cada hoja lleva de vuelta a este índice.',
      'Una cifra muestra como máximo 15 dígitos: las columnas «(exacto)», a la derecha de cada hoja, los tienen todos. No se imprimen.',
      'Los totales siguen el filtro de su hoja; una celda vacía no suma.',
      'Se suma una columna si sus importes están en una sola moneda y son sumables.',
    ],
  },
  de: {
    signs: 'Vorzeichen',
    totals: 'Summen',
    use: 'Bedienung',
    hints: [
      'Die erste Überschrift jedes Blatts führt zu dieser Übersicht zurück.',
      'Eine Zahl zeigt höchstens 15 Ziffern: Die Spalten „(genau)“ rechts auf jedem Blatt enthalten alle. Sie werden nicht gedruckt.',
      'Summen folgen dem Filter ihres Blatts; eine leere Zelle zählt nicht.',
      'Eine Spalte wird summiert, wenn ihre Beträge eine Währung haben und sich addieren lassen.',
    ],
  },
} as const;

/** The sign convention of the manifest, a sentence each. */
const SIGNS: Readonly<Record<Language, readonly string[]>> = {
  en: SIGN_CONVENTION.split(/(?<=\.) /),
  es: [
    'El debe es positivo: lo que se posee o se gasta es positivo; lo que se debe, el patrimonio neto y los ingresos son negativos.',
    'Las columnas debe, haber, entradas y salidas no llevan signo.',
    'diferencia = según la plataforma - según contabilidad.',
  ],
  de: [
    'Soll ist positiv: Was man besitzt oder aufwendet, ist positiv; Schulden, Eigenkapital und Erträge sind negativ.',
    'Die Spalten Soll, Haben, Zugänge und Abgänge haben kein Vorzeichen.',
    'Differenz = laut Plattform - laut Buchhaltung.',
  ],
};

const LABELS: Readonly<Record<Language, Omit<Labels, 'notPrinted'> & { readonly notPrinted: string }>> = {
  en: {
    total: 'Total',
    totalOfSheet: 'Total of this sheet',
    notPrinted: 'The {rows} rows of this sheet are not printed: clear its print area to print them.',
    backToIndex: 'Back to the index',
  },
  es: {
    total: 'Total',
    totalOfSheet: 'Total de esta hoja',
    notPrinted: 'Las {rows} filas de esta hoja no se imprimen: borre el área de impresión para imprimirlas.',
    backToIndex: 'Volver al índice',
  },
  de: {
    total: 'Summe',
    totalOfSheet: 'Summe dieses Blatts',
    notPrinted:
      'Die {rows} Zeilen dieses Blatts werden nicht gedruckt: Heben Sie den Druckbereich auf, um sie zu drucken.',
    backToIndex: 'Zurück zur Übersicht',
  },
};

export const indexName = (language: Language): string => INDEX[language][0];

export const labelsIn = (language: Language): Labels => {
  const { notPrinted, ...labels } = LABELS[language];
  return { ...labels, notPrinted: (rows) => notPrinted.replace('{rows}', `${rows}`) };
};

type IndexOptions = {
  readonly profile: Profile;
  readonly head: Head;
  /** The names of entities that have one. */
  readonly names: ReadonlyMap<string, string>;
  /** The report that a table shows. */
  readonly reportOf: (table: string) => string;
};

/** The index of sheets, by the titles and descriptions of their reports. */
export const indexOf = (
  sheets: readonly WrittenSheet[],
  { profile, head, names, reportOf }: IndexOptions,
): FirstSheet => {
  const { language } = profile;
  const { signs, totals, use, hints } = WORDS[language];
  const [, ...titles] = INDEX[language];
  return {
    columns: titles.map((title, index) => ({ title, ...(LAYOUT[index] ?? OTHER) })),
    rows: sheets.map(({ name, rows, table }) => ({
      values: [name, rows, reportTitleOf(reportOf(table)).descriptions[language]],
      sheet: name,
    })),
    below: [
      { values: [] },
      ...factsOf(head, profile, names).map((fact, index) => ({
        values: [FACTS[language][index] ?? '', null, fact],
      })),
      ...listed(signs, SIGNS[language]),
      ...listed(use, hints),
      { values: [] },
      { values: [totals, head.currency], look: 'total' as const },
      ...sheets.flatMap(totalLines),
    ],
  };
};

const OTHER = { format: null, width: 20 };
const LAYOUT = [
  { format: null, width: 28 },
  { format: COUNT_FORMAT, width: 16 },
  { format: null, width: 110 },
];

const factsOf = (
  { period, from, to, timezone, entities, currency }: Head,
  profile: Profile,
  names: IndexOptions['names'],
): string[] => [
  period,
  localText(from, timezone, profile),
  localText(to, timezone, profile),
  timezone,
  entities.map((id) => (names.has(id) ? `${names.get(id)} (${id})` : id)).join(', '),
  currency,
];

const localText = (instant: string, timezone: string, { day }: Profile): string => {
  const local = localOf(instant, timezone);
  return local === null ? instant : `${day(local.day)} ${local.time}`;
};

/** Lines of text under one word. */
const listed = (word: string, lines: readonly string[]) =>
  lines.map((line, index) => ({ values: [index === 0 ? word : null, null, line] }));

const totalLines = ({ name, totals }: WrittenSheet) =>
  totals.map(({ title, amount }) => ({
    values: [name, { digits: amount, format: MONEY_FORMAT }, title],
    sheet: name,
  }));
