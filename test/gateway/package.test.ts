// The package as an integrator has it: its types, and the examples, run against the stand-in.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { gatewayEnv } from '../gateway-env.ts';

const OPTIONS = {
  target: 'ES2023',
  module: 'nodenext',
  moduleResolution: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(packageRoot, 'node_modules', '@types')],
};

/** A project of somebody who installed the package: one program, made of the examples. */
const projectOf = (program: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-examples-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(packageRoot, join(folder, 'node_modules', 'tieout'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'examples.ts'), program);
  const files = ['examples.ts'];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: OPTIONS, files }));
  return folder;
};

const compile = (folder: string) =>
  execa(process.execPath, [join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
    reject: false,
    all: true,
  });

test('the examples compile against the published types, and run', async () => {
  const page = readFileSync(join(packageRoot, 'src', 'gateway', 'EXAMPLES.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(blocks.length).toBeGreaterThan(5);
  const folder = projectOf(blocks.join('\n'));
  const compiled = await compile(folder);
  expect(compiled.all).toBe('');
  const sandbox = await startSandbox({ seed: 5, days: 5 });
  onTestFinished(() => sandbox.close());
  const { stdout, stderr } = await execa(process.execPath, [join(folder, 'examples.js')], {
    env: gatewayEnv(sandbox),
  });
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'euros',
    'trades',
    'bought',
    'refused',
    'address',
    'second',
    'movements',
    'euro',
  ]);
  expect(lines).toContain('bought true');
  expect(lines).toContain('refused invalid none 0');
  expect(lines).toContain('euro true');
});

test('the types refuse a wrong field, and the package exports nothing else', async () => {
  const folder = projectOf(`import { openGateway } from 'tieout/gateway';
const gateway = openGateway({ baseUrl: 'https://gateway.example' });
void gateway.trading.createOrder({ body: { side: 'up' } });
export { x } from 'tieout/dist/src/gateway/connection.js';
`);
  const { all, exitCode } = await compile(folder);
  expect(exitCode).not.toBe(0);
  expect(all).toContain('examples.ts(3,');
  expect(all).toContain('tieout/dist/src/gateway/connection.js');
});
