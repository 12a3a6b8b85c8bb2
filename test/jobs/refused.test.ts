// An operation that the gateway refuses while it answers others: a finding, whatever its word for it. Before any answer it ends the night.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { askProduct } from '../../jobs/extraction.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { GatewayError } from '../../src/gateway/gateway.ts';
import { failureOf } from '../gateway-failure.ts';
import { openStage, type Stage } from '../land/stage.ts';
import { readingContext } from './reading-context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const REFUSALS = ['invalid', 'redirected'] as const;

test.each([...REFUSALS, 'refused'] as const)('%s is a finding of the list', async (failure) => {
  const answered = { isAny: true, refused: new Set<string>() };
  const context = { ...readingContext(stage, async () => {}), answered };
  const fail = async () => {
    throw failureOf(failure, CONTRACT.trading.trades);
  };
  expect(await askProduct(context, 'trades', fail)).toBe(null);
  expect([...answered.refused]).toEqual(['main']);
  expect(await stage.rows('select severity, subject from run.findings')).toEqual([
    { severity: 'finding', subject: 'trades' },
  ]);
});

test.each([...REFUSALS, 'unavailable', 'banned'] as const)(
  '%s before the gateway has answered anything ends the night',
  async (failure) => {
    const answered = { isAny: false, refused: new Set<string>() };
    const context = { ...readingContext(stage, async () => {}), answered };
    const fail = async () => {
      throw failureOf(failure, CONTRACT.trading.balance);
    };
    await expect(askProduct(context, 'trading-balance', fail)).rejects.toThrow(GatewayError);
  },
);

test.each(['blocked', 'secondFactor'] as const)(
  '%s may be lifted, and ends the reading of the entity',
  async (failure) => {
    const answered = { isAny: true, refused: new Set<string>() };
    const context = { ...readingContext(stage, async () => {}), answered };
    const fail = async () => {
      throw failureOf(failure, CONTRACT.trading.trades);
    };
    await expect(askProduct(context, 'trades', fail)).rejects.toThrow(GatewayError);
  },
);
