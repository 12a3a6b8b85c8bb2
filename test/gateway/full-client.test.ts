// The integrators' client over real sockets: what it sends, refuses to send, retries, and returns.
import { describe, expect, expectTypeOf, test } from 'vitest';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { type Gateway, openReadGateway } from '../../src/gateway/gateway.ts';
import { failureOfCall, isSigned, KEY, type Reply, SECRET, type Seen, scriptedFull } from './listener.ts';
import { CREATED, create, ID, ORDER } from './order-call.ts';

test('every operation of the contract is a method', async () => {
  const { gateway } = await scriptedFull(() => ({}));
  for (const [area, operations] of Object.entries(CONTRACT))
    expect(Object.keys(gateway[area as keyof typeof CONTRACT])).toEqual(Object.keys(operations));
});

describe('what is sent', () => {
  test('a body is compact JSON, signed byte for byte', async () => {
    const { gateway, seen } = await scriptedFull(() => CREATED);
    await create(gateway);
    const [request] = seen;
    expect(request).toMatchObject({
      method: 'POST',
      target: '/v1/trading/order',
      body: JSON.stringify(ORDER),
    });
    expect(request?.headers['content-type']).toBe('application/json');
    expect(request && isSigned(request)).toBe(true);
  });

  test('without a body none is sent or signed; an empty object is a body', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ status: 204, body: '' }));
    const path = { addressBookId: ID };
    await gateway.funding.confirmAddressBookEntry({ path, totp: { code: '123456' } });
    await gateway.funding.confirmAddressBookEntry({ path, totp: { code: '123456' }, body: {} });
    expect(seen.map(({ body }) => body)).toEqual(['', '{}']);
    expect(seen[0]?.headers['content-type']).toBeUndefined();
    expect(seen.every(isSigned)).toBe(true);
  });

  test('the subaccount and the second factor are headers', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ status: 204, body: '' }));
    const totp = { code: '123456' };
    await gateway.funding.confirmAddressBookEntry({ path: { addressBookId: ID }, totp, subaccount: ID });
    expect(seen[0]?.headers).toMatchObject({
      'x-totp': '123456',
      'x-totp-type': 'gauth',
      'x-subaccount-id': ID,
    });
  });

  test('whole numbers of a query are written as text', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ body: { total: 0, data: [] } }));
    await gateway.trading.trades({ query: { limit: 50, symbol: 'BTC/EUR', offset: '100' } });
    expect(seen[0]?.target).toBe('/v1/trading/trade?limit=50&symbol=BTC%2FEUR&offset=100');
  });

  test('public operations and the sign-in by embed token carry no key', async () => {
    const accessToken = { token: 'a', expirationTime: 1 };
    const session = { id: 's', expirationTime: 1 };
    const script = (n: number): Reply => ({
      body: n === 1 ? {} : { accessToken, refreshToken: accessToken, session },
    });
    const { gateway, seen } = await scriptedFull(script);
    await gateway.currency.catalog({ query: { type: 'all' } });
    await gateway.access.signInByEmbedToken({ body: { accessToken: 'embed' } });
    for (const { headers } of seen)
      for (const name of ['x-api-key', 'x-nonce', 'api-signature', 'authorization'])
        expect(headers).not.toHaveProperty(name);
  });

  test('a gateway without credentials sends public operations only', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ body: [] }), { credentials: undefined as never });
    expect(await gateway.trading.tickers()).toEqual([]);
    expect(String(await failureOfCall(gateway.wallet.pockets()))).toContain('credentials');
    expect(seen).toHaveLength(1);
  });
});

