// The stand-in gateway: the contract served over HTTP, strictly as the specification says, over a seeded world.
import { msOf, nowMs } from '../base/time.ts';
import { NOTIFICATIONS } from '../gateway/contract/contract.ts';
import { accessOf, enrolMain } from './access/access.ts';
import { SCOPES, type Scope } from './access/api-keys.ts';
import { type WebhookOptions, webhookOf } from './authorization.ts';
import { faultsOf } from './faults.ts';
import { platformOf } from './platform.ts';
import { seededWorld } from './world/seeded-world.ts';
import type { World } from './world.ts';

export { SCOPES } from './access/api-keys.ts';
export { FAULTS } from './faults.ts';
export { DEFECTS } from './world/defects.ts';

const DAY = 86_400_000;

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

/** Starts a stand-in gateway on the loopback address. Throws on an unknown fault or defect. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const world = options.world ?? worldOf(options);
  const { seed, strictNonce = false, tokenSeconds = 3600, webhook } = options;
  const platform = platformOf(seed);
  const access = accessOf({ seed, isStrict: strictNonce, tokenSeconds, now: nowMs });
  const { apiKey, apiSecret } = access.keys.create({
    scopes: options.scopes ?? SCOPES,
    addresses: options.addresses ?? null,
  });
  const totpSecret = enrolMain(platform, world, seed);
  const { serverOf } = await import('./server.ts'); // loads the web server only when it serves
  const server = serverOf({
    world,
    platform,
    access,
    faults: faultsOf(options.faults ?? []),
    webhook: webhook === undefined ? null : webhookOf(webhook),
  });
  const url = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const socketUrl = `${url.replace(/^http/, 'ws')}${NOTIFICATIONS.socket.path}`;
  return { url, apiKey, apiSecret, socketUrl, totpSecret, world, close: () => server.close() };
};

/** The seeded world that the options describe, without a server. */
export const worldOf = (options: SandboxOptions): World => {
  const faults = faultsOf(options.faults ?? []);
  const today = nowMs() - (nowMs() % DAY);
  return seededWorld({
    seed: options.seed,
    anchor: options.until === undefined ? today : msOf(options.until),
    days: options.days ?? 30,
    entities: options.entities ?? 2,
    perDay: options.perDay ?? 65,
    defects: options.defects ?? [],
    late: faults.has('late-rows'),
    hostile: faults.has('hostile'),
    newerForms: faults.has('newer-forms'),
    burst: faults.number('burst', 0),
    ownTransfers: faults.number('own-transfers', 0),
  });
};

/** The lines that a user needs to point a client at it. */
export const sandboxLines = ({ url, apiKey, apiSecret }: Sandbox): string[] => [
  `GATEWAY_BASE_URL=${url}`,
  `GATEWAY_API_KEY=${apiKey}`,
  `GATEWAY_API_SECRET=${apiSecret}`,
];
