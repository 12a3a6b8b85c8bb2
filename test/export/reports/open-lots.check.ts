// Open lots beside the holdings, over two months of two entities, the first of them closed.
import { describe, expect, test } from 'vitest';
import { attoOf, attoText, roundToCents, subtract, sum } from '../../../src/base/money.ts';
import { cellOf, expectWithinHalfACent, negated, openTwoMonths, type Row, SPANS, summed } from './ties.ts';

const { read } = openTwoMonths();

const BY_ASSET = ['entity_id', 'currency'];
const BY_COIN = ['entity_id', 'asset']; // each entity is a taxpayer of its own here
const inCents = (sums: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(sums)
      .map(([key, text]) => [key, attoText(roundToCents(attoOf(text)))] as const)
      .filter(([, text]) => text !== '0'),
  );

describe.each(Object.entries(SPANS))('%s', (_name, span) => {
  test('the open lots of the platform are its holdings, in units and at cost', async () => {
    const holdings = (await read('valuation', span)).filter((row) => row.currency !== row.value_currency);
    const lots = (await read('open_lots', span)).filter((row) => row.pool !== 'external');
    expect(lots.length).toBeGreaterThan(10);
    expect(summed(lots, BY_COIN, cellOf('units'))).toEqual(summed(holdings, BY_ASSET, cellOf('units')));
    const carried = (row: Row) => sum([cellOf('cost')(row), negated('rounding_value')(row)]);
    expect(inCents(summed(lots, BY_COIN, cellOf('cost')))).toEqual(summed(holdings, BY_ASSET, carried));
    const market = summed(lots, BY_COIN, cellOf('market_value'));
    expectWithinHalfACent(market, summed(holdings, BY_ASSET, cellOf('market_value')));
    for (const { market_value, cost, unrealised } of lots)
      if (market_value && cost) expect(subtract(market_value, cost)).toBe(unrealised);
  });
});
