// The commands of bank and chain as a person types them, with a file of the test's text.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/base/json.ts';
import { typed } from '../cli/played.ts';
import { folder } from '../cli/tieout.ts';
import type { Nights } from '../reconcile/stage.ts';

/** The arguments that import into the account Main. */
export const MAIN = ['bank', '--account', 'Main'];

/** The commands on the books of that moment: a test may open others. */
export const commandsOn = (books: () => Nights) => {
  const tieout = (...args: readonly string[]) => typed(args, { DATABASE_URL: books().url });
  return {
    tieout,
    importText: async (content: string, ...[group = '', ...rest]: readonly string[]) => {
      const path = join(mkdtempSync(join(folder, 'file-')), 'statement');
      writeFileSync(path, content);
      return tieout(group, 'import', path, '--by', 'Ana Ruiz', ...rest);
    },
    withdraw: (content: string, ...[group = 'bank', ...rest]: readonly string[]) =>
      tieout(
        group,
        'withdraw',
        sha256(content).slice(0, 12),
        '--reason',
        'the wrong file',
        '--by',
        'Grace Hopper',
        ...rest,
      ),
  };
};
