// The policy of limits: which line of the file holds for a transaction.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { policyOf } from '../../src/webhook/policy.ts';
import { folder, withFolder } from '../own-folder.ts';

withFolder();

const LIMITS = 'currency,type,max\nEUR,withdrawal,0\nEUR,*,50\nBTC,Withdrawal,1\n';

test.each([
  ['of a type without a line', { type: 'deposit' }, true],
  ['in capitals', { type: 'WITHDRAWAL' }, false],
  ['between spaces', { type: ' Withdrawal ' }, false],
  ['without a type, which may be a withdrawal', { type: null }, false],
  ['within a line in capitals', { type: 'withdrawal', currency: 'BTC', amount: '1' }, true],
  ['without a type, and without a line for any', { type: null, currency: 'BTC', amount: '0.1' }, false],
])('no spelling of a type leads to a wider limit than its own: %s', (_, rest, isAuthorized) => {
  const limits = join(folder, 'limits.csv');
  writeFileSync(limits, LIMITS);
  const policy = policyOf({ key: 'k', answer: 'limits', limits });
  const terms = { transactionId: 't1', userId: 'u1', amount: '10', currency: 'EUR', ...rest };
  expect(policy(terms).isAuthorized).toBe(isAuthorized);
});
