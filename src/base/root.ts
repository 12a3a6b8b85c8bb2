// The package's folder on disk: its migrations and SQL files are found from here, both from source and when built.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const isRoot = (folder: string): boolean => {
  const file = join(folder, 'package.json');
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'tieout';
};

const rootAbove = (folder: string): string => {
  if (isRoot(folder)) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('the folder of the package tieout was not found above its own code');
  return rootAbove(parent);
};

const here = dirname(fileURLToPath(import.meta.url));

/** The package's own absolute folder: the same from `src` under vitest and from what the build makes of it. */
export const packageRoot = rootAbove(here);

/** The folder of the code that runs: `src`, `dist/src`, or `dist/program`. */
export const codeFolder = dirname(here);

const { version, engines } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));

/** The version in package.json. */
export const programVersion: string = version;

/** The Node that it asks for: `>=20.19`. */
export const programEngine: string = engines.node;
