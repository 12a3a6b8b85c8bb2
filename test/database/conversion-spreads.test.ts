// books.conversion_spreads: what the price of a conversion hides, exactly, from the market rate of its own record; where the
// rate does not say it, no figure and a reason.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { instantAt } from '../land/stage.ts';
import { type Nights, openNights } from '../reconcile/stage.ts';
import { conversion, rateOf, teller } from '../valuation/conversion-records.ts';

const EUR_BTC = [
  ['100.00', 'EUR'],
  ['0.00198000', 'BTC'],
] as const;
const BTC_EUR = [
  ['0.50000000', 'BTC'],
  ['24750.00', 'EUR'],
] as const;
const STABLE = [
  ['100', 'USDT'],
  ['98.5', 'EUR'],
] as const;

const shown = rateOf('50505.05', 'BTC', 'EUR');

/** Each record, with what the view must say: market rate, received at it, spread, percent, reason. */
const CASES: readonly (readonly [WireRecord & { readonly id: string }, string])[] = [
  [
    conversion('base bought', EUR_BTC, { rate: rateOf('50000', 'BTC', 'EUR') }),
    '50000 0.002 0.00002 1.0000 -',
  ],
  [conversion('base paid', BTC_EUR, { rate: rateOf('50000', 'BTC', 'EUR') }), '50000 25000 250 1.0000 -'],
  [
    conversion('turned', EUR_BTC, { rate: rateOf('0.00002', 'EUR', 'BTC') }),
    '0.00002 0.002 0.00002 1.0000 -',
  ],
  [
    conversion('nested', EUR_BTC, { rate: { rate: rateOf('50000', 'BTC', 'EUR') } }),
    '50000 0.002 0.00002 1.0000 -',
  ],
  [
    conversion('in our favour', BTC_EUR, { rate: rateOf('49000', 'BTC', 'EUR') }),
    '49000 24500 -250 -1.0204 -',
  ],
  [
    conversion(
      'endless quotient',
      [
        ['100', 'EUR'],
        ['33', 'ADA'],
      ],
      { rate: rateOf('3', 'ADA', 'EUR') },
    ),
    '3 33.333333333333333333 0.333333333333333333 1.0000 -',
  ],
  [
    conversion(
      'eighteen decimals',
      [
        ['123456789.123456789012345678', 'ADA'],
        ['1', 'EUR'],
      ],
      {
        rate: rateOf('0.000000012345678901', 'ADA', 'EUR'),
      },
    ),
    '0.000000012345678901 1.524157876666666764294924665403139878 0.524157876666666764294924665403139878 34.3900 -',
  ],
  [conversion('bare value', EUR_BTC, { rate: '50000' }), '50000 0.002 0.00002 1.0000 -'],
  [conversion('bare value, one for one', STABLE, { rate: '1' }), '1 100 1.5 1.5000 -'],
  [conversion('bare value, both fit', STABLE, { rate: '1.02' }), '1.02 - - - direction'],
  [conversion('bare value, none fits', EUR_BTC, { rate: '7' }), '7 - - - direction'],
  [
    conversion('of another pair', EUR_BTC, { rate: rateOf('50000', 'BTC', 'USD') }),
    '50000 - - - another pair',
  ],
  [conversion('zero', EUR_BTC, { rate: rateOf('0', 'BTC', 'EUR') }), '0 - - - not positive'],
  [conversion('no number', EUR_BTC, { rate: rateOf('dear', 'BTC', 'EUR') }), '- - - - no rate'],
  [conversion('only the shown rate', EUR_BTC, { userRate: shown }), '- - - - no rate'],
  [
    conversion('fee out of the proceeds', BTC_EUR, {
      rate: rateOf('50000', 'BTC', 'EUR'),
      amountAfterFees: '24740.00',
      fee: teller('10.00', 'EUR'),
    }),
    '50000 25000 250 1.0000 -',
  ],
  [
    conversion(
      'fee in what is paid',
      [
        ['102.50', 'EUR'],
        ['0.00198', 'BTC'],
      ],
      {
        rate: rateOf('50000', 'BTC', 'EUR'),
        fee: teller('2.50', 'EUR'),
      },
    ),
    '50000 0.002 0.00002 1.0000 -',
  ],
  [
    conversion('flip fee', EUR_BTC, {
      rate: rateOf('50000', 'BTC', 'EUR'),
      fee: { flip: { percentage: '1.0', amount: '1.00', currency: 'EUR' } },
    }),
    '50000 0.002 0.00002 1.0000 -',
  ],
];

