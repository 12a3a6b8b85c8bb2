// Threads: distributes seeds over the cores of the machine, each thread with its own connections to the one database.
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openDatabase } from '../../src/database/connection.ts';
import { type PlayName, type PlayOptions, playOf } from './plays.ts';

type Share = PlayOptions & {
  readonly url: string;
  readonly play: PlayName;
  readonly seeds: readonly number[];
};

const THREADS_MAX = 8;

/** Plays seeds in as many threads as there are cores; the type of the result depends on the play. */
export const inThreads = async (
  { play, seeds, ...rest }: Share,
  onSeed: (sum: unknown) => void,
): Promise<unknown> => {
  const threads = Math.min(availableParallelism(), THREADS_MAX, seeds.length);
  const { merged, nothing } = playOf(play);
  const sums: unknown[] = [];
  const whole = () => sums.filter(Boolean).reduce(merged, nothing());
  await Promise.all(
    Array.from({ length: threads }, (_, index) =>
      thread({ ...rest, play, seeds: seeds.filter((_seed, nth) => nth % threads === index) }, (sum) => {
        sums[index] = sum;
        onSeed(whole());
      }),
    ),
  );
  return whole();
};

const thread = (share: Share, onSum: (sum: unknown) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', onSum);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });

const work = async ({ play, url, ...share }: Share): Promise<void> => {
  const database = openDatabase(url, { name: 'tieout simulation' });
  try {
    await playOf(play).run({ ...share, url, database, onSeed: (sum) => parentPort?.postMessage(sum) });
  } finally {
    await database.close();
  }
};

if (!isMainThread) await work(workerData as Share);
