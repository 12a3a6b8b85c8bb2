// The platform's own figures of a year, as it reports them to the tax authority (DAC8, CARF): a CSV with the columns of
// dac8_check.csv, read strictly. Every refusal names the line, the mistake, and what to do.
import { ownValue } from '../base/own-value.ts';
import { type RefuseLine, readStated, type StatedRow, shown, statedAmount } from './stated.ts';

/** What tells one row of the year from another: the words of dac8_check.csv. */
export type YearlyKey = { readonly asset: string; readonly what: string; readonly sub_type: string };

/** One row; units and money as exact text. The count may be null for transfers to wallets, of which no number is reported. */
export type YearlyLine = YearlyKey & {
  readonly line: number;
  readonly units: string;
  readonly value: string;
  readonly count: string | null;
};

/** What the rows must be of. */
type YearlyScope = {
  readonly entity: string;
  readonly year: string;
  readonly currency: string;
  /** Whether the books or the platform's list of assets have the code. */
  readonly isKnown: (asset: string) => boolean;
  readonly isFiat: (asset: string) => boolean;
};

const COLUMNS = ['asset', 'what', 'sub_type', 'units', 'gross_value', 'value_currency', 'count'] as const;
/** Compared where the file has them, because a file of other books or of another year must not pass. */
const CHECKED = ['entity_id', 'year'] as const;
type YearlyColumn = (typeof COLUMNS)[number] | (typeof CHECKED)[number];

const HOW = `the first line must name ${COLUMNS.join(', ')}, as in dac8_check.csv`;

/** The types of transfers of the reporting framework, in our words; ours are fewer. */
const TRANSFERS = [
  'another provider',
  'loan',
  'other',
  'unknown',
  'airdrop',
  'staking income',
  'mining income',
  'collateral',
  'sale of goods or services',
  'purchase of goods or services',
];

/** What each `what` may be subdivided by. */
const SUB_TYPES: Readonly<Record<string, readonly string[]>> = {
  bought: [''],
  sold: [''],
  'swapped in': [''],
  'swapped out': [''],
  reward: ['staking income', 'airdrop', 'mining income'],
  'retail payment': ['purchase of goods or services'],
  'transferred in': TRANSFERS,
  'transferred out': TRANSFERS,
  'sent to wallets': [''],
};

/** Reads a whole file. Throws a UsageError if it is not one of this entity, year and currency. */
export const readYearly = (file: string, bytes: Uint8Array, scope: YearlyScope): YearlyLine[] =>
  readStated<YearlyColumn, YearlyLine>(file, bytes, {
    required: COLUMNS,
    optional: CHECKED,
    amounts: ['units', 'gross_value', 'count'],
    how: HOW,
    lineOf: (row, refuse) => lineOf(row, scope, refuse),
    nameOf: yearlyName,
  });

/** A row's name for people: `BTC transferred in, unknown`. */
export const yearlyName = ({ asset, what, sub_type }: YearlyKey): string =>
  `${asset} ${what}${sub_type === '' ? '' : `, ${sub_type}`}`;

type Cells = StatedRow<YearlyColumn>;

const lineOf = ({ line, cell }: Cells, scope: YearlyScope, refuse: RefuseLine): YearlyLine => {
  checkScope(cell, scope, refuse);
  const key = keyOf(cell, refuse);
  checkAsset(key.asset, scope, refuse);
  return {
    line,
    ...key,
    units: statedAmount(cell('units'), 'number of units', refuse),
    value: moneyOf(cell('gross_value'), refuse),
    count: countOf(cell('count'), key.what, refuse),
  };
};

const checkScope = (
  cell: Cells['cell'],
  { entity, year, currency }: YearlyScope,
  refuse: RefuseLine,
): void => {
  if (cell('entity_id') !== '' && cell('entity_id') !== entity)
    refuse(
      `is of entity ${shown(cell('entity_id'))}, and ${entity} is compared: leave only its rows, or add --entity`,
    );
  if (cell('year') !== '' && cell('year') !== year)
    refuse(`is of the year ${shown(cell('year'))}, not ${year}: leave only the rows of one year`);
  if (cell('value_currency') !== currency)
    refuse(
      `the money is in ${shown(cell('value_currency'))}, and the books of ${entity} are in ${currency}: ask the platform for its file in ${currency}`,
    );
};

/** The framework calls a reward a transfer, and a retail payment has one type: both are read as dac8_check.csv writes them. */
const keyOf = (cell: Cells['cell'], refuse: RefuseLine): YearlyKey => {
  const [what, subType] = [cell('what').toLowerCase(), cell('sub_type').toLowerCase()];
  const types = ownValue(SUB_TYPES, what);
  if (types === undefined)
    return refuse(
      `the type of transaction ${shown(cell('what'))} is unknown: write ${Object.keys(SUB_TYPES).join(', ')}`,
    );
  const only = types.length === 1 ? (types[0] ?? '') : subType;
  const sub_type = subType === '' ? only : subType;
  if (!types.includes(sub_type))
    refuse(
      `the sub_type ${shown(cell('sub_type'))} of ${what} is unknown: ${types.length === 1 && only === '' ? 'leave it empty' : `write ${types.join(', ')}`}`,
    );
  const isReward = what === 'transferred in' && SUB_TYPES.reward?.includes(sub_type);
  return { asset: cell('asset'), what: isReward ? 'reward' : what, sub_type };
};

const checkAsset = (asset: string, { isKnown, isFiat }: YearlyScope, refuse: RefuseLine): void => {
  if (!/^[A-Z0-9]{1,20}$/.test(asset))
    refuse(`the asset ${shown(asset)} is no code: write capitals and digits, such as BTC`);
  if (isFiat(asset))
    refuse(`${asset} is a fiat currency: it is the price here, and no asset: leave the row out`);
  if (!isKnown(asset))
    refuse(
      `the asset ${asset} is unknown to the books and to the platform's list of assets: write the platform's own code`,
    );
};

const moneyOf = (text: string, refuse: RefuseLine): string => {
  const value = statedAmount(text, 'gross_value', refuse);
  return /\.\d{3}/.test(value)
    ? refuse(`the gross_value ${shown(text)} has parts of a cent: write two decimals`)
    : value;
};

const countOf = (text: string, what: string, refuse: RefuseLine): string | null => {
  if (text === '' && what === 'sent to wallets') return null;
  if (!/^-?\d{1,15}$/.test(text))
    return refuse(`the count ${shown(text)} is no whole number: write how many transactions there are`);
  return statedAmount(text, 'count', refuse);
};
