// The second witness: a client of curl and openssl, which shares no code with ours.
import { execFileSync } from 'node:child_process';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { gatewayEnv } from '../gateway-env.ts';

const isInstalled = (program: string, argument: string): boolean => {
  try {
    execFileSync(program, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const missing = [
  ...(isInstalled('curl', '--version') ? [] : ['curl']),
  ...(isInstalled('openssl', 'version') ? [] : ['openssl']),
];

test.skipIf(missing.length > 0)(
  `curl and openssl sign in, read, confirm an address and execute a proforma${missing.map((it) => ` (no ${it})`).join('')}`,
  async () => {
    const sandbox = await startSandbox({ seed: 21, until: '2026-11-03T00:00:00Z', days: 10 });
    const truth = sandbox.world.truth();
    const { stdout } = await execa('sh', ['test/sandbox/curl.sh'], {
      env: gatewayEnv(sandbox),
    });
    expect(stdout.split('\n').at(-1)).toBe('all steps passed');
    expect(sandbox.world.truth()).not.toEqual(truth);
    await sandbox.close();
  },
  60_000,
);
