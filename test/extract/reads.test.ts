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

test('a record that is gone, or whose id is refused, is reported and does not block the others', async () => {
  const results = await read({ gone: 'missing', '..': 'invalid' }, ['gone', '..', 'w3']);
  expect(results).toEqual([
    expect.stringMatching(/^not final: .*nightly --full.*transaction\/gone/),
    expect.stringMatching(/^not final: .*transaction\/\.\./),
    'w3',
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

test.each(['refused', 'banned', 'unavailable', 'badPage'] as const)('%s ends the walk', async (failure) => {
  await expect(read({ w1: failure }, ['w1', 'w2'])).rejects.toThrow(GatewayError);
});
