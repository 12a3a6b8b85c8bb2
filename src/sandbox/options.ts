// The options of a stand-in gateway, and what a client needs to reach it.
import type { Scope } from './access/api-keys.ts';
import type { WebhookOptions } from './authorization.ts';
import type { World } from './world.ts';

export type SandboxOptions = {
  readonly seed: number;
  /** 0 or absent: any free port. */
  readonly port?: number;
  /** The anchor, an ISO instant at which the world's time starts; default: today 00:00 UTC. */
  readonly until?: string;
  /** Days of history before the anchor. */
  readonly days?: number;
  /** Number of entities: the main account plus N−1 subaccounts. */
  readonly entities?: number;
  readonly faults?: readonly string[];
  readonly defects?: readonly string[];
  /** Approximate number of records a day, over all entities and streams. */
  readonly perDay?: number;
  /** Adds records that only other lists explain: addresses, orders, social pay orders. */
  readonly references?: boolean;
  /** What the printed key may do, and from which addresses; default: everything, from any. */
  readonly scopes?: readonly Scope[];
  readonly addresses?: readonly string[];
  /** Each nonce of a key must be greater than the last. */
  readonly strictNonce?: boolean;
  /** The life of an access token. */
  readonly tokenSeconds?: number;
  /** The backend that authorizes transactions; without it, all are. */
  readonly webhook?: WebhookOptions;
  /** A world other than the seeded one; the seed then only determines the keys. */
  readonly world?: World;
};

export type Sandbox = {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** The notification socket. */
  readonly socketUrl: string;
  /** The secret of the main account's authenticator, base32. */
  readonly totpSecret: string;
  readonly world: World;
  readonly close: () => Promise<void>;
};
