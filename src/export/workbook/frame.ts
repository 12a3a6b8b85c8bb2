// The frame of a workbook: its small parts, which name the sheets, their formats and who wrote it (ECMA-376, parts 1 and 2).
import { xmlText } from './cells.ts';
import { quoted } from './sheet.ts';
import { SHEET_SPACE, type Styles, XML_DECLARATION } from './styles.ts';
import type { SheetPart } from './table.ts';

const OFFICE_SPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE_SPACE = 'http://schemas.openxmlformats.org/package/2006';

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

const workbookXml = (sheets: readonly SheetPart[]): string => {
  const tabs = sheets.map(
    ({ name, part }, index) => `<sheet name="${xmlText(name)}" sheetId="${index + 1}" r:id="sheet${part}"/>`,
  );
  return `${XML_DECLARATION}<workbook xmlns="${SHEET_SPACE}" xmlns:r="${OFFICE_SPACE}"><bookViews><workbookView/></bookViews><sheets>${tabs.join('')}</sheets><definedNames>${[
    ...sheets.map(({ name, printed }, index) =>
      definedName('Print_Area', index, `${quoted(name)}!${printed}`),
    ),
    ...sheets.map(({ name }, index) => definedName('Print_Titles', index, `${quoted(name)}!$1:$1`)),
  ].join('')}</definedNames></workbook>`;
};

/** A name that Excel reserves (section 18.2.5): the cells of a sheet that are printed, the rows repeated on each page. */
const definedName = (name: string, sheet: number, cells: string): string =>
  `<definedName name="_xlnm.${name}" localSheetId="${sheet}">${xmlText(cells)}</definedName>`;

const links = (items: readonly string[]): string =>
  `${XML_DECLARATION}<Relationships xmlns="${PACKAGE_SPACE}/relationships">${items.join('')}</Relationships>`;

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
  return `${XML_DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE_SPACE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${xmlText(title)}</dc:title><dc:creator>tieout</dc:creator><dcterms:created ${instant}</dcterms:created><dcterms:modified ${instant}</dcterms:modified></cp:coreProperties>`;
};

const SHEET_TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const contentTypes = (sheets: readonly SheetPart[]): string =>
  `${XML_DECLARATION}<Types xmlns="${PACKAGE_SPACE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${[
    ['xl/workbook.xml', `${SHEET_TYPES}.sheet.main+xml`],
    ['xl/styles.xml', `${SHEET_TYPES}.styles+xml`],
    ['docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml'],
    ...sheets.map((sheet) => [sheetPath(sheet), `${SHEET_TYPES}.worksheet+xml`]),
  ]
    .map(([path, type]) => `<Override PartName="/${path}" ContentType="${type}"/>`)
    .join('')}</Types>`;
