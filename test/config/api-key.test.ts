// A key with a character that no key has: the message says which ones it may have, and does not show it.
import { expect, test } from 'vitest';
import { readGatewayConfig } from '../../src/config/config.ts';

const GATEWAY = { GATEWAY_BASE_URL: 'https://gateway.test', GATEWAY_API_SECRET: 's3cret' };

test.each(['hidden key', 'hidden\u200bkey', 'hiddenÉkey', 'hidden\u0007key'])('%j is no key', (key) => {
  expect(() => readGatewayConfig({ ...GATEWAY, GATEWAY_API_KEY: key })).toThrow(
    /GATEWAY_API_KEY is not valid: write it in printable ASCII, without spaces; a copied key may contain a character that is not shown$/,
  );
});
