// Published worked examples, method by method: the figures of each source beside ours. The rules of lots are those of any
// fungible asset, so shares stand beside coins. Amounts are the source's own, in its currency.
import { describe, expect, test } from 'vitest';
import { attoOf, attoText } from '../../src/base/money.ts';
import type { Method } from '../../src/valuation/pool.ts';
import { buy, sell, standOf } from './stand.ts';

type Sale = {
  readonly units: string;
  readonly proceeds: string;
  /** Units of the nth purchase, from 1, that the sale names. */
  readonly chosen?: Readonly<Record<number, string>>;
  readonly cost: string;
  readonly gain: string;
};

type Example = {
  readonly source: string;
  readonly method: Method;
  readonly bought: readonly (readonly [units: string, cost: string])[];
  readonly sold: readonly Sale[];
};

const FUND_SHARES: Example['bought'] = [
  ['1000', '12000'],
  ['500', '7500'],
  ['900', '24300'],
];

const EXAMPLES: readonly Example[] = [
  {
    source: 'HMRC, Cryptoassets Manual CRYPTO22251, example 1 (section 104 pool; gov.uk)',
    method: 'average',
    bought: [
      ['100', '1000'],
      ['50', '125000'],
    ],
    sold: [
      { units: '50', proceeds: '300000', cost: '42000', gain: '258000' },
      { units: '100', proceeds: '84000', cost: '84000', gain: '0' }, // "she can deduct all £84,000"
    ],
  },
  {
    source:
      'J. C. Rueda on the Spanish DGT, V1604-18 (the first units acquired are the first sold; bandualegal.com)',
    method: 'fifo',
    bought: [
      ['1', '8000'],
      ['1', '6000'],
    ],
    sold: [{ units: '1', proceeds: '34000', cost: '8000', gain: '26000' }],
  },
  {
    source:
      'Tips on mutual funds, "identify the actual shares", first in first out (jakenethome, mutassts12)',
    method: 'fifo',
    bought: FUND_SHARES,
    sold: [{ units: '900', proceeds: '23400', cost: '10800', gain: '12600' }],
  },
  {
    source: 'The same tips, with the shares of early 2010 named',
    method: 'specific',
    bought: FUND_SHARES,
    sold: [{ units: '900', proceeds: '23400', chosen: { 3: '900' }, cost: '24300', gain: '-900' }],
  },
  {
    source: "J. K. Lasser's Your Income Tax 2013, 30.2 Earmarking Stock Lots: the lot of 2000 named",
    method: 'specific',
    bought: [
      ['100', '7700'],
      ['200', '16800'],
      ['100', '10500'],
    ],
    sold: [{ units: '100', proceeds: '9000', chosen: { 3: '100' }, cost: '10500', gain: '-1500' }],
  },
  {
    source: 'Tokenbooks, glossary: HIFO (tokenbooks.io/glossary/hifo)',
    method: 'hifo',
    bought: [
      ['0.5', '15000'],
      ['0.5', '20000'],
      ['0.5', '25000'],
    ],
    sold: [{ units: '0.7', proceeds: '38500', cost: '33000', gain: '5500' }],
  },
  {
    source: 'Merlin, glossary: HIFO, with the dearest purchase in the middle (trymerlin.io/glossary/hifo)',
    method: 'hifo',
    bought: [
      ['1', '20000'],
      ['1', '30000'],
      ['1', '25000'],
    ],
    sold: [{ units: '1', proceeds: '40000', cost: '30000', gain: '10000' }],
  },
  {
    source: 'Random Calculators, FIFO vs LIFO vs HIFO: FIFO (randomcalculators.com)',
    method: 'fifo',
    bought: [
      ['1', '1000'],
      ['2', '18000'],
      ['5', '30000'],
    ],
    sold: [{ units: '2', proceeds: '200000', cost: '10000', gain: '190000' }],
  },
];

/** What we make of an example: cost and gain of each sale. */
const ours = ({ method, bought, sold }: Example) => {
  const { book } = standOf(method);
  for (const [units, cost] of bought) book(buy(units, 'XYZ', cost));
  return sold.map(({ units, proceeds, chosen }) => {
    const lots = Object.entries(method === 'specific' ? (chosen ?? {}) : {}).map(([nth, part]) => ({
      entity: 'main',
      id: `e${nth}/1`,
      units: attoOf(part),
      micros: 0,
      entries: [`e${nth}`],
    }));
    const { uses } = book(sell(units, 'XYZ', proceeds), { chosen: { XYZ: lots } });
    const total = (figure: (use: (typeof uses)[number]) => bigint | null) =>
      uses.reduce((sum, use) => sum + (figure(use) ?? 0n), 0n);
    const cost = total((use) => use.cost);
    return { cost: attoText(cost), gain: attoText(total((use) => use.proceeds) - cost) };
  });
};

describe('published examples', () => {
  test.each(EXAMPLES.map((example) => [`${example.method}: ${example.source}`, example] as const))(
    '%s',
    (_title, example) => {
      expect(ours(example)).toEqual(example.sold.map(({ cost, gain }) => ({ cost, gain })));
    },
  );

  test('most examples tell the methods apart', () => {
    const differing = EXAMPLES.filter((example) => {
      const other = example.method === 'hifo' ? 'fifo' : 'hifo';
      return JSON.stringify(ours({ ...example, method: other })) !== JSON.stringify(ours(example));
    });
    expect(differing).toHaveLength(5); // the dearest lot is the oldest, or the named one, in the others
  });
});
