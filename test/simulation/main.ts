// `npm run simulate -- --seeds 1..2000 [--json]`: plays the walks of the seeds over an embedded Postgres of its own and prints
// the result. `--defects 1..3000` plants faults in the gateway's answers and checks breaks and causes; `--in-flight
// 1..5` adds records at every request boundary. `--values 1..20 [--operations 70]` checks values over random histories; `--shrink`
// looks for the operations that a broken seed needs, and `--without 3,8` leaves some out. Exit 0 if all is well, 1 if something was missed, 2 if it could
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
  const { values: options } = parseArgs({
    options: {
      seeds: { type: 'string' },
      defects: { type: 'string' },
      'in-flight': { type: 'string' },
      values: { type: 'string' },
      operations: { type: 'string', default: '70' },
      without: { type: 'string', default: '' },
      shrink: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const playName = (Object.keys(PLAYS) as PlayName[]).find((name) => options[name] !== undefined) ?? 'seeds';
  const seeds = seedsOf(options[playName] ?? '1..300');
  const tell = progress(seeds.length, options.json);
  const play = playOf(playName);
  const sum = await onServer(
    (url) => inThreads({ url, play: playName, seeds, ...historyOf(options) }, (it) => tell(play.seeds(it))),
    QUICK,
  );
  process.stdout.write(
    `${options.json ? JSON.stringify(play.json(sum), null, 2) : play.lines(sum).join('\n')}\n`,
  );
  return play.isGood(sum) ? 0 : 1;
};

const historyOf = ({
  operations,
  without,
  shrink,
}: Record<'operations' | 'without', string> & { shrink: boolean }) => ({
  operations: Number(operations),
  without: without === '' ? [] : without.split(',').map(Number),
  shrinks: shrink,
});

/** One line on a terminal, overwritten in place. */
const progress = (seeds: number, isJson: boolean) => (played: number) => {
  if (!process.stderr.isTTY || isJson) return;
  process.stderr.write(`\r${played} of ${seeds} seeds${played === seeds ? '\n' : ''}`);
};

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return 2;
});
