// Wallet transactions over a gateway that refuses the size of a page: its own size is taken, for the whole walk.
import { expect, test } from 'vitest';
import { walletTransactionWalk } from '../../src/extract/extract.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import type { Failure } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';
import { drain, instant } from './drain.ts';

type Query = { readonly limit?: number; readonly cursor?: string };

const ROWS = Array.from({ length: 50 }, (_, nth) => ({ id: `w${nth}`, date: instant(-nth * 1_000) }));

/** A walk over 50 transactions, 20 a page without a limit, and the limits that were requested. */
const walkedBy = async (isRefused: (query: Query) => Failure | null, place: string | null = null) => {
  const limits: string[] = [];
  const call = async (_: unknown, { query }: { query: Query }) => {
    limits.push(String(query.limit ?? 'none'));
    const failure = isRefused(query);
    if (failure) throw failureOf(failure, CONTRACT.wallet.transactions);
    const from = Number(query.cursor ?? 0);
    const rows = ROWS.slice(from, from + (query.limit ?? 20));
    const end = from + rows.length;
    const hasNextPage = end < ROWS.length;
    return { page: { rows, next: hasNextPage ? String(end) : null, hasNextPage }, receipt: null };
  };
  const gateway = { call, nowMs: () => 0 } as unknown as ReadGateway;
  const walk = walletTransactionWalk({ gateway }, place, null);
  return { limits, walked: drain(walk as unknown as Parameters<typeof drain>[0]) };
};

test('a limit that is not refused is sent with every page', async () => {
  const { limits, walked } = await walkedBy(() => null);
  expect([(await walked).ids.size, limits]).toEqual([50, ['100']]);
});

test('a refused limit is left out, from the newest record and from a stored cursor', async () => {
  const isRefused = ({ limit }: Query) => (limit === undefined ? null : ('invalid' as const));
  const whole = await walkedBy(isRefused);
  expect([(await whole.walked).ids.size, whole.limits]).toEqual([50, ['100', 'none', 'none', 'none']]);
  expect((await whole.walked).covers.length).toBe(1);
  const place = JSON.stringify({ cursor: '20', top: instant(0), until: null, last: null });
  const rest = await walkedBy(isRefused, place);
  expect([(await rest.walked).ids.size, rest.limits]).toEqual([30, ['100', 'none', 'none']]);
});

test('a stored cursor that is refused in both sizes fails', async () => {
  const place = JSON.stringify({ cursor: '20', top: instant(0), until: null, last: null });
  const lost = await walkedBy(({ cursor }) => (cursor ? 'invalid' : null), place);
  await expect(lost.walked).rejects.toThrow('the request was rejected');
});

test.each(['unavailable', 'refused', 'missing'] as const)('%s is not about the size', async (failure) => {
  const { limits, walked } = await walkedBy(() => failure);
  await expect(walked).rejects.toThrow();
  expect(limits).toEqual(['100']);
});
