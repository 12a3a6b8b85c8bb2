// Signing, by the specification's "Signature rule": base64(HMAC-SHA512(secret, SHA-256(message))).
import { createHash, createHmac } from 'node:crypto';

type Signable = {
  /** Unix milliseconds, within 5 seconds of the server's clock. */
  readonly nonce: number;
  /** The request target as sent: path and query string. */
  readonly target: string;
  /** The compact JSON body, byte for byte as sent; absent if there is none. */
  readonly body?: string | Uint8Array;
};

/** The value of the `api-signature` header. */
export const signature = (secret: string, { nonce, target, body }: Signable): string => {
  const message = createHash('sha256').update(`${nonce}:${target}`, 'utf8');
  if (body !== undefined) message.update(':').update(body);
  return createHmac('sha512', secret).update(message.digest()).digest('base64');
};
