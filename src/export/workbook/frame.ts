// The frame of a workbook: its small parts, which name the sheets, their formats and who wrote it (ECMA-376, parts 1 and 2).
import { xmlText } from './cells.ts';

/** The styles of a workbook: the formats of its columns, each under an index of its own. */
export type Styles = { readonly indexOf: (format: string | null) => number; readonly xml: () => string };

/** The indexes of the styles that every workbook has. */
export const HEADER_STYLE = 1;
export const LINK_STYLE = 2;

/** Formats that the standard numbers itself (section 18.8.30). */
const STANDARD: Readonly<Record<string, number>> = { '0': 1, '#,##0.00': 4, '@': 49 };
const FIRST_OWN = 164;

export const newStyles = (): Styles => {
  const formats: string[] = [];
  const indexOf = (format: string | null): number => {
    if (format === null) return 0;
    if (!formats.includes(format)) formats.push(format);
    return LINK_STYLE + 1 + formats.indexOf(format);
  };
  return { indexOf, xml: () => stylesXml(formats) };
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const SHEET_SPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE_SPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_SPACE = 'http://schemas.openxmlformats.org/package/2006';
/** Plain, of headers, of links. */
const FONTS = ['', '<b/>', '<u/>'].map(
  (kind) =>
    `<font>${kind}<sz val="11"/>${kind === '<u/>' ? '<color rgb="FF0563C1"/>' : ''}<name val="Calibri"/></font>`,
);

const stylesXml = (formats: readonly string[]): string => {
  const idOf = (format: string) => STANDARD[format] ?? FIRST_OWN + formats.indexOf(format);
  const own = formats.filter((format) => STANDARD[format] === undefined);
  const xf = (format: number, font: number) =>
    `<xf numFmtId="${format}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>`;
  const cellXfs = [xf(0, 0), xf(0, 1), xf(0, 2), ...formats.map((format) => xf(idOf(format), 0))];
  return `${DECLARATION}<styleSheet xmlns="${SHEET_SPACE}">${counted(
    'numFmts',
    own.map((format) => `<numFmt numFmtId="${idOf(format)}" formatCode="${xmlText(format)}"/>`),
  )}${counted('fonts', FONTS)}${counted('fills', [
    '<fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill>',
  ])}${counted('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>'])}${counted(
    'cellStyleXfs',
    ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'],
  )}${counted('cellXfs', cellXfs)}${counted('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>'])}</styleSheet>`;
};

const counted = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;

/** A sheet in the order of the tabs: its name and the number of its part. */
export type SheetPart = { readonly name: string; readonly part: number };

export const sheetPath = ({ part }: Pick<SheetPart, 'part'>): string => `xl/worksheets/sheet${part}.xml`;

type Frame = {
  readonly sheets: readonly SheetPart[];
  readonly styles: Styles;
  readonly title: string;
  readonly changedAt: string;
};

/** The small parts, by path. */
export const frameParts = ({ sheets, styles, title, changedAt }: Frame): [path: string, xml: string][] => [
  ['xl/styles.xml', styles.xml()],
  ['xl/workbook.xml', workbookXml(sheets)],
  ['xl/_rels/workbook.xml.rels', workbookLinks(sheets)],
  ['docProps/core.xml', propertiesXml(title, changedAt)],
  ['_rels/.rels', ROOT_LINKS],
  ['[Content_Types].xml', contentTypes(sheets)],
];

const workbookXml = (sheets: readonly SheetPart[]): string =>
  `${DECLARATION}<workbook xmlns="${SHEET_SPACE}" xmlns:r="${OFFICE_SPACE}"><bookViews><workbookView/></bookViews><sheets>${sheets
    .map(
      ({ name, part }, index) =>
        `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="sheet${part}"/>`,
    )
    .join('')}</sheets></workbook>`;

const links = (items: readonly string[]): string =>
  `${DECLARATION}<Relationships xmlns="${PACKAGE_SPACE}/relationships">${items.join('')}</Relationships>`;

const workbookLinks = (sheets: readonly SheetPart[]): string =>
  links([
    ...sheets.map(
      ({ part }) =>
        `<Relationship Id="sheet${part}" Type="${OFFICE_SPACE}/worksheet" Target="worksheets/sheet${part}.xml"/>`,
    ),
    `<Relationship Id="styles" Type="${OFFICE_SPACE}/styles" Target="styles.xml"/>`,
  ]);

const ROOT_LINKS = links([
  `<Relationship Id="workbook" Type="${OFFICE_SPACE}/officeDocument" Target="xl/workbook.xml"/>`,
  `<Relationship Id="properties" Type="${PACKAGE_SPACE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`,
]);

const propertiesXml = (title: string, changedAt: string): string => {
  const instant = `xsi:type="dcterms:W3CDTF">${changedAt.slice(0, 19)}Z`;
  return `${DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE_SPACE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>tieout</dc:creator><dcterms:created ${instant}</dcterms:created><dcterms:modified ${instant}</dcterms:modified></cp:coreProperties>`;
};

const SHEET_TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes = (sheets: readonly SheetPart[]): string =>
  `${DECLARATION}<Types xmlns="${PACKAGE_SPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[
    ['xl/workbook.xml', `${SHEET_TYPES}.sheet.main+xml`],
    ['xl/styles.xml', `${SHEET_TYPES}.styles+xml`],
    ['docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...sheets.map((sheet) => [sheetPath(sheet), `${SHEET_TYPES}.worksheet+xml`]),
  ]
    .map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`)
    .join('')}</Types>`;
