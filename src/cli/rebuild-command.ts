// rebuild: drops everything after landing and replays it; hashes show whether the books are the same.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { Rebuilt } from '../actions/rebuild.ts';
import { withRun } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printResult, progress, table } from './print.ts';

export const rebuildCommand = (): Command =>
  bookCommand(
    'rebuild',
    'drop and replay everything after landing, offline, and compare the result',
    'npx tieout rebuild',
  ).action(async (options: Shared) => {
    const config = settings(options);
    const shown = progress(options.json ?? false, config.entity);
    const done: Rebuilt[] = [];
    const work = async (run: Work) => {
      const { rebuild } = await ACTIONS.rebuild(); // loaded only here, with the stages that it runs
      const rebuilt = await rebuild(run);
      done.push(rebuilt);
      return rebuilt.result;
    };
    const job = { tell: shown.tell, work, as: 'owner' } as const; // only the owner may empty append-only tables
    const result = await withRun(config, 'rebuild', job).finally(shown.stop);
    process.exitCode = result.exitCode;
    for (const rebuilt of done) {
      if (options.json) printResult({ job: 'rebuild', exit_code: result.exitCode, ...rebuilt });
      else print(`${hashesOf(rebuilt)}\n\nrebuild: ${result.summary}`);
    }
  });

const hashesOf = ({ before, after }: Rebuilt): string =>
  table(
    ['table', 'rows', 'hash before', 'hash after', ''],
    Object.keys(after).map((name) => [
      name,
      after[name]?.rows ?? '',
      before[name]?.hash ?? '',
      after[name]?.hash ?? '',
      before[name]?.hash === after[name]?.hash ? 'equal' : 'DIFFERS',
    ]),
  );
