// Lists over a gateway that refuses the size of a page: its own size is taken, for every later page of the list.
import { expect, test } from 'vitest';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOfCall, type Reply, scripted } from './listener.ts';

const COUNTED: Reply = { body: { total: 0, data: [] } };
const CURSORED: Reply = { body: { data: [], pageInfo: { hasNextPage: false, endCursor: null } } };

/** Every reading operation with a `limit`, the path of a request, and an empty answer. */
const LISTS = [
  [CONTRACT.trading.movements, {}, { body: [] }],
  [CONTRACT.trading.trades, {}, COUNTED],
  [CONTRACT.trading.orders, {}, { body: [] }],
  [CONTRACT.wallet.transactions, {}, CURSORED],
  [CONTRACT.earn.wallets, {}, COUNTED],
  [CONTRACT.subaccounts.list, {}, COUNTED],
  [CONTRACT.earn.walletMovements, { path: { walletId: 'e1' } }, COUNTED],
  [CONTRACT.earn.movements, {}, COUNTED],
  [CONTRACT.loan.orders, {}, COUNTED],
] as const;

const isLimited = (target: string): boolean => target.includes('limit=');

test('these are all lists with a limit', () => {
  const read = Object.values(CONTRACT)
    .flatMap((area) => Object.values(area))
    .filter((operation) => 'page' in operation && 'limit' in operation.query.shape);
  expect(LISTS.map(([operation]) => operation.name).toSorted()).toEqual(
    read.map(({ name }) => name).toSorted(),
  );
});

test.each(LISTS)('%j: a refused limit is left out, from then on', async (operation, path, answer) => {
  const { gateway, seen } = await scripted((_, { target }) => (isLimited(target) ? { status: 400 } : answer));
  for (const limit of [20, 20, undefined]) {
    const { page, receipt } = await gateway.call<unknown>(operation, { ...path, query: { limit } });
    expect(page).toMatchObject({ rows: [] });
    expect(receipt.target).not.toContain('limit');
  }
  expect(seen.map(({ target }) => isLimited(target))).toEqual([true, false, false, false]);
});

test('a limit that was answered once is not what is refused later', async () => {
  const { gateway, seen } = await scripted((nth) => (nth === 1 ? { body: [] } : { status: 400 }));
  await gateway.call(CONTRACT.trading.movements, { query: { limit: 100 } });
  const query = { limit: 100, currency: 'BTC' };
  const failure = await failureOfCall(gateway.call(CONTRACT.trading.movements, { query }));
  expect(failure).toMatchObject({ failure: 'invalid' });
  expect(seen.length).toBe(2);
});

test('a request that is refused in both sizes is refused, and the next one has its limit again', async () => {
  const { gateway, seen } = await scripted((nth) => (nth < 3 ? { status: 400 } : CURSORED));
  const query = { limit: 100, cursor: 'lost' };
  const failure = await failureOfCall(gateway.call(CONTRACT.wallet.transactions, { query }));
  expect(failure).toMatchObject({
    failure: 'invalid',
    target: '/v3/wallet/transaction?limit=100&cursor=lost',
  });
  await gateway.call(CONTRACT.wallet.transactions, { query: { limit: 100 } });
  expect(seen.map(({ target }) => isLimited(target))).toEqual([true, false, true]);
});

test.each([403, 404])('%i is not about the size', async (status) => {
  const { gateway, seen } = await scripted(() => ({ status }));
  await failureOfCall(gateway.call(CONTRACT.trading.movements, { query: { limit: 100 } }));
  expect(seen.map(({ target }) => isLimited(target))).toEqual([true]);
});