describe('what is not sent', () => {
  test('the error names the operation and each wrong field', async () => {
    const { gateway, seen } = await scriptedFull(() => CREATED);
    const body = { ...ORDER, side: 'up', amount: 0.5, size: '1' } as unknown as typeof ORDER;
    const error = await failureOfCall(gateway.trading.createOrder({ body }));
    expect(error).toMatchObject({ failure: 'invalid', operation: 'order-create', tries: 0, status: null });
    for (const part of ['order-create', 'body.side', 'body.amount', '"size"'])
      expect(String(error)).toContain(part);
    expect(seen).toHaveLength(0);
  });

  test.each<[string, (gateway: Gateway) => Promise<unknown>, string]>([
    ['a part of a path', (g) => g.trading.order({ path: { id: '..' } }), 'id'],
    ['no path', (g) => g.trading.order({} as never), 'path.id'],
    ['a query', (g) => g.trading.movements({ query: { limit: 101 } }), 'query.limit'],
    ['a fraction', (g) => g.trading.trades({ query: { limit: 1.5 } }), 'query.limit'],
    ['an unknown parameter', (g) => g.trading.movements({ query: { x: '1' } as never }), '"x"'],
    ['no body', (g) => g.trading.createOrder({} as never), 'body'],
    ['a body that it does not take', (g) => g.wallet.pockets({ body: {} } as never), 'body'],
    ['a code', (g) => createAs(g, { code: 'x' }), 'totp.code'],
    ['a type of code', (g) => createAs(g, { code: '123456', type: 'sms' }), 'totp.type'],
  ])('%s', async (_name, call, field) => {
    const { gateway, seen } = await scriptedFull(() => CREATED);
    const error = await failureOfCall(call(gateway));
    expect(error).toMatchObject({ failure: 'invalid', tries: 0 });
    expect(String(error)).toContain(field);
    expect(seen).toHaveLength(0);
  });

  test('the reading client refuses what changes anything', async () => {
    const gateway = openReadGateway({
      baseUrl: 'http://127.0.0.1:1',
      apiKey: KEY,
      apiSecret: SECRET,
      rpm: 60,
    });
    for (const operation of [CONTRACT.trading.createOrder, CONTRACT.trading.order]) {
      const error = await failureOfCall(gateway.call(operation as never, { path: { id: ID } }));
      expect(error).toMatchObject({ failure: 'invalid', tries: 0 });
    }
    expect(gateway.requests()).toBe(0);
    await gateway.close();
  });
});

const createAs = (gateway: Gateway, totp: { code: string; type?: 'sms' }) =>
  gateway.trading.createOrder({ body: ORDER, totp, subaccount: ID });

describe('answers', () => {
  test('numbers are exact text, and typed', async () => {
    const { gateway } = await scriptedFull(() => CREATED);
    const order = await create(gateway);
    expect(order.amount).toBe('0.123456789012345678');
    expectTypeOf(order.id).toEqualTypeOf<string>();
    expectTypeOf(gateway.trading.createOrder).parameter(0).toHaveProperty('body');
    expectTypeOf<Awaited<ReturnType<Gateway['subaccounts']['identityFile']>>>().toEqualTypeOf<Uint8Array>();
  });

  test('204 has no answer, and an empty body of a change is none either', async () => {
    const { gateway } = await scriptedFull((n) => ({ status: n === 1 ? 204 : 200, body: '' }));
    expect(await gateway.trading.cancelOrder({ path: { id: ID } })).toBeUndefined();
    expect(await gateway.trading.cancelOrder({ path: { id: ID } })).toBeUndefined();
  });

  test('a file is its bytes', async () => {
    const { gateway } = await scriptedFull(() => ({ body: Buffer.from([1, 2, 255]) }));
    const query = { identityFileType: 'selfie', subAccountId: ID } as const;
    expect([...(await gateway.subaccounts.identityFile({ query }))]).toEqual([1, 2, 255]);
  });
});

