// Changes that fail: which are sent again, and what the error says about those that may have been done.
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { GatewayError, openGateway } from '../../src/gateway/gateway.ts';
import { failureOfCall, isSigned, KEY, type Reply, SECRET, scriptedFull } from './listener.ts';
import { CREATED, create, ID } from './order-call.ts';

const FUNDS = { id: ID, currency: 'EUR', balance: '1', blockedBalance: '0' };

describe('retries of what changes something', () => {
  test('after a 429 it is sent again, signed anew', async () => {
    const { gateway, seen } = await scriptedFull((n) => (n === 1 ? { status: 429 } : CREATED));
    await create(gateway);
    expect(seen).toHaveLength(2);
    expect(seen.every(isSigned)).toBe(true);
    expect(seen[1]?.nonce).toBeGreaterThan(seen[0]?.nonce ?? 0);
  });

  test('after a 401 it is sent once more', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ status: 401 }));
    expect(await failureOfCall(create(gateway))).toMatchObject({ failure: 'unauthorized', effect: 'none' });
    expect(seen).toHaveLength(2);
  });

  test('a second 401 blames the key only where it was used, and where 401 says nothing else', async () => {
    const unverified = { status: 401, body: { message: 'E-mail not verified', error: 'Unauthorized' } };
    const { gateway, seen } = await scriptedFull(() => unverified);
    const executed = await failureOfCall(gateway.wallet.execute({ body: { proforma: ID } }));
    expect(String(executed)).toContain('the request was rejected (invalid, status 401, 2 tries): E-mail not');
    expect(seen).toHaveLength(2);
    const credentials = { accessToken: 'mine' };
    const byToken = await scriptedFull(() => ({ status: 401 }), { credentials });
    const listed = await failureOfCall(byToken.gateway.wallet.pockets());
    expect(String(listed)).toContain('the access token was refused (tokenRefused, status 401');
  });

  test('a clock that is off is set by the 403 of a route that hides it: the next call is in time', async () => {
    const theirs = () => Date.now() + 60_000;
    const { gateway, seen } = await scriptedFull((_, { nonce }) => {
      const headers = { date: new Date(theirs()).toUTCString() };
      const isInTime = Math.abs(nonce - theirs()) < 5_000;
      return isInTime ? { body: FUNDS, headers } : { status: 403, body: { code: 403 }, headers };
    });
    const withdraw = () => gateway.trading.withdraw({ body: { amount: '1', currency: 'EUR' } });
    expect(await failureOfCall(withdraw())).toMatchObject({ failure: 'refused', effect: 'none' });
    expect(await withdraw()).toMatchObject(FUNDS);
    expect(seen).toHaveLength(2);
  });

  test('a connection that was never made is tried again', async () => {
    const credentials = { apiKey: KEY, apiSecret: SECRET };
    const gateway = openGateway({ baseUrl: 'http://127.0.0.1:1', credentials, retries: 2, backoffMs: 1 });
    const error = await failureOfCall(create(gateway));
    expect(error).toMatchObject({ failure: 'unreachable', tries: 3, effect: 'none' });
    await gateway.close();
  });

  test.each<[string, Reply]>([
    ['502', { status: 502 }],
    ['500', { status: 500 }],
    ['503', { status: 503 }],
    ['a reset', { reset: 'at once' }],
    ['a reset in the answer', { reset: 'midway' }],
    ['a page that is not JSON', { status: 200, body: '<html>' }],
    ['202, which promises it', { status: 202, body: {} }],
    ['a part of an answer', { status: 206, body: CREATED.body }],
    ['303', { status: 303, headers: { location: '/elsewhere' } }],
  ])('after %s it is not: the gateway may have done it', async (_name, reply) => {
    const { gateway, seen } = await scriptedFull(() => reply);
    const error = await failureOfCall(create(gateway));
    expect(error).toMatchObject({ effect: 'unknown', retry: false, tries: 1 });
    expect(String(error)).toContain('the gateway may have done it: look it up with orders');
    expect(String(error)).toContain('[POST /v1/trading/order]');
    expect(seen).toHaveLength(1);
  });

  test('a null in its answer is a field that is not given: what was done is no error', async () => {
    const order = { orderId: ID, status: 'accepted', provider: null };
    const claimed = [{ orderId: ID, result: true, message: null }];
    const { gateway } = await scriptedFull((n) => ({ body: n === 1 ? order : claimed }));
    expect(await gateway.teller.executeOrder({ body: { orderId: ID } })).toEqual(order);
    expect(await gateway.socialPay.claim({ body: [{ orderId: ID, pocketId: ID }] })).toEqual(claimed);
  });

  test('after the time limit it is not either', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ ...CREATED, delayMs: 5_000 }), { perTryMs: 200 });
    expect(await failureOfCall(create(gateway))).toMatchObject({ effect: 'unknown', failure: 'unreachable' });
    const { gateway: slow } = await scriptedFull(() => ({ ...CREATED, delayMs: 5_000 }), { totalMs: 100 });
    expect(await failureOfCall(create(slow))).toMatchObject({ effect: 'unknown', failure: 'unreachable' });
    expect(seen).toHaveLength(1);
  });

  test('an answer in JSON of another shape is not asked for again: the gateway did it', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ body: {} }));
    const error = await failureOfCall(create(gateway));
    expect(error).toMatchObject({ failure: 'badPage', effect: 'done', tries: 1 });
    expect(String(error)).toContain('do not send it again');
    expect(seen).toHaveLength(1);
  });

  test('such an answer is kept whole, because it names what was made, and no log shows it', async () => {
    const made = { id: 'order-1', apiSecret: 'of a new key' };
    const { gateway } = await scriptedFull(() => ({ body: made }));
    const error = (await failureOfCall(create(gateway))) as GatewayError;
    expect(JSON.parse(error.answer ?? '')).toEqual(made);
    expect(inspect(error, { showHidden: true }) + JSON.stringify(error)).not.toContain('of a new key');
    const { gateway: refusing } = await scriptedFull(() => ({ status: 400, body: made }));
    expect(await failureOfCall(create(refusing))).toMatchObject({ answer: null });
  });

  test.each([400, 403, 404, 406, 412, 417, 420, 422, 423, 428])(
    '%i is final, and nothing was done',
    async (status) => {
      const { gateway, seen } = await scriptedFull(() => ({ status }));
      expect(await failureOfCall(create(gateway))).toMatchObject({ status, effect: 'none' });
      expect(seen).toHaveLength(1);
    },
  );

  test('what may be repeated is: the confirmation of an address, a proforma', async () => {
    const { gateway, seen } = await scriptedFull((n) =>
      n === 1 ? { status: 502 } : { status: 204, body: '' },
    );
    const totp = { code: '123456' };
    await gateway.funding.confirmAddressBookEntry({ path: { addressBookId: ID }, totp });
    expect(seen).toHaveLength(2);
    const repeatable = Object.values(CONTRACT).flatMap((area) =>
      Object.values(area).flatMap((operation) => ('repeatable' in operation ? [operation.name] : [])),
    );
    expect(repeatable.sort()).toEqual([
      'address-book-confirm',
      'destination-confirm',
      'iban-validate',
      'sign-in-by-embed-token',
      'sign-in-by-key',
      'teller-proforma',
      'wallet-proforma',
    ]);
  });

  test('a gateway that is closed meanwhile does not know', async () => {
    const { gateway, seen } = await scriptedFull(() => ({ ...CREATED, delayMs: 5_000 }));
    const running = failureOfCall(create(gateway));
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    await gateway.close();
    expect(await running).toMatchObject({ effect: 'unknown' });
    expect(await failureOfCall(create(gateway))).not.toBeInstanceOf(GatewayError);
  });

  test('the operation that shows whether it was done exists and only reads', () => {
    const all = Object.values(CONTRACT).flatMap(
      (area) => Object.values(area) as { name: string; method: string }[],
    );
    for (const operation of all)
      if ('shownBy' in operation)
        expect(all.find(({ name }) => name === operation.shownBy)?.method, operation.name).toBe('GET');
  });
});
