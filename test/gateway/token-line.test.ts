// Calls that stand in line with a token: what ends it while they wait.
import { expect, test } from 'vitest';
import { KEY, SECRET, scriptedFull } from './listener.ts';

const CALLS = 60;
/** A client has so many requests in flight at once. */
const AT_ONCE = 4;

test('of many calls at once, only those in flight show a token after it was refused', async () => {
  const credentials = { apiKey: KEY, apiSecret: SECRET, auth: 'jwt' } as const;
  const expirationTime = Math.floor(Date.now() / 1_000) + 3_600;
  let [signIns, served] = [0, 0];
  const { gateway, seen } = await scriptedFull(
    (_, { target, headers }) => {
      if (target === '/v1/signin/apikey') {
        signIns += 1;
        return { body: { accessToken: { token: `token-${signIns}`, expirationTime } } };
      }
      if (headers.authorization === 'Bearer token-1' && served === 10) return { status: 401 };
      served += 1;
      return { body: [] };
    },
    { credentials },
  );
  const pages = await Promise.all(Array.from({ length: CALLS }, () => gateway.wallet.pockets()));
  expect([pages.length, served, signIns]).toEqual([CALLS, CALLS, 2]);
  expect(seen.length - served - signIns).toBeLessThanOrEqual(AT_ONCE);
});
