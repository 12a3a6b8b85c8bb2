// The service of a world: its server with keys, second factor, faults and webhook, listening on the loopback address.
import { nowMs } from '../base/time.ts';
import { NOTIFICATIONS } from '../gateway/contract/contract.ts';
import { accessOf, enrolMain } from './access/access.ts';
import { SCOPES } from './access/api-keys.ts';
import { webhookOf } from './authorization.ts';
import { faultsOf } from './faults.ts';
import type { Sandbox, SandboxOptions } from './options.ts';
import { platformOf } from './platform.ts';
import { serverOf } from './server.ts';
import type { World } from './world.ts';

/** Serves a world. Throws on an unknown fault, and if the port cannot be used. */
export const openService = async (world: World, options: SandboxOptions): Promise<Omit<Sandbox, 'world'>> => {
  const { seed, strictNonce = false, tokenSeconds = 3600, webhook } = options;
  const platform = platformOf(seed);
  const access = accessOf({ seed, isStrict: strictNonce, tokenSeconds, now: nowMs });
  const { apiKey, apiSecret } = access.keys.create({
    scopes: options.scopes ?? SCOPES,
    addresses: options.addresses ?? null,
  });
  const totpSecret = enrolMain(platform, world, seed);
  const server = serverOf({
    world,
    platform,
    access,
    faults: faultsOf(options.faults ?? []),
    webhook: webhook === undefined ? null : webhookOf(webhook),
  });
  const url = await server.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  const socketUrl = `${url.replace(/^http/, 'ws')}${NOTIFICATIONS.socket.path}`;
  return { url, apiKey, apiSecret, socketUrl, totpSecret, close: () => server.close() };
};
