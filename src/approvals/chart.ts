// The nouns of a chart of accounts: its lines, the corrections of asset classes, and the line that an account is booked on.
import { isUnder } from '../ledger/accounts.ts';

/** The columns of a chart's file. Empty class and currency match all; the first line that matches counts. */
export const CHART_COLUMNS = [
  'account',
  'class',
  'currency',
  'code',
  'name_en',
  'name_es',
  'name_de',
  'statement',
  'statement_class',
] as const;

/** The columns of a file of asset classes. */
export const CLASS_COLUMNS = ['currency', 'class'] as const;

export const ASSET_CLASSES = ['fiat', 'e-money token', 'coin', 'testnet'];
export const STATEMENTS = ['balance sheet', 'income statement'];
/** Charts that come with the program: books.chart_templates. */
export const TEMPLATES = ['ifrs', 'pgc', 'skr03', 'skr04'];

/** A line of a chart; its place in the list is its place in the chart. */
export type ChartLine = Readonly<Record<(typeof CHART_COLUMNS)[number], string>>;

/** A correction: the class of one currency. */
export type AssetClass = Readonly<Record<(typeof CLASS_COLUMNS)[number], string>>;

/** What a line of a chart matches. */
export type Pair = Readonly<Record<'account' | 'currency' | 'asset_class', string>>;

/** The first line that matches; undefined if none does. */
export const lineFor = (lines: readonly ChartLine[], pair: Pair): ChartLine | undefined =>
  lines.find(
    ({ account, class: assetClass, currency }) =>
      isUnder(account, pair.account) &&
      (assetClass === '' || assetClass === pair.asset_class) &&
      (currency === '' || currency === pair.currency),
  );
