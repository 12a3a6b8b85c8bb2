// Known answers, computed by openssl and not by our code:
//   sign() { printf '%s' "$1" | openssl dgst -sha256 -binary \
//     | openssl dgst -sha512 -hmac 'a secret of no account' -binary | openssl base64 -A; }
//   sign '1767225600000:/v1/trading/movement?limit=100&to=2026-01-01T00%3A00%3A00.000Z'
//   sign '1767225600000:/v1/signin/apikey:{}'
import { expect, test } from 'vitest';
import { signature } from '../../src/gateway/signature.ts';

const SECRET = 'a secret of no account';
const nonce = 1767225600000;

test('a request without a body signs nonce and target', () => {
  const target = '/v1/trading/movement?limit=100&to=2026-01-01T00%3A00%3A00.000Z';
  expect(signature(SECRET, { nonce, target })).toBe(
    'wRu+m85lIdxTXsOGD5KMZjtmKkmehkGykMTX4JBpALHcq2XzPmJKKJ/SwR/asu5zcthZRh37kWhg00QtvFvo6w==',
  );
});

test('an empty object is a body and is signed as one', () => {
  const target = '/v1/signin/apikey';
  expect(signature(SECRET, { nonce, target, body: '{}' })).toBe(
    'nDuFFFGuns9t1vnMhh1sq4juhzgaPR3CLXEgPOvtoh7qttDwdpm9CAEO3q4c2HkD+tHyiyzW2WA4oNLOP4b92g==',
  );
  expect(signature(SECRET, { nonce, target })).not.toBe(signature(SECRET, { nonce, target, body: '{}' }));
});
