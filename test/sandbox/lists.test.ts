// The lists by the specification: limits, bounds, filters, order, cursors and exact digits.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isIban } from '../../src/base/bank-account.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { NETWORKS } from '../../src/sandbox/world/networks.ts';
import { ask, type Loose } from './asker.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 3, until: '2026-11-03T00:00:00Z' });
});
afterAll(() => sandbox.close());

const violation = async (target: string) => (await ask(sandbox, target)).body.errors[0];

test('a limit above 100 movements is refused as in the specification', async () => {
  const { status, body } = await ask(sandbox, '/v1/trading/movement?limit=101');
  expect([status, body.message]).toEqual([400, 'Validation errors']);
  expect(body.errors[0]).toMatchObject({ in: 'query', name: 'limit' });
  expect(body.errors[0].errors[0]).toMatchObject({ code: 'MAXIMUM', params: ['101', '100'] });
});

test.each([
  ['serviceOrderName=moon', 'ENUM_MISMATCH', ['moon']],
  ['currency=eur', 'PATTERN', ['^[A-Z0-9]+$', 'eur']],
  ['limit=ten', 'INVALID_TYPE', ['integer', 'string']],
  ['limit=9999999999', 'MAXIMUM', ['9999999999', '100']],
  [`limit=${'9'.repeat(400)}`, 'MAXIMUM', [String(Number.MAX_SAFE_INTEGER), '100']],
  ['limit=0', 'PATTERN', ['^[1-9]\\d*$', '0']],
  ['limit=1&limit=2', 'INVALID_TYPE', ['string', 'array']],
])('%s is %s', async (query, code, params) => {
  expect((await violation(`/v1/trading/movement?${query}`)).errors[0]).toMatchObject({ code, params });
});

test('a symbol that no asset can have violates the pattern of the specification', async () => {
  const { status, body } = await ask(sandbox, '/v2/currency/assets/BT-C');
  expect(status).toBe(400);
  expect(body.errors[0]).toMatchObject({ code: 'PATTERN', in: 'path', name: 'symbol' });
  expect(body.errors[0].errors[0].params).toEqual(['^[A-Z0-9]{1,12}$', 'BT-C']);
});

test('a parameter that the specification does not name is ignored', async () => {
  const { status, body } = await ask(sandbox, '/v1/trading/movement?moon=1&limit=1');
  expect([status, body.length]).toEqual([200, 1]);
});

test('movements are newest first, at most 100, both bounds inclusive', async () => {
  const { body } = await ask(sandbox, '/v1/trading/movement');
  const times = body.map((row: Loose) => row.createdAt);
  expect(times).toHaveLength(100);
  expect(times).toEqual(times.toSorted().reverse());
  const [to, from] = [times[3], times[20]];
  const bounded = (await ask(sandbox, `/v1/trading/movement?from=${from}&to=${to}`)).body;
  expect(bounded.map((row: Loose) => row.createdAt)).toEqual(
    times.filter((time: string) => time >= from && time <= to),
  );
});

test('movements can be split by the four filters', async () => {
  const all = (await ask(sandbox, '/v1/trading/movement')).body;
  const { walletId, currency, serviceOrderName, movementType } = all[0];
  const query = `walletId=${walletId}&currency=${currency}&serviceOrderName=${serviceOrderName}&movementType=${movementType}`;
  const some = (await ask(sandbox, `/v1/trading/movement?${query}`)).body;
  expect(some.length).toBeGreaterThan(0);
  for (const row of some) expect(row).toMatchObject({ walletId, currency, serviceOrderName, movementType });
});

test('several movements share one millisecond', async () => {
  const times = (await ask(sandbox, '/v1/trading/movement')).body.map((row: Loose) => row.createdAt);
  expect(new Set(times).size).toBeLessThan(times.length);
});

test('amounts are JSON numbers with every digit', async () => {
  const { text } = await ask(sandbox, '/v1/trading/movement');
  const amounts = [...text.matchAll(/"amount":([^,]+),/g)].map(([, digits]) => digits ?? '');
  expect(amounts.some((digits) => /^\d+\.\d{18}$/.test(digits))).toBe(true);
  expect(amounts.some((digits) => /^\d{14,}$/.test(digits))).toBe(true);
  for (const digits of amounts) expect(digits).toMatch(/^\d+(\.\d+)?$/);
});

test('a larger limit of trades is reduced to 50 without an error', async () => {
  const { status, body } = await ask(sandbox, '/v1/trading/trade?limit=100');
  expect([status, body.data.length, body.total]).toEqual([200, 50, body.count]);
  const huge = await ask(sandbox, `/v1/trading/trade?limit=${'9'.repeat(20)}`);
  expect([huge.status, huge.body.data.length]).toEqual([200, 50]);
  const asc = (await ask(sandbox, `/v1/trading/trade?sort=createdAt&direction=asc&offset=${body.total - 1}`))
    .body;
  expect(asc.data.map((row: Loose) => row.id)).toEqual([body.data[0].id]);
});

test('trades are sorted by a figure as numbers, not as text', async () => {
  for (const [direction, sign] of [
    ['asc', 1],
    ['desc', -1],
  ] as const) {
    const { data } = (await ask(sandbox, `/v1/trading/trade?sort=amount&direction=${direction}`)).body;
    const amounts: number[] = data.map(({ amount }: Loose) => Number(amount));
    expect(amounts).toEqual(amounts.toSorted((a, b) => sign * (a - b)));
  }
});

