// Which column has the currency of an amount: only amounts of one currency are ever added up.
import { quoted } from './duckdb.ts';

/** Money in the reporting currency, in tables whose column `currency` says of what. */
const MONEY = [
  'cost',
  'cost_left',
  'exact',
  'fee_expensed',
  'fee_in_cost',
  'fee_in_proceeds',
  'gain',
  'price',
  'proceeds',
  'spread',
  'unrealised',
  'value',
];
/** Units of an order, of which `symbol` is all that names the currency: BTC/EUR. */
const ORDERED = ['amount', 'filled_amount', 'order_amount'];

/**
 * DuckDB's expression of the currency of a column's amounts: `fee_currency` for `fee_amount`, else `currency`; '' where no column
 * has it, or all of them are money.
 */
export const currencyOf = (name: string, columns: readonly string[]): string => {
  const [own] = columns
    .filter(
      (column) => column.endsWith('_currency') && `${name}_`.startsWith(column.replace(/currency$/, '')),
    )
    .sort((a, b) => b.length - a.length);
  if (own !== undefined) return quoted(own);
  if (columns.includes('currency')) return MONEY.includes(name) ? '' : quoted('currency');
  return columns.includes('symbol') && ORDERED.includes(name) ? `split_part("symbol", '/', 1)` : '';
};
