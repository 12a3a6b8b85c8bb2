// The stand-in gateway: the contract served over HTTP, strictly as the specification says, over a seeded world.
import { DAY_MS, msOf, nowMs } from '../base/time.ts';
import { faultsOf } from './faults.ts';
import type { Sandbox, SandboxOptions } from './options.ts';
import { seededWorld } from './world/seeded-world.ts';
import type { World } from './world.ts';

export { SCOPES } from './access/api-keys.ts';
export { FAULTS } from './faults.ts';
export type { Sandbox, SandboxOptions } from './options.ts';
export { type Random, randomOf } from './random.ts';
export { DEFECTS } from './world/defects.ts';

/** Starts a stand-in gateway on the loopback address. Throws on an unknown fault or defect. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const world = options.world ?? worldOf(options);
  const { openService } = await import('./service.ts'); // loads contract and web server only when it serves
  return { ...(await openService(world, options)), world };
};

/** The seeded world that the options describe, without a server. */
export const worldOf = (options: SandboxOptions): World => {
  const faults = faultsOf(options.faults ?? []);
  const today = nowMs() - (nowMs() % DAY_MS);
  return seededWorld({
    seed: options.seed,
    anchor: options.until === undefined ? today : msOf(options.until),
    days: options.days ?? 30,
    entities: options.entities ?? 2,
    perDay: options.perDay ?? 65,
    defects: options.defects ?? [],
    late: faults.has('late-rows'),
    hostile: faults.has('hostile'),
    references: options.references ?? false,
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
