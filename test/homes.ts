// Homes for servers of a test: where root's server, which runs as another user, can stay too.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handOverAll, runAs } from '../src/postgres-user.ts';

/** A new empty folder that everybody may enter. */
export const newHome = (): string => {
  const made = mkdtempSync(join(tmpdir(), `tieout-test-${process.pid}-`));
  chmodSync(made, 0o755);
  return made;
};

/** Gives a copied home to whom the server of `dataDir` runs as. */
export const chownAll = async (copy: string, dataDir: string): Promise<void> =>
  handOverAll(join(copy, 'postgres/data'), await runAs(dataDir));
