// `npm run simulate -- --seeds 1..2000 [--json]`: plays the seeds over an embedded Postgres of its own and prints what
// they came to. `--defects 1..100` plants one fault of every kind per seed instead, and prints how often its cause is named. Exit 0 where nothing was missed, 1 where something was, 2 where it could not be played; a seed is replayed alone by --seeds N..N.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { migrate } from '../../src/migrate.ts';
import { openServer, removeServer } from '../../src/postgres.ts';
import { linesOf as defectLines, scores as defectScores } from '../defects/score.ts';
import { jsonOf, linesOf } from './report.ts';
import { range, type Score } from './simulate.ts';
import { inThreads } from './threads.ts';

/** Nobody will miss this database. */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

const seedsOf = (text: string): number[] => {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? [];
  if (!(Number(from) <= Number(to))) throw new Error(`write the seeds as A..B, such as 1..2000, not ${text}`);
  return range(Number(from), Number(to));
};

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      ...{ seeds: { type: 'string', default: '1..300' }, json: { type: 'boolean', default: false } },
      defects: { type: 'string' },
    },
  });
  if (values.defects !== undefined) return explainAll(seedsOf(values.defects), values.json);
  const seeds = seedsOf(values.seeds);
  const home = mkdtempSync(join(tmpdir(), 'tieout-simulation-'));
  chmodSync(home, 0o755); // so that root's server, which runs as another user, can stay here
  const server = await openServer(home, { settings: QUICK });
  try {
    await migrate(server.url);
    const score = await inThreads(server.url, seeds, progress(seeds.length, values.json));
    process.stdout.write(
      `${values.json ? JSON.stringify(jsonOf(score), null, 2) : linesOf(score).join('\n')}\n`,
    );
    return score.failures.length === 0 ? 0 : 1;
  } finally {
    await server.release();
    await removeServer(home);
    rmSync(home, { recursive: true, force: true });
  }
};

/** Whether the causes of planted faults are named; no database is needed. Exit 1 below 95 of 100 for a single fault. */
const explainAll = (seeds: readonly number[], isJson: boolean): number => {
  const scores = defectScores(seeds);
  process.stdout.write(`${isJson ? JSON.stringify(scores, null, 2) : defectLines(scores).join('\n')}\n`);
  return scores.every(({ first, planted, isSingle }) => !isSingle || first >= 0.95 * planted) ? 0 : 1;
};

/** One line on a terminal, written over. */
const progress = (seeds: number, isJson: boolean) => (score: Score) => {
  if (!process.stderr.isTTY || isJson) return;
  const end = score.seeds === seeds ? '\n' : '';
  process.stderr.write(`\r${score.seeds} of ${seeds} seeds, ${score.failures.length} failed${end}`);
};

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
