// The linters of package files: oracles that read a file's bytes again by the package's public rules. They share only the
// limits with the writers.
import type { PackageName } from '../../../src/export/packages/packages.ts';
import type { Lint } from './lint.ts';
import { lintDatev } from './lint-datev.ts';
import { lintHolded } from './lint-holded.ts';
import { lintQuickbooks } from './lint-quickbooks.ts';
import { lintXero } from './lint-xero.ts';

export const LINTERS: Record<PackageName, (bytes: Uint8Array) => Lint> = {
  xero: lintXero,
  quickbooks: lintQuickbooks,
  datev: lintDatev,
  holded: lintHolded,
};
