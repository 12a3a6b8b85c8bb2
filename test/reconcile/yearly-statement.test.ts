// The platform's figures of a year: what is read, and what is refused by line, with what to do.
import { expect, test } from 'vitest';
import { readYearly, yearlyName } from '../../src/reconcile/yearly-statement.ts';

const read = (text: string) =>
  readYearly('y.csv', Buffer.from(text), {
    entity: 'main',
    year: '2025',
    currency: 'EUR',
    isKnown: (asset) => ['BTC', 'ETH', 'EUR'].includes(asset),
    isFiat: (asset) => asset === 'EUR',
  });

const HEAD = 'asset,what,sub_type,units,gross_value,value_currency,count\n';

test('the words of dac8_check.csv and of the framework, exact figures, and no number of transfers to wallets', () => {
  const text = `${HEAD}BTC,Bought,,0.100000000000000001,5000.10,EUR,2\nBTC,transferred in,unknown,1,0,EUR,1\nBTC,transferred in,staking income,2,3.5,EUR,4\nETH,retail payment,,-1,-2.00,EUR,-1\nETH,sent to wallets,,5,6,EUR,\n`;
  expect(read(text)).toEqual([
    {
      line: 2,
      asset: 'BTC',
      what: 'bought',
      sub_type: '',
      units: '0.100000000000000001',
      value: '5000.1',
      count: '2',
    },
    {
      line: 3,
      asset: 'BTC',
      what: 'transferred in',
      sub_type: 'unknown',
      units: '1',
      value: '0',
      count: '1',
    },
    {
      line: 4,
      asset: 'BTC',
      what: 'reward',
      sub_type: 'staking income',
      units: '2',
      value: '3.5',
      count: '4',
    },
    {
      line: 5,
      asset: 'ETH',
      what: 'retail payment',
      sub_type: 'purchase of goods or services',
      units: '-1',
      value: '-2',
      count: '-1',
    },
    { line: 6, asset: 'ETH', what: 'sent to wallets', sub_type: '', units: '5', value: '6', count: null },
  ]);
  expect(read(text).map(yearlyName).slice(0, 2)).toEqual(['BTC bought', 'BTC transferred in, unknown']);
});

test('an export of dac8_check.csv is read as it is, whatever else it has', () => {
  const text =
    'entity_id,owner,year,asset,what,units,gross_value,value_currency,valued,count,sub_type,valuation\nmain,own,2025,BTC,sold,1,2,EUR,1,1,,market\n';
  expect(read(text)).toMatchObject([{ asset: 'BTC', what: 'sold', units: '1', value: '2', count: '1' }]);
});

const row = (cells: Partial<Record<string, string>> = {}) => {
  const whole = {
    asset: 'BTC',
    what: 'bought',
    sub: '',
    units: '1',
    value: '2',
    currency: 'EUR',
    count: '1',
    ...cells,
  };
  return `${Object.values(whole).join(',')}\n`;
};

test.for([
  [
    'nothing',
    '',
    /^y\.csv: is empty: the first line must name asset, what, sub_type, units, gross_value, value_currency, count/,
  ],
  ['only a header', HEAD, /^y\.csv: has a header and no rows: there is nothing to compare/],
  [
    'columns missing, all of them',
    'asset,what,units\nBTC,bought,1\n',
    /^y\.csv line 1: there is no column sub_type, gross_value, value_currency, count: the first line must name/,
  ],
  [
    'a column twice',
    HEAD.replace('units', 'units,units').concat(row().replace('1,', '1,1,')),
    /line 1: the column units is there twice/,
  ],
  [
    'another currency',
    HEAD + row({ currency: 'USD' }),
    /^y\.csv line 2: the money is in "USD", and the books of main are in EUR: ask the platform/,
  ],
  [
    'an unknown asset',
    HEAD + row({ asset: 'XYZ' }),
    /line 2: the asset XYZ is unknown to the books and to the platform's list of assets/,
  ],
  [
    'an asset that is a name',
    HEAD + row({ asset: 'Bitcoin' }),
    /line 2: the asset "Bitcoin" is no code: write capitals and digits, such as BTC/,
  ],
  [
    'a fiat currency',
    HEAD + row({ asset: 'EUR' }),
    /line 2: EUR is a fiat currency: it is the price here, and no asset/,
  ],
  [
    'an unknown type',
    HEAD + row({ what: 'mined' }),
    /line 2: the type of transaction "mined" is unknown: write bought, sold, swapped in/,
  ],
  [
    'a type that every object inherits',
    HEAD + row({ what: 'constructor' }),
    /line 2: the type of transaction "constructor" is unknown: write bought, sold, swapped in/,
  ],
  [
    'an unknown sub-type',
    HEAD + row({ what: 'transferred in', sub: 'gift' }),
    /line 2: the sub_type "gift" of transferred in is unknown: write another provider, loan, other/,
  ],
  [
    'a transfer without a sub-type',
    HEAD + row({ what: 'transferred in' }),
    /line 2: the sub_type "" of transferred in is unknown: write another provider/,
  ],
  [
    'a sub-type of a purchase',
    HEAD + row({ sub: 'other' }),
    /line 2: the sub_type "other" of bought is unknown: leave it empty/,
  ],
  [
    'a row twice',
    HEAD + row() + row({ units: '7' }),
    /^y\.csv line 3: BTC bought is stated on line 2 too: leave the one that is meant/,
  ],
  [
    'a reward twice, under two names',
    HEAD +
      row({ what: 'reward', sub: 'staking income' }) +
      row({ what: 'transferred in', sub: 'staking income' }),
    /line 3: BTC reward, staking income is stated on line 2 too/,
  ],
  [
    'units in words',
    HEAD + row({ units: 'some' }),
    /line 2: the number of units "some" is not written out in digits/,
  ],
  ['no units', HEAD + row({ units: '' }), /line 2: there is no number of units: write 0 where it is nothing/],
  [
    '19 decimals',
    HEAD + row({ units: '0.1234567890123456789' }),
    /line 2: the number of units has 19 decimals, more than 18/,
  ],
  [
    'a decimal comma',
    HEAD.replaceAll(',', ';') + row({ value: '1,5' }).replace(/,(?!5)/g, ';'),
    /line 2: the gross_value "1,5" has a comma/,
  ],
  [
    'parts of a cent',
    HEAD + row({ value: '1.005' }),
    /line 2: the gross_value "1.005" has parts of a cent: write two decimals/,
  ],
  ['a count of parts', HEAD + row({ count: '1.5' }), /line 2: the count "1.5" is no whole number/],
  ['no count of purchases', HEAD + row({ count: '' }), /line 2: the count "" is no whole number/],
  [
    'another entity',
    `entity_id,${HEAD}sub,${row()}`,
    /line 2: is of entity "sub", and main is compared: leave only its rows, or add --entity/,
  ],
  [
    'another year',
    `year,${HEAD}2024,${row()}`,
    /line 2: is of the year "2024", not 2025: leave only the rows of one year/,
  ],
] as const)('refused: %s', ([, text, message]) => {
  expect(() => read(text)).toThrow(message);
});
