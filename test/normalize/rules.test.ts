// Invariants of the rules for any record, and drafts of records that are not final.
import { describe, expect, test } from 'vitest';
import { negate, readAmount, sign, sum } from '../../src/base/money.ts';
import { STREAM_NAMES, type StreamName, type WireRecord } from '../../src/base/streams.ts';
import { readInstant } from '../../src/base/time.ts';
import type { Draft, Leg } from '../../src/ledger/entry.ts';
import { isGiven } from '../../src/normalize/fields.ts';
import { applyRule, effectOfNonFinal, isFinal, RULES } from '../../src/normalize/rule-table.ts';
import { dice, randomRecord } from './records.ts';

const RECORDS_PER_STREAM = 2000;
const POCKETS = new Map([
  ['p-1', [{ currency: 'BTC', after: 0n, until: null }]],
  ['p-2', [{ currency: 'EUR', after: 0n, until: null }]],
]);
const CONTEXT = { pockets: POCKETS, platformClass: null };
const ACCOUNT = /^(assets|liabilities|equity|expenses|income)(:[a-z0-9-]+)+$/;

/** The net of an account in an entry, in one currency: debit positive. */
const change = (legs: readonly Leg[], account: string, currency: string): string =>
  sum(
    legs
      .filter((leg) => leg.currency === currency)
      .flatMap((leg) => [
        ...(leg.debit === account ? [leg.amount] : []),
        ...(leg.credit === account ? [negate(leg.amount)] : []),
      ]),
  );

const accountsOf = (legs: readonly Leg[]): string[] => [
  ...new Set(legs.flatMap((leg) => [leg.debit, leg.credit])),
];
const currenciesOf = (legs: readonly Leg[]): string[] => [...new Set(legs.map((leg) => leg.currency))];

const mustBeBookable = ({ legs, effectiveAt, description }: Draft): void => {
  for (const { amount, debit, credit, currency } of legs) {
    expect(sign(amount)).toBe(1);
    expect(readAmount(amount)).toEqual({ amount });
    expect(debit).toMatch(ACCOUNT);
    expect(credit).toMatch(ACCOUNT);
    expect(debit).not.toBe(credit);
    expect(currency).toMatch(/^[A-Z0-9]{1,20}$/);
  }
  expect(readInstant(effectiveAt)).toBe(effectiveAt);
  expect(description).toMatch(/^[\w/ -]{1,130}$/);
};

const mustSumToZero = (legs: readonly Leg[]): void => {
  for (const currency of currenciesOf(legs)) {
    expect(sum(accountsOf(legs).map((account) => change(legs, account, currency)))).toBe('0');
  }
};

/** Records, their stream and the outcome of their rule, `RECORDS_PER_STREAM` of each. */
const drafted = function* (stream: StreamName): Generator<{ record: WireRecord; legs: readonly Leg[] }> {
  const d = dice(20261103);
  for (let n = 0; n < RECORDS_PER_STREAM; n++) {
    const record = randomRecord(d, stream);
    const outcome = applyRule(stream, record, CONTEXT);
    if (outcome.outcome === 'booked') yield { record, legs: outcome.draft.legs };
  }
};

describe.each(STREAM_NAMES)('any record of %s', (stream) => {
  test('has one outcome, the same each time, and every draft can be booked', () => {
    const d = dice(20261103);
    const seen = { booked: 0, rejected: 0, 'set-aside': 0 };
    for (let n = 0; n < RECORDS_PER_STREAM; n++) {
      const record = randomRecord(d, stream);
      const before = JSON.stringify(record);
      const outcome = applyRule(stream, record, CONTEXT);
      expect(applyRule(stream, structuredClone(record), CONTEXT)).toEqual(outcome);
      expect(JSON.stringify(record)).toBe(before);
      if (outcome.outcome === 'rejected') expect(outcome.reason).toMatch(/^[a-z]+(\.[a-z]+)*: .{1,160}$/i);
      if (outcome.outcome === 'booked') mustBeBookable(outcome.draft);
      if (outcome.outcome === 'booked') mustSumToZero(outcome.draft.legs);
      seen[outcome.outcome]++;
    }
    expect(Math.min(seen.booked, seen.rejected, seen['set-aside'])).toBeGreaterThan(0);
  });

  test('is never booked twice without a new version', () => expect(RULES[stream].version).toBeGreaterThan(0));
});

test('trading changes by exactly the amounts of the fill', () => {
  for (const { record, legs } of drafted('trades')) {
    const [base = '', quote = ''] = String(record.symbol).split('/');
    const way = (value: unknown, enters: boolean) => (enters ? String(value) : negate(String(value)));
    for (const currency of new Set([base, quote, String(record.feeCurrency)])) {
      const amounts = [
        ...(currency === base ? [way(record.amount, record.side === 'buy')] : []),
        ...(currency === quote ? [way(record.cost, record.side === 'sell')] : []),
        ...(currency === record.feeCurrency ? [way(record.feeAmount, false)] : []),
      ];
      expect(change(legs, 'assets:trading', currency)).toBe(sum(amounts));
    }
  }
});

