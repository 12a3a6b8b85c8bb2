// The terms of a delivery: what it must name to be answered, and what it may leave out.
import { expect, test } from 'vitest';
import { termsIn } from '../../src/webhook/terms.ts';

const NEEDED = { transactionId: 't1', amount: '10.50', currency: 'EUR' };
const NOTHING = [undefined, null, ''];

test.each(NOTHING)(
  'a user and a type that are %j are not given, and nothing is wrong with them',
  (nothing) => {
    const read = termsIn({ ...NEEDED, userId: nothing, type: nothing });
    expect(read).toEqual({ ...NEEDED, amount: '10.5', userId: null, type: null, wrong: null });
  },
);

test.each(Object.keys(NEEDED))('%s is needed', (field) => {
  for (const nothing of NOTHING)
    expect(termsIn({ ...NEEDED, [field]: nothing }).wrong).toBe(`${field} is missing`);
});
