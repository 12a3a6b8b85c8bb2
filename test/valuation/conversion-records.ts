// Conversions of a wallet as the gateway sends them, a minute after the start of these tests.
import type { WireRecord } from '../../src/base/streams.ts';
import { instantAt } from '../land/stage.ts';

export type Amount = readonly [amount: string, currency: string];

export const conversion = (
  id: string,
  [paid, received]: readonly [Amount, Amount],
  more: WireRecord = {},
) => {
  const { rate, amountAfterFees, ...rest } = more;
  const side = ([amount, currency]: Amount) => ({
    class: 'pocket',
    pocketId: `p-${currency}`,
    amount,
    currency,
  });
  return {
    id,
    date: instantAt(0),
    completedAt: instantAt(60),
    type: 'transfer',
    subtype: 'swap',
    method: 'pocket',
    status: 'completed',
    origin: side(paid),
    destination: {
      ...side(received),
      ...(rate !== undefined && { rate }),
      ...(amountAfterFees !== undefined && { amountAfterFees }),
    },
    ...rest,
  };
};

export const rateOf = (value: string, base: string, quote: string) => ({ value, pair: { base, quote } });
export const teller = (amount: string, currency: string) => ({
  teller: { id: 'to-1', fixed: { amount, currency } },
});
