// The styles of a workbook: how a cell looks, and the number format of its figure (ECMA-376, part 1, section 18.8).
import { xmlText } from './cells.ts';

/** How a cell looks. A header that leads to the index looks like a link. */
export type Look = 'plain' | 'header' | 'header link' | 'link' | 'total' | 'note';

/** The styles that a workbook uses so far, each under an index of its own; 0 is plain text without a format. */
export type Styles = {
  readonly indexOf: (look: Look, format: string | null) => number;
  readonly xml: () => string;
};

type Style = { readonly look: Look; readonly format: string | null };

export const newStyles = (): Styles => {
  const styles = new Map<string, Style & { readonly index: number }>();
  const indexOf = (look: Look, format: string | null): number => {
    const key = `${look} ${format}`;
    const known = styles.get(key);
    if (known) return known.index;
    styles.set(key, { look, format, index: styles.size });
    return styles.size - 1;
  };
  indexOf('plain', null);
  return { indexOf, xml: () => stylesXml([...styles.values()]) };
};

const BLUE = 'FF0563C1';
const FONTS = [
  { isBold: false, isLink: false },
  { isBold: true, isLink: false },
  { isBold: false, isLink: true },
  { isBold: true, isLink: true },
];

const FILLS = [
  '<fill><patternFill patternType="none"/></fill>',
  '<fill><patternFill patternType="gray125"/></fill>',
  '<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF2"/><bgColor indexed="64"/></patternFill></fill>',
];

const LINE = (side: string): string => `<${side} style="thin"><color auto="1"/></${side}>`;
const BORDERS = [
  '<border><left/><right/><top/><bottom/><diagonal/></border>',
  `<border><left/><right/><top/>${LINE('bottom')}<diagonal/></border>`,
  `<border><left/><right/>${LINE('top')}<bottom/><diagonal/></border>`,
];

/** The parts of each look, by their indexes above. */
const LOOKS: Readonly<
  Record<Look, { readonly font: number; readonly fill: number; readonly border: number }>
> = {
  plain: { font: 0, fill: 0, border: 0 },
  header: { font: 1, fill: 2, border: 1 },
  'header link': { font: 3, fill: 2, border: 1 },
  link: { font: 2, fill: 0, border: 0 },
  total: { font: 1, fill: 0, border: 2 },
  note: { font: 0, fill: 0, border: 0 },
};

/** Formats that the standard numbers itself (section 18.8.30); others are numbered from 164. */
const STANDARD: Readonly<Record<string, number>> = { '0': 1, '#,##0': 3, '#,##0.00': 4, '@': 49 };
const FIRST_OWN = 164;

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
export const SHEET_SPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

const stylesXml = (styles: readonly Style[]): string => {
  const own = [...new Set(styles.flatMap(({ format }) => format ?? []))].filter((it) => !(it in STANDARD));
  const idOf = (format: string | null): number =>
    format === null ? 0 : (STANDARD[format] ?? FIRST_OWN + own.indexOf(format));
  const formats = own.map((it) => `<numFmt numFmtId="${idOf(it)}" formatCode="${xmlText(it)}"/>`);
  const parts = [
    counted('numFmts', formats),
    counted('fonts', FONTS.map(fontXml)),
    counted('fills', FILLS),
    counted('borders', BORDERS),
    counted('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
    counted(
      'cellXfs',
      styles.map((style) => styleXml(style, idOf(style.format))),
    ),
    counted('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']),
  ];
  return `${XML_DECLARATION}<styleSheet xmlns="${SHEET_SPACE}">${parts.join('')}</styleSheet>`;
};

const counted = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;

const fontXml = ({ isBold, isLink }: (typeof FONTS)[number]): string =>
  `<font>${isBold ? '<b/>' : ''}${isLink ? '<u/>' : ''}<sz val="10"/>${isLink ? `<color rgb="${BLUE}"/>` : ''}<name val="Calibri"/><family val="2"/></font>`;

const styleXml = ({ look, format }: Style, id: number): string => {
  const { font, fill, border } = LOOKS[look];
  const alignment = alignmentOf({ look, format });
  return `<xf numFmtId="${id}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"${
    alignment === '' ? '/>' : ` applyAlignment="1"><alignment ${alignment}/></xf>`
  }`;
};

/** A figure wider than its column shrinks, and is never shown as ####; it keeps a distance from the text after it. */
const alignmentOf = ({ look, format }: Style): string => {
  if (look === 'header' || look === 'header link') return 'vertical="top" wrapText="1"';
  return format !== null && format !== '@' ? 'horizontal="right" indent="1" shrinkToFit="1"' : '';
};