test('trades are filtered by symbol, side, ids and inclusive times', async () => {
  const { data } = (await ask(sandbox, '/v1/trading/trade')).body;
  const [a, b] = [data[0], data[10]];
  const bounded = (await ask(sandbox, `/v1/trading/trade?startTime=${b.createdAt}&endTime=${a.createdAt}`))
    .body;
  expect(bounded.total).toBe('11');
  const byIds = (await ask(sandbox, `/v1/trading/trade?ids=${a.id},${b.id}`)).body;
  expect(byIds.data.map((row: Loose) => row.id)).toEqual([a.id, b.id]);
  const bySide = (await ask(sandbox, '/v1/trading/trade?side=buy&symbol=ETH/EUR')).body;
  for (const row of bySide.data) expect([row.side, row.symbol]).toEqual(['buy', 'ETH/EUR']);
});

test('the cursor walks every wallet transaction once, newest first', async () => {
  const seen: Loose[] = [];
  let cursor = '';
  for (let pages = 0; pages < 100; pages += 1) {
    const { body } = await ask(
      sandbox,
      `/v3/wallet/transaction${cursor && `?cursor=${encodeURIComponent(cursor)}`}`,
    );
    expect(body.data.length).toBeLessThanOrEqual(20);
    seen.push(...body.data);
    cursor = body.pageInfo.endCursor;
    if (!body.pageInfo.hasNextPage) break;
  }
  const dates = seen.map((row) => row.date);
  expect(cursor).toBeNull();
  expect(new Set(seen.map((row) => row.id)).size).toBe(seen.length);
  expect(seen.length).toBe(sandbox.world.rows('main', 'wallet-transactions').length);
  expect(dates).toEqual(dates.toSorted().reverse());
});

const sideOf = (row: Loose): Loose => (row.type === 'deposit' ? row.origin : row.destination);

/** What explorers show: hexadecimal digits, with 0x on Ethereum, and base58 on Solana. */
const HASHES: Readonly<Record<string, RegExp>> = {
  bitcoin: /^[0-9a-f]{64}$/,
  ethereum: /^0x[0-9a-f]{64}$/,
  solana: /^[1-9A-HJ-NP-Za-km-z]{88}$/,
};

test('each row of a chain has the hash of its transaction, in the form of its network', async () => {
  const rows = sandbox.world
    .rows('main', 'wallet-transactions')
    .map(({ body }): Loose => body)
    .filter((row) => row.method === 'blockchain');
  const networks = new Set(rows.map((row) => sideOf(row).addressNetwork));
  expect([...networks].sort()).toEqual(Object.keys(HASHES));
  for (const row of rows) expect(row.transaction.hash).toMatch(HASHES[sideOf(row).addressNetwork] as RegExp);
  expect(new Set(rows.map((row) => row.transaction.hash)).size).toBe(rows.length);
});

test('each address has the form of its network', async () => {
  const rows = sandbox.world.rows('main', 'wallet-transactions').map(({ body }): Loose => body);
  const { body: book } = await ask(sandbox, '/v1/blockchain-manager/address-book');
  const sides = rows.flatMap(({ origin, destination }) => [origin, destination]);
  const listed = book.map(({ address, network }: Loose) => ({ address, addressNetwork: network }));
  const places: Loose[] = [...sides, ...listed].filter((side) => side?.address !== undefined);
  expect(new Set(places.map(({ addressNetwork }) => addressNetwork))).toEqual(
    new Set(['bitcoin', 'ethereum', 'solana']),
  );
  for (const { address, addressNetwork } of places)
    expect(address).toMatch(NETWORKS[addressNetwork]?.address as RegExp);
});

test('bank accounts are IBANs that a statement can be of', async () => {
  const rows = sandbox.world.rows('main', 'wallet-transactions').map(({ body }): Loose => body);
  const accounts = new Set(rows.flatMap((row) => row.origin?.bankAccount ?? []));
  expect([...accounts].map((account) => [account, isIban(account)])).toEqual([
    ['ES9121000418450200051332', true],
  ]);
});

test('an invalid cursor is 400, and one transaction is richer than its row', async () => {
  expect((await ask(sandbox, '/v3/wallet/transaction?cursor=nonsense')).status).toBe(400);
  const { data } = (await ask(sandbox, '/v3/wallet/transaction?limit=100')).body;
  const chain = data.find((row: Loose) => row.method === 'blockchain');
  const { body } = await ask(sandbox, `/v1/wallet/transaction/${chain.id}`);
  expect(body).toMatchObject(chain);
  expect([chain.network, body.network]).toEqual([undefined, sideOf(chain).addressNetwork]);
  expect((await ask(sandbox, '/v1/wallet/transaction/none')).status).toBe(404);
});

test('the color of a pocket is a whole number', async () => {
  const { body } = await ask(sandbox, '/v1/wallet/pocket');
  for (const { color } of body) expect(color).toMatch(/^\d+$/);
});

test('balances are numbers or text, and can be requested by symbol', async () => {
  const numbers = (await ask(sandbox, '/v1/trading/wallet/balance?symbols=EUR,BTC')).text;
  expect(numbers).toMatch(/"balance":\d/);
  const text = (await ask(sandbox, '/v1/trading/wallet/balance?symbols=EUR,BTC&amountFormat=string')).text;
  expect(text).toMatch(/"balance":"\d/);
  expect(JSON.parse(text)).toHaveLength(2);
});
