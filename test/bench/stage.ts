// What every measurement stands on: a stand-in gateway over a world, a database of its own, and nights timed from outside.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nightly } from '../../jobs/nightly.ts';
import { type Result, withRun } from '../../jobs/work.ts';
import type { GatewayConfig } from '../../src/config.ts';
import { removeServer } from '../../src/postgres.ts';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';

export type Stage = {
  readonly night: () => Promise<Result & { readonly seconds: number }>;
  readonly config: GatewayConfig;
  readonly url: string;
  /** Lets days go by in the world. */
  readonly advance: (days: number) => void;
};

/** Lends a stage with books of its own, and removes them after. */
export const onStage = async <T>(
  options: SandboxOptions & { readonly rpm: number },
  play: (stage: Stage) => Promise<T>,
): Promise<T> => {
  const home = mkdtempSync(join(tmpdir(), 'tieout-bench-'));
  chmodSync(home, 0o755); // so that root's server, which runs as another user, can stay here
  const sandbox = await startSandbox(options);
  const { url: baseUrl, apiKey: key, apiSecret: secret } = sandbox;
  const lagHours = { movements: 48, trades: 48, 'wallet-transactions': 48, 'earn-movements': 48 };
  const config: GatewayConfig = {
    ...{ home, databaseUrl: null, roleUrls: {}, entity: 'main', timezone: 'UTC', currency: 'EUR', lagHours },
    ...{ fullDays: 30, pendingDays: 7, transitHours: 24, retentionYears: 6, unknownLimit: null },
    gateway: { baseUrl, key, secret, entities: 'all', requestsPerMinute: options.rpm },
  };
  const advance = (days: number) => sandbox.world.advance(days * 86_400_000);
  try {
    return await play({ config, url: baseUrl, night: () => timed(config), advance });
  } finally {
    await sandbox.close();
    await removeServer(home);
    rmSync(home, { recursive: true, force: true });
  }
};

const timed = async (config: GatewayConfig) => {
  const began = performance.now();
  const work = {
    tell: () => {},
    work: (it: Parameters<typeof nightly>[0]) => nightly(it, config, { isFull: false }),
  };
  const result = await withRun(config, 'nightly', work);
  return { ...result, seconds: (performance.now() - began) / 1_000 };
};
