// An instant full of movements at a gateway that does not take a filter, however it says so: the others split it, or it is a gap.
import { expect, test } from 'vitest';
import { movementWalk } from '../../src/extract/extract.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { type Failure, GatewayError } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';
import { drain, instant } from './drain.ts';

const FILTERS = ['movementType', 'serviceOrderName', 'currency', 'walletId'] as const;

type Query = Readonly<Partial<Record<(typeof FILTERS)[number] | 'from' | 'to', string>>>;

const WALLETS = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const;

/** 150 movements of one instant, of two kinds, origins, currencies and wallets. */
const ROWS = Array.from({ length: 150 }, (_, nth) => ({
  id: `m${nth}`,
  createdAt: instant(5_000),
  movementType: nth % 2 === 0 ? 'deposit' : 'withdrawal',
  serviceOrderName: nth % 2 === 0 ? 'wallet' : 'bot',
  currency: nth % 2 === 0 ? 'EUR' : 'BTC',
  walletId: WALLETS[nth % 2],
}));

const walkedBy = (failing: (query: Query) => Failure | null) => {
  const call = async (_: unknown, { query }: { query: Query }) => {
    const failure = failing(query);
    if (failure !== null) throw failureOf(failure, CONTRACT.trading.movements);
    const { from = '', to = '3' } = query;
    const rows = ROWS.filter(
      (row) =>
        row.createdAt >= from &&
        row.createdAt <= to &&
        FILTERS.every((name) => [undefined, row[name]].includes(query[name])),
    );
    return { page: { rows: rows.slice(0, 100) }, receipt: null };
  };
  const gateway = { call, nowMs: () => Date.parse(instant(3_600_000)) } as unknown as ReadGateway;
  const words = { currencies: ['EUR', 'BTC'], wallets: WALLETS };
  const walk = movementWalk({ gateway }, { window: { from: null, to: null } }, words);
  return drain(walk as unknown as Parameters<typeof drain>[0]);
};

test.each(['invalid', 'unavailable'] as const)(
  'a filter that is answered with %s is replaced by another',
  async (failure) => {
    for (const refused of FILTERS) {
      const walked = await walkedBy((query) => (refused in query ? failure : null));
      expect([walked.ids.size, walked.troubles]).toEqual([150, []]);
    }
    const none = await walkedBy((query) => (FILTERS.some((name) => name in query) ? failure : null));
    expect(none.troubles).toEqual([
      {
        subject: 'gap',
        detail:
          `${instant(4_999)} to ${instant(5_000)}: at least 100 records, more than one page can return, even with every filter that the gateway accepts ` +
          `(it refuses ${FILTERS.join(', ')}); completeness cannot be proved here`,
      },
    ]);
  },
);

test('an outage while an instant is split ends the walk', async () => {
  let requests = 0;
  const outage = walkedBy(() => {
    requests += 1;
    return requests > 3 ? 'unavailable' : null;
  });
  await expect(outage).rejects.toThrow(GatewayError);
});