const REASONS: Readonly<Record<string, string>> = {
  direction: 'the rate names no pair, and its direction is not clear',
  'another pair': 'the rate is of another pair',
  'not positive': 'the rate is not positive',
  'no rate': 'no rate',
};

let books: Nights;
beforeAll(async () => {
  books = await openNights();
  await night(CASES.map(([record]) => record));
});
afterAll(() => books.close());

const night = (records: readonly WireRecord[]) =>
  books.night({ records: { 'wallet-transactions': records } });
const spreads = (where: string) => books.rows(`select * from books.conversion_spreads where ${where}`);

test.each(CASES.map(([{ id }, expected]) => [id, expected]))('%s', async (id, expected) => {
  const [row] = await spreads(`record_id = '${id}'`);
  const [rate, atRate, spread, percent, ...reason] = expected
    .split(' ')
    .map((word) => (word === '-' ? null : word));
  expect(row).toMatchObject({
    effective_at: instantAt(60),
    market_rate: rate,
    received_at_rate: atRate,
    spread,
    spread_percent: percent,
    reason: REASONS[reason.join(' ')] ?? null,
  });
});

test('what was paid and received leaves out the fees that are booked, and not the one inside the price', async () => {
  const rows = await books.rows(
    `select concat_ws(' ', record_id || ':', paid, paid_currency, received, received_currency, flip_fee_amount, flip_fee_currency,
      flip_fee_percentage) as line
    from books.conversion_spreads where record_id ~ 'fee' order by record_id`,
  );
  expect(rows.map(({ line }) => line)).toEqual([
    'fee in what is paid: 100 EUR 0.00198 BTC',
    'fee out of the proceeds: 0.5 BTC 24750 EUR',
    'flip fee: 100 EUR 0.00198 BTC 1 EUR 1',
  ]);
});

test('a conversion that is cancelled later has no spread, and one whose rate changes has the new one', async () => {
  const [cancelled, changed] = ['cancelled', 'changed'].map((id) =>
    conversion(id, EUR_BTC, { rate: rateOf('50000', 'BTC', 'EUR') }),
  );
  await night([cancelled, changed] as WireRecord[]);
  expect(await spreads("record_id = 'cancelled'")).toHaveLength(1);
  await night([
    { ...cancelled, status: 'cancelled', canceledAt: instantAt(600) },
    conversion(
      'changed',
      [
        ['100', 'EUR'],
        ['0.0019', 'BTC'],
      ],
      { rate: rateOf('50000', 'BTC', 'EUR') },
    ),
  ]);
  expect(await spreads("record_id = 'cancelled'")).toEqual([]);
  expect(await spreads("record_id = 'changed'")).toMatchObject([
    { spread: '0.0001', spread_percent: '5.0000' },
  ]);
});

test('books.wallet_transactions and books.earn_movements have what these need as typed columns', async () => {
  const onChain = {
    ...conversion('on chain', [
      ['1', 'ETH'],
      ['0.9', 'ETH'],
    ]),
    type: 'withdrawal',
    destination: {
      class: 'blockchain',
      amount: '0.9',
      currency: 'ETH',
      address: '0xabc',
      addressNetwork: 'ETHEREUM',
    },
    fee: teller('0.1', 'ETH'),
    transaction: { hash: '0xdef' },
    instantId: 'i-1',
    rate: { rate: shown },
  };
  const toPerson = {
    ...onChain,
    id: 'to a person',
    destination: { ...onChain.destination, class: 'person', address: '1 High St' },
  };
  await books.night({
    records: {
      'wallet-transactions': [onChain, toPerson],
      'earn-movements': [
        {
          movementId: 'e1',
          type: 'deposit',
          createdAt: instantAt(0),
          source: { walletId: 'p-ETH', currency: 'ETH' },
        },
      ],
    },
  });
  const columns =
    'origin_address, destination_address, destination_network, transaction_hash, fee_teller_id, instant_id, rate, rate_base, rate_quote, destination_rate';
  const rows = await books.rows(
    `select ${columns} from books.wallet_transactions where record_id in ('on chain', 'to a person') order by record_id`,
  );
  const expected = {
    origin_address: null,
    destination_address: '0xabc',
    destination_network: 'ETHEREUM',
    transaction_hash: '0xdef',
    fee_teller_id: 'to-1',
    instant_id: 'i-1',
    rate: '50505.05',
    rate_base: 'BTC',
    rate_quote: 'EUR',
    destination_rate: null,
  };
  expect(rows).toEqual([expected, { ...expected, destination_address: null }]);
  expect(await books.rows('select source_wallet_id, source_currency from books.earn_movements')).toEqual([
    { source_wallet_id: 'p-ETH', source_currency: 'ETH' },
  ]);
});
