// Single wallet transactions, requested one by one: the answer for one affects only that one.
import { expect, test } from 'vitest';
import { walletTransactionReads } from '../../src/extract/extract.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { type Failure, GatewayError } from '../../src/gateway/errors.ts';

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
  new GatewayError({
    failure,
    status: null,
    operation: CONTRACT.wallet.transaction,
    target: `/v1/wallet/transaction/${id}`,
    requestId: null,
    tries: 1,
    detail: '',
  });

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

test.each(['refused', 'banned', 'unavailable', 'badPage'] as const)('%s ends the walk', async (failure) => {
  await expect(read({ w1: failure }, ['w1', 'w2'])).rejects.toThrow(GatewayError);
});
