// Threads: seeds shared out over the machine's cores, each thread with connections of its own to the one database.
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { openDatabase } from '../../src/db.ts';
import { merged, nothing, type Score, simulate } from './simulate.ts';

type Share = { readonly url: string; readonly seeds: readonly number[] };

const THREADS_MAX = 8;

/** Plays seeds in as many threads as there are cores. */
export const inThreads = async (
  url: string,
  seeds: readonly number[],
  onSeed: (score: Score) => void,
): Promise<Score> => {
  const threads = Math.min(availableParallelism(), THREADS_MAX, seeds.length);
  const scores: Score[] = [];
  const sum = () => scores.filter(Boolean).reduce(merged, nothing());
  await Promise.all(
    Array.from({ length: threads }, (_, at) =>
      thread({ url, seeds: seeds.filter((_seed, nth) => nth % threads === at) }, (score) => {
        scores[at] = score;
        onSeed(sum());
      }),
    ),
  );
  return sum();
};

const thread = (share: Share, onScore: (score: Score) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: share });
    worker.on('message', onScore);
    worker.on('error', reject);
    worker.on('exit', () => resolve());
  });

const work = async ({ url, seeds }: Share): Promise<void> => {
  const database = openDatabase(url, 'tieout simulation');
  try {
    await simulate({ database, seeds, onSeed: (score) => parentPort?.postMessage(score) });
  } finally {
    await database.close();
  }
};

if (!isMainThread) await work(workerData as Share);