test('a wallet transaction debits its amount, and credits the amount after fees', () => {
  for (const { record, legs } of drafted('wallet-transactions')) {
    if (!record.origin || record.fee) continue;
    const [origin, destination] = [record.origin as WireRecord, record.destination as WireRecord];
    if (origin.amount === undefined) continue; // only a class
    const paid = String(origin.amount);
    const got = String(destination.amountAfterFees ?? destination.amount);
    const own = (side: WireRecord) => side.class === 'pocket' && CONTEXT.pockets.has(String(side.pocketId));
    const account = (side: WireRecord) => `assets:pocket:${side.pocketId}`;
    if (own(origin)) expect(change(legs, account(origin), String(origin.currency))).toBe(negate(sum([paid])));
    if (own(destination))
      expect(change(legs, account(destination), String(destination.currency))).toBe(sum([got]));
  }
});

const CONVERTED = [
  'equity:conversion',
  ...['network', 'teller', 'unclassified'].map((kind) => `expenses:fees:${kind}`),
];

test('conversion has the amount given and the amount received, less the fees of each', () => {
  let conversions = 0;
  for (const { record, legs } of drafted('wallet-transactions')) {
    const [origin, destination] = [record.origin as WireRecord | undefined, record.destination as WireRecord];
    if (origin && origin.currency === destination.currency)
      expect(accountsOf(legs)).not.toContain('equity:conversion');
    if (!isGiven(record, 'origin.currency') || origin?.currency === destination.currency) continue;
    conversions++;
    const changes = (currency: unknown) =>
      CONVERTED.map((account) => change(legs, account, String(currency)));
    expect(sum(changes(origin?.currency))).toBe(sum([String(origin?.amount)]));
    const got = String(destination.amountAfterFees ?? destination.amount);
    expect(sum(changes(destination.currency))).toBe(negate(sum([got])));
  }
  expect(conversions).toBeGreaterThan(50);
});

test('the order of the fields of a record has no effect', () => {
  const reversed = (value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .reverse()
            .map(([field, member]) => [field, reversed(member)]),
        )
      : value;
  const d = dice(7);
  for (let n = 0; n < 1000; n++) {
    const record = randomRecord(d, 'wallet-transactions');
    const again = applyRule('wallet-transactions', reversed(record) as WireRecord, CONTEXT);
    expect(again).toEqual(applyRule('wallet-transactions', record, CONTEXT));
  }
});

describe('a record that is not final', () => {
  const transfer = {
    date: '2026-11-03T10:00:00.000Z',
    status: 'pending',
    type: 'withdrawal',
    origin: { class: 'pocket', pocketId: 'p-1', currency: 'BTC', amount: '0.50000000' },
    destination: { class: 'blockchain', currency: 'BTC', amount: '0.49900000' },
  };

  test.each([
    ['completed', true],
    ['canceled', true],
    ['cancelled', true],
    ['pending', false],
    ['waiting-user-information', false],
    ['frozen', false],
    [null, false],
    [undefined, false],
  ])('is told by its status: %s', (status, final) => {
    expect(isFinal('wallet-transactions', { ...transfer, status })).toBe(final);
    expect(isFinal('movements', { status })).toBe(final);
  });

  test('does not exist among trades and Earn movements', () => {
    expect(isFinal('trades', { status: 'pending' })).toBe(true);
    expect(isFinal('earn-movements', {})).toBe(true);
    expect(isFinal('earn-movements', { status: 'pending' })).toBe(false);
  });

  test.each([transfer.date, 'soon', null])('has the legs of its present amounts, created at %j', (date) => {
    expect(effectOfNonFinal('wallet-transactions', { ...transfer, date }, CONTEXT)).toEqual([
      {
        debit: 'equity:external:blockchain',
        credit: 'assets:pocket:p-1',
        currency: 'BTC',
        amount: '0.499',
      },
      { debit: 'expenses:fees:network', credit: 'assets:pocket:p-1', currency: 'BTC', amount: '0.001' },
    ]);
  });

  test('has legs for an unknown status too, and none if it is final, zero or unreadable', () => {
    const effect = (change: WireRecord) =>
      effectOfNonFinal('wallet-transactions', { ...transfer, ...change }, CONTEXT);
    expect(effect({ status: 'frozen' })).toHaveLength(2);
    expect(effect({ status: 'completed' })).toBeNull();
    expect(effect({ status: 'cancelled' })).toBeNull();
    expect(effect({ destination: null })).toBeNull();
    expect(effect({ origin: { ...transfer.origin, amount: '0.4' } })).toBeNull();
    const nothing = { class: 'blockchain', currency: 'BTC', amount: '0.00' };
    expect(effect({ origin: { ...transfer.origin, amount: '0' }, destination: nothing })).toBeNull();
  });
});

test('a bug of ours is not a reject', () => {
  const record = {
    get status(): string {
      throw new RangeError('a bug');
    },
  };
  expect(() => applyRule('movements', record, CONTEXT)).toThrow(RangeError);
});
