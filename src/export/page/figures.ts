// The figures of the part in money, as rows that add up: those of open entities from the books, those of closed ones from
// the report.json in their seals. Sums are exact; every section of that part reads from here.
import { compare, subtract, sum, unsigned } from '../../base/money.ts';
import { together } from '../../base/together.ts';
import { allOf, type ReadRows, type ReportRow } from './rows.ts';

/** Rows of sql/page, by the name of their file. */
export type Figures = Readonly<Record<FigureFile, readonly ReportRow[]>>;

type FigureFile = (typeof FIGURE_FILES)[number];

/** What identifies a row, and what of it is added up. */
const ADDED: Readonly<
  Record<FigureFile, { readonly keys: readonly string[]; readonly sums: readonly string[] }>
> = {
  values: {
    keys: ['what', 'moment', 'name', 'currency', 'asset_class', 'value_currency'],
    sums: ['units', 'cost', 'market', 'unrealised', 'unpriced', 'unvalued'],
  },
  months: {
    keys: ['month', 'value_currency'],
    sums: ['realised', 'unrealised', 'cost', 'market', 'unpriced'],
  },
  fee_values: {
    keys: ['fee', 'value_currency'],
    sums: ['in_cost', 'in_proceeds', 'expensed', 'fees', 'unvalued', 'volume'],
  },
  counterparties: {
    keys: ['counterparty_type', 'counterparty', 'channel', 'value_currency'],
    sums: ['in', 'out', 'lines', 'unvalued', 'parties'],
  },
};

export const FIGURE_FILES = ['values', 'months', 'fee_values', 'counterparties'] as const;

type FigureQuery = {
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  readonly entity: string;
};

export const readFigures = async (
  read: ReadRows,
  { from, to, timezone, entity }: FigureQuery,
): Promise<Figures> => {
  const [values, months, fee_values, counterparties] = await together([
    allOf(read('values', { from, to, entity })),
    allOf(read('months', { to, timezone, entity })),
    allOf(read('fee_values', { from, to, entity })),
    allOf(read('counterparties', { from, to, entity })),
  ]);
  return { values, months, fee_values, counterparties };
};

/** The sum of figures of disjoint sets of entities, which may have several rows of one kind. */
export const addFigures = (parts: readonly Figures[]): Figures => {
  const rows = (file: FigureFile) =>
    added(
      file,
      parts.flatMap((part) => part[file]),
    );
  return {
    values: rows('values'),
    months: rows('months'),
    fee_values: rows('fee_values'),
    counterparties: withOthers(rows('counterparties')),
  };
};

/** The most counterparties of a type and a currency, as of each set of books. */
const PARTIES_MAX = 20;

/** A counterparty as one of the others of its type, in however many sets of books. */
const OTHER = { counterparty: null, counterparty_label: null, channel: '', parties: '1' };

/** The counterparties with the most of each type; the others of the type are one row. */
const withOthers = (rows: readonly ReportRow[]): ReportRow[] => {
  const ranks = new Map<string, number>();
  const folded = new Set<ReportRow>();
  for (const row of [...rows].filter(isNamed).sort(byTurnover)) {
    const type = JSON.stringify([row.counterparty_type, row.value_currency]);
    const rank = (ranks.get(type) ?? 0) + 1;
    ranks.set(type, rank);
    if (rank > PARTIES_MAX) folded.add(row);
  }
  return added(
    'counterparties',
    rows.map((row) => (folded.has(row) ? { ...row, ...OTHER } : row)),
  );
};

/** Not the row of the others of a type. */
const isNamed = ({ channel }: ReportRow): boolean => channel !== '';

/** The most received and sent first, as sql/page/counterparties.sql ranks them. */
export const byTurnover = (a: ReportRow, b: ReportRow): number => compare(turnoverOf(b), turnoverOf(a));

const turnoverOf = (row: ReportRow): string => sum([row.in ?? '0', row.out ?? '0']);

const added = (file: FigureFile, rows: readonly ReportRow[]): ReportRow[] => {
  const { keys, sums } = ADDED[file];
  const groups = new Map<string, ReportRow>();
  for (const row of rows) {
    const key = JSON.stringify(keys.map((name) => row[name]));
    const before = groups.get(key);
    groups.set(key, before === undefined ? row : { ...row, ...totals(sums, [before, row]) });
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row); // the same whichever part came first
};

