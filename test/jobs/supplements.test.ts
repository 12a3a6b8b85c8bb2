// What only checks use: a gateway that lacks it, refuses it, or fails at it, never ends a night.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSupplements } from '../../jobs/answers.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import type { Failure } from '../../src/gateway/errors.ts';
import { GatewayError } from '../../src/gateway/gateway.ts';
import { failureOf } from '../gateway-failure.ts';
import { openStage, type Stage } from '../land/stage.ts';
import { readingContext } from './reading-context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Reads both supplements from a gateway that fails for each in this way. */
const read = async (failure: Failure): Promise<void> => {
  const call = async (operation: Operation) => {
    throw failureOf(failure, operation);
  };
  const context = readingContext(stage, call);
  await readSupplements(context, { capitalMoved: true });
};

test.each([
  ['missing', 'note'],
  ['invalid', 'note'],
  ['redirected', 'note'],
  ['refused', 'finding'],
  ['blocked', 'finding'],
  ['secondFactor', 'finding'],
  ['unavailable', 'finding'],
  ['unreachable', 'finding'],
  ['badPage', 'finding'],
  ['oversized', 'finding'],
] as const)('%s is a %s', async (failure, severity) => {
  await read(failure);
  expect(await stage.rows('select subject, severity from run.findings order by subject')).toEqual([
    { subject: 'balance-numbers', severity },
    { subject: 'working-capital', severity },
  ]);
});

test.each(['banned', 'unauthorized', 'throttled'] as const)(
  '%s is of every request, and ends the reading',
  async (failure) => {
    await expect(read(failure)).rejects.toThrow(GatewayError);
  },
);