describe('tokens', () => {
  const credentials = { apiKey: KEY, apiSecret: SECRET, auth: 'jwt' } as const;
  const soon = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
  /** Signs in with a new token each time; each lives `life` seconds. */
  const signingIn = (life: number, rest: (token: string, n: number) => Reply) => {
    let tokens = 0;
    return (n: number, { target, headers }: Seen): Reply => {
      if (target !== '/v1/signin/apikey') return rest(headers.authorization ?? '', n);
      tokens += 1;
      return { body: { accessToken: { token: `token-${tokens}`, expirationTime: soon(life) } } };
    };
  };

  test('one sign-in serves concurrent calls, which are not signed', async () => {
    const { gateway, seen } = await scriptedFull(
      signingIn(3600, () => ({ body: [] })),
      { credentials },
    );
    await Promise.all([
      gateway.wallet.pockets(),
      gateway.wallet.pockets({ subaccount: ID }),
      gateway.trading.orders(),
    ]);
    const [signIn, ...others] = seen;
    expect(signIn && isSigned(signIn)).toBe(true);
    expect(signIn?.body).toBe('');
    expect(others).toHaveLength(3);
    for (const { headers } of others) {
      expect(headers.authorization).toBe('Bearer token-1');
      expect(headers).not.toHaveProperty('api-signature');
    }
  });

  test('a token is renewed before it expires', async () => {
    const { gateway, seen } = await scriptedFull(
      signingIn(1, () => ({ body: [] })),
      { credentials },
    );
    await gateway.wallet.pockets();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await gateway.wallet.pockets();
    expect(seen.map(({ headers }) => headers.authorization ?? 'signed')).toEqual([
      'signed',
      'Bearer token-1',
      'signed',
      'Bearer token-2',
    ]);
  });

  test('a token that is refused is replaced once', async () => {
    const script = signingIn(3600, (token) => (token.endsWith('1') ? { status: 401 } : { body: [] }));
    const { gateway, seen } = await scriptedFull(script, { credentials });
    expect(await gateway.wallet.pockets()).toEqual([]);
    expect(seen).toHaveLength(4);
  });

  test('one that a route refuses with 403 is replaced for the next call', async () => {
    const script = signingIn(3600, (token) =>
      token.endsWith('1')
        ? { status: 403, body: { code: 403, description: 'Invalid credentials' } }
        : { body: { id: 'f', currency: 'EUR', balance: '1', blockedBalance: '0' } },
    );
    const { gateway, seen } = await scriptedFull(script, { credentials });
    const withdraw = () => gateway.trading.withdraw({ body: { amount: '1', currency: 'EUR' } });
    expect(await failureOfCall(withdraw())).toMatchObject({ failure: 'refused', effect: 'none' });
    expect(await withdraw()).toMatchObject({ id: 'f' });
    expect(seen).toHaveLength(4);
  });

  test('a failed sign-in ends the call with its own error', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ status: 403 }), { credentials });
    expect(await failureOfCall(create(gateway))).toMatchObject({
      operation: 'sign-in-by-key',
      effect: 'none',
    });
    expect(seen).toHaveLength(1);
  });

  test('an access token from elsewhere is sent as it is; it cannot sign in by key', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ body: [] }), {
      credentials: { accessToken: 'mine' },
    });
    await gateway.wallet.pockets();
    expect(seen[0]?.headers.authorization).toBe('Bearer mine');
    expect(await failureOfCall(gateway.access.signInByKey())).toMatchObject({ failure: 'invalid' });
  });
});

test('after a switch of credentials the new pair signs, and no message shows either secret', async () => {
  const { gateway, seen } = await scriptedFull((n) =>
    n === 3 ? { status: 400, body: { message: `${SECRET} fresh-secret`, error: 'x' } } : { body: [] },
  );
  await gateway.wallet.pockets();
  gateway.switchCredentials({ apiKey: 'fresh-key', apiSecret: 'fresh-secret' });
  await gateway.wallet.pockets();
  expect(seen.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, 'fresh-key']);
  const shown = String(await failureOfCall(gateway.wallet.pockets()));
  expect(shown).toContain('[redacted] [redacted]');
  expect(() => gateway.switchCredentials({ apiKey: '', apiSecret: 's' })).toThrow('API key is empty');
});