/** Null only if all are: what is not known adds nothing. */
const totals = (names: readonly string[], rows: readonly ReportRow[]): ReportRow =>
  Object.fromEntries(
    names.map((name) => {
      const known = rows.flatMap((row) => row[name] ?? []);
      return [name, known.length === 0 ? null : sum(known)];
    }),
  );

/** Units, cost and market value of an asset or a place; null is not known. */
export type Position = {
  readonly name: string;
  readonly assetClass: string;
  readonly units: string;
  readonly cost: string | null;
  readonly market: string | null;
  readonly unrealised: string | null;
};

type Moment = 'opening' | 'closing';

/** The figures of a page in its reporting currency. */
export type Overview = {
  /** Null is not known. */
  readonly steps: ReadonlyMap<string, string | null>;
  readonly assets: Readonly<Record<Moment, readonly Position[]>>;
  readonly places: readonly Position[];
  readonly owed: readonly Position[];
  /** The value of the trades; null is not known. */
  readonly volume: string | null;
  readonly unpriced: number;
  readonly unvalued: number;
  readonly months: readonly ReportRow[];
  readonly fees: readonly ReportRow[];
  readonly parties: readonly ReportRow[];
  /** Whether there are entities with another reporting currency. */
  readonly hasOthers: boolean;
};

export const overviewOf = (figures: Figures, currency: string): Overview => {
  const own = (file: FigureFile) => figures[file].filter((row) => row.value_currency === currency);
  const [values, fees] = [own('values'), own('fee_values')];
  const steps = new Map(
    values.flatMap((row) => (row.what === 'step' ? [[row.name ?? '', costOf(row)] as const] : [])),
  );
  const positions = (what: string, moment: Moment) =>
    values
      .filter((row) => row.what === what && row.moment === moment)
      .map(positionOf)
      .sort(byMarket);
  const counted = (name: 'unpriced' | 'unvalued') =>
    values
      .filter((row) => row.what === 'asset' && row.moment === 'closing')
      .reduce((total, row) => total + Number.parseInt(row[name] ?? '0', 10), 0);
  return {
    steps,
    volume: knownSum(fees.map((row) => row.volume ?? null)),
    assets: { opening: positions('asset', 'opening'), closing: positions('asset', 'closing') },
    places: positions('place', 'closing'),
    owed: positions('owed', 'closing'),
    unpriced: counted('unpriced'),
    unvalued: counted('unvalued'),
    months: own('months'),
    fees: fees.filter((row) => row.fees !== '0'),
    parties: own('counterparties'),
    hasOthers: FIGURE_FILES.some((file) => figures[file].length > own(file).length),
  };
};

const positionOf = (row: ReportRow): Position => ({
  name: row.currency ?? row.name ?? '',
  assetClass: row.asset_class ?? '',
  units: row.units ?? '0',
  cost: costOf(row),
  market: row.market ?? null,
  unrealised: row.unrealised ?? null,
});

/** Null if there are only lines without a value. */
const costOf = ({ cost, unvalued }: ReportRow): string | null =>
  cost === '0' && unvalued !== '0' ? null : (cost ?? null);

/** The sum of what is known, and null if nothing is and something should be. */
export const knownSum = (figures: readonly (string | null)[]): string | null => {
  const total = sum(figures.flatMap((figure) => figure ?? []));
  return total === '0' && figures.includes(null) ? null : total;
};

/** A step of the waterfall; one without lines is zero. */
export const stepOf = ({ steps }: Overview, name: string): string | null => {
  const value = steps.get(name);
  return value === undefined ? '0' : value;
};

const byMarket = (a: Position, b: Position): number =>
  compare(unsigned(b.market ?? '0'), unsigned(a.market ?? '0')) || (a.name < b.name ? -1 : 1);

/** The sum of a figure over positions. */
export const totalOf = (
  positions: readonly Position[],
  figure: 'cost' | 'market' | 'unrealised',
): string | null => knownSum(positions.map((position) => position[figure]));

/** The change of such a sum from the opening to the closing. */
export const changeOf = ({ assets }: Overview, figure: 'cost' | 'market' | 'unrealised'): string | null => {
  const [closing, opening] = [totalOf(assets.closing, figure), totalOf(assets.opening, figure)];
  return closing === null || opening === null ? null : subtract(closing, opening);
};
