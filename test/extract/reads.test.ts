// Single wallet transactions, requested one by one: the answer for one affects only that one.
import { expect, test } from 'vitest';
import { walletTransactionReads } from '../../src/extract/extract.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { type Failure, GatewayError } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';

const RECEIPT = {
  method: 'GET',
  target: '/',
  status: 200,
  date: null,
  bodySha256: '',
  requestId: null,
  sentAtMs: 0,
  tries: 1,
};

const failed = (failure: Failure, id: string): GatewayError =>
  failureOf(failure, CONTRACT.wallet.transaction, { target: `/v1/wallet/transaction/${id}` });

/** A gateway that answers for every id except those that fail. */
const gatewayOf = (failures: Readonly<Record<string, Failure>>): ReadGateway => {
  const call = async (_: unknown, { path }: { path: { id: string } }) => {
    const failure = failures[path.id];
    if (failure) throw failed(failure, path.id);
    return { page: { rows: [{ id: path.id }] }, receipt: RECEIPT };
  };
  return { call } as unknown as ReadGateway;
};

const read = async (failures: Readonly<Record<string, Failure>>, ids: readonly string[]) => {
  const results: string[] = [];
  const walk = walletTransactionReads({ gateway: gatewayOf(failures) }, ids);
  for (let next = await walk.next({ fresh: 0 }); !next.done; next = await walk.next({ fresh: 0 })) {
    const { page, trouble } = next.value;
    results.push(trouble ? `${trouble.subject}: ${trouble.detail}` : String(page?.rows[0]?.id));
  }
  return results;
};

test.each([
  'missing',
  'invalid',
  'refused',
  'blocked',
  'secondFactor',
  'redirected',
  'unavailable',
  'unreachable',
  'badPage',
  'oversized',
] as const)('a record whose answer is %s is reported and does not block the others', async (failure) => {
  expect(await read({ w1: failure, w2: failure, w4: failure }, ['w1', 'w2', 'w3', 'w4'])).toEqual([
    expect.stringMatching(/^not final: .*nightly --full.*transaction\/w1/),
    expect.stringMatching(/^not final: .*transaction\/w2/),
    'w3',
    expect.stringMatching(/^not final: .*transaction\/w4/),
  ]);
});

test('after three records in a row that the gateway fails to answer, the others are left out', async () => {
  const failures = { w1: 'unavailable', w2: 'refused', w3: 'badPage', w4: 'unavailable' } as const;
  expect(await read(failures, ['w1', 'w2', 'w3', 'w4', 'w5'])).toEqual([
    expect.stringContaining('transaction/w1'),
    expect.stringContaining('transaction/w2'),
    expect.stringMatching(/by itself, and after 3 failures in a row 2 others are not asked for; .*\/w3/),
  ]);
});

test('an answer that says less than the list about a completed record is none', () => {
  const { page } = CONTRACT.wallet.transaction;
  const rowsOf = (answer: object) =>
    page.parse({ id: 'w1', date: '2026-10-30T10:00:00.000Z', ...answer }).rows;
  const [completedAt, origin] = ['2026-11-02T10:00:00.000Z', { class: 'pocket', amount: '1' }];
  expect(rowsOf({ status: 'completed', completedAt, origin })).toHaveLength(1);
  expect(rowsOf({ status: 'completed', completedAt: null, destination: origin })).toHaveLength(1);
  expect(rowsOf({ status: 'pending' })).toHaveLength(1);
  expect(rowsOf({ status: 'cancelled' })).toHaveLength(1);
  expect(rowsOf({ status: 'completed', origin })).toEqual([]); // would be booked at its creation, perhaps in another month
  expect(rowsOf({ status: 'completed', completedAt })).toEqual([]); // would be a reject
  expect(rowsOf({})).toEqual([]);
});

test('what is not answered is reported, and nothing of it lands', async () => {
  const call = async () => ({ page: { rows: [] }, receipt: RECEIPT });
  const walk = walletTransactionReads({ gateway: { call } as unknown as ReadGateway }, ['w1']);
  const { value } = await walk.next({ fresh: 0 });
  expect([value?.page?.rows, value?.trouble?.subject]).toEqual([[], 'not final']);
  expect(value?.trouble?.detail).toMatch(
    /^w1 is not final, .* or what a completed one has: nothing new is known/,
  );
});

test.each(['banned', 'unauthorized', 'untrusted', 'throttled'] as const)(
  '%s ends the walk',
  async (failure) => {
    await expect(read({ w1: failure }, ['w1', 'w2'])).rejects.toThrow(GatewayError);
  },
);
