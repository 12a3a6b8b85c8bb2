// The programs that read our journals: which of them are on this machine.
import { spawnSync } from 'node:child_process';
import type { JournalName } from '../../../src/export/journals/journals.ts';

export const COMMANDS = { hledger: 'hledger', ledger: 'ledger', beancount: 'bean-check' } as const;

export const isMissing = (name: JournalName): boolean =>
  spawnSync(COMMANDS[name], ['--version'], { stdio: 'ignore' }).error !== undefined;
