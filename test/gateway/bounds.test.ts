// Bounded answers: size, rows, depth and status are checked before a page is parsed.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parseExact } from '../../src/base/json.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { isPathPart, isSendable } from '../../src/gateway/target.ts';
import { failureOfCall, scripted, scriptedFull } from './listener.ts';

const ID = '11111111-2222-4333-8444-555555555555';
const QUARTER_MIB = 262_144;

test.each([
  ['quotes and backslashes', '"\\'.repeat(QUARTER_MIB / 2)],
  ['an open string of backslashes', `"${'\\\\'.repeat(QUARTER_MIB / 2)}`],
  ['digits and spaces', `1${' '.repeat(QUARTER_MIB)}`.repeat(4)],
])('%s are refused in linear time', (_, text) => {
  const began = performance.now();
  expect(() => parseExact(text)).toThrow(SyntaxError);
  expect(performance.now() - began).toBeLessThan(2_000); // it took 41 s before
});

test('a page with more rows than requested is refused before its rows are parsed', async () => {
  const rows = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => ({ id: `m${n}` })));
  const script = (n: number) => ({ body: n === 1 ? rows(1_000) : `${'[1,'.padEnd(600_001, '1,')}1]` });
  const { gateway } = await scripted(script, { retries: 0 });
  expect((await gateway.call(CONTRACT.trading.movements)).page.rows).toHaveLength(1_000); // services ignore limits
  const error = await failureOfCall(gateway.call(CONTRACT.trading.movements));
  expect(String(error)).toMatch(/larger than the limit .*: 300001 rows, at most 1000/);
});

test.each([201, 204, 206, 299])('an answer with status %i is not the requested page', async (status) => {
  const { gateway } = await scripted(() => ({ status, body: status === 204 ? '' : '[]' }), { retries: 0 });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({ failure: 'badPage' });
});

test('nesting beyond what a record needs is refused, and costs no stack', async () => {
  const { gateway } = await scripted(() => ({ body: '['.repeat(100_000) + ']'.repeat(100_000) }), {
    retries: 0,
  });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({ failure: 'badPage' });
});

test('a compressed body is not inflated', async () => {
  const body = gzipSync(`"${'x'.repeat(50_000_000)}"`);
  const headers = { 'content-encoding': 'gzip' };
  const { gateway, seen } = await scripted(() => ({ body, headers }), { retries: 0 });
  expect(await failureOfCall(gateway.call(CONTRACT.trading.movements))).toMatchObject({ failure: 'badPage' });
  expect(seen[0]?.headers['accept-encoding']).toBe('identity');
});

test('a file that arrives compressed is not the file', async () => {
  const query = { identityFileType: 'selfie', subAccountId: ID } as const;
  const fileSent = async (encoding: string) => {
    const reply = { body: gzipSync('a picture'), headers: { 'content-encoding': encoding } };
    const { gateway } = await scriptedFull(() => reply, { retries: 0 });
    return gateway.subaccounts.identityFile({ query });
  };
  expect(await failureOfCall(fileSent('gzip'))).toMatchObject({ failure: 'badPage' });
  expect(Buffer.from(await fileSent('identity'))).toEqual(gzipSync('a picture'));
});

describe('a record requested by id', () => {
  test.each([
    ['neither', { amount: '1' }, 0],
    ['no status', { id: 'w1' }, 0],
    ['no id', { status: 'pending' }, 0],
    ['an envelope instead', { data: { id: 'w1', status: 'pending' } }, 0],
    ['both', { id: 'w1', status: 'pending' }, 1],
  ])('with %s of id and status', async (_, body, rows) => {
    const { gateway } = await scripted(() => ({ body }));
    const { page } = await gateway.call(CONTRACT.wallet.transaction, { path: { id: 'w1' } });
    expect(page.rows).toHaveLength(rows);
  });
});

test('an impossible request is refused before it is sent', async () => {
  for (const text of ['a\u0000b', 'half \ud800', 'a\r\nb', 'x'.repeat(3_000)])
    expect([isSendable(text), isPathPart(text)]).toEqual([false, false]);
  for (const text of ['', '.', '..']) expect(isPathPart(text)).toBe(false);
  const { gateway, seen } = await scripted(() => ({ body: {} }));
  for (const id of ['half \ud800', '..', 'a\nb'])
    expect(await failureOfCall(gateway.call(CONTRACT.wallet.transaction, { path: { id } }))).toMatchObject({
      failure: 'invalid',
    });
  for (const subaccount of ['a\r\nx-api-key: b', 'ü', ''])
    expect(await failureOfCall(gateway.call(CONTRACT.trading.movements, { subaccount }))).toMatchObject({
      failure: 'invalid',
    });
  expect(seen).toEqual([]);
});

test.each([
  CONTRACT.trading.movements,
  CONTRACT.trading.trades,
  CONTRACT.wallet.transactions,
  CONTRACT.wallet.transaction,
  CONTRACT.earn.wallets,
])('$name: a record is handed on as it was sent, with a field of any name', async (operation) => {
  const row = '{"id":"a","status":"pending","__proto__":{"amount":"7"},"constructor":"1"}';
  const page = `{"total":1,"pageInfo":{"hasNextPage":false},"data":[${row}]}`;
  const bodies: Readonly<Record<string, string>> = { movements: `[${row}]`, 'wallet-transaction': row };
  const { gateway } = await scripted(() => ({ body: bodies[operation.name] ?? page }));
  const answer = await gateway.call<{ rows: readonly object[] }>(operation, { path: { id: 'a' } });
  expect(JSON.stringify(answer.page.rows)).toBe(`[${row}]`);
});

test.each([
  ['too long', 'x'.repeat(513)],
  ['a list', ['w1', 'w2']],
  ['empty', ''],
])('the id of an Earn wallet that is %s is refused, whatever it has beside it', async (_, walletId) => {
  const body = { total: 1, data: [{ walletId, id: 'w1' }] };
  const { gateway } = await scripted(() => ({ body }), { retries: 0 });
  expect(await failureOfCall(gateway.call(CONTRACT.earn.wallets))).toMatchObject({ failure: 'badPage' });
});
