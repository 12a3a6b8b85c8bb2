// A TypeScript file of ours compiled for another process, which node cannot run directly: for tests that kill or race one.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/base/root.ts';
import { runChild } from '../src/config/child.ts';

/** The path of a compiled program; `remove` deletes it. */
export type Compiled = { file: string; remove(): void };

/**
 * Compiles a file (`test/postgres-holder.ts`) with everything it imports, below node_modules so that packages are
 * found. Types are not checked here: `npm run types` does that.
 */
export const compiled = async (entry: string): Promise<Compiled> => {
  const cache = join(packageRoot, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outDir = mkdtempSync(join(cache, 'tieout-test-'));
  const compilerOptions = { outDir, rootDir: packageRoot, noCheck: true, sourceMap: false };
  const config = {
    extends: join(packageRoot, 'tsconfig.json'),
    compilerOptions,
    files: [join(packageRoot, entry)],
    include: [],
  };
  writeFileSync(join(outDir, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(packageRoot, 'node_modules', 'typescript', 'bin', 'tsc');
  const { code, output } = await runChild(process.execPath, [compiler, '-p', outDir]);
  assert.equal(code, 0, output);
  const file = join(outDir, entry.replace(/\.ts$/, '.js'));
  return { file, remove: () => rmSync(outDir, { recursive: true, force: true }) };
};
