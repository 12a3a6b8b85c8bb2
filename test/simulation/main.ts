// `npm run simulate -- --seeds 1..2000 [--json]`: plays the walks of the seeds over an embedded Postgres of its own and prints
// the result. `--defects 1..3000` plants faults in the gateway's answers and checks breaks and causes; `--in-flight
// 1..5` adds records at every request boundary. Exit 0 if all is well, 1 if something was missed, 2 if it could
// not run; --seeds N..N replays one seed.
import { parseArgs } from 'node:util';
import { onServer } from '../own-server.ts';
import { PLAYS, type PlayName, playOf } from './plays.ts';
import { range } from './simulate.ts';
import { inThreads } from './threads.ts';

/** This database may be lost. */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' };

const seedsOf = (text: string): number[] => {
  const [, from, to] = /^(\d{1,9})\.\.(\d{1,9})$/.exec(text) ?? [];
  if (!(Number(from) <= Number(to))) throw new Error(`write the seeds as A..B, such as 1..2000, not ${text}`);
  return range(Number(from), Number(to));
};

const main = async (): Promise<number> => {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      defects: { type: 'string' },
      'in-flight': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  const playName = (Object.keys(PLAYS) as PlayName[]).find((name) => values[name] !== undefined) ?? 'seeds';
  const seeds = seedsOf(values[playName] ?? '1..300');
  const tell = progress(seeds.length, values.json);
  const play = playOf(playName);
  const sum = await onServer(
    (url) => inThreads({ url, play: playName, seeds }, (it) => tell(play.seeds(it))),
    QUICK,
  );
  process.stdout.write(
    `${values.json ? JSON.stringify(play.json(sum), null, 2) : play.lines(sum).join('\n')}\n`,
  );
  return play.isGood(sum) ? 0 : 1;
};

/** One line on a terminal, overwritten in place. */
const progress = (seeds: number, isJson: boolean) => (played: number) => {
  if (!process.stderr.isTTY || isJson) return;
  process.stderr.write(`\r${played} of ${seeds} seeds${played === seeds ? '\n' : ''}`);
};

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
