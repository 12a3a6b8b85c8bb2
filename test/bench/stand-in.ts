// The stand-in gateway in a thread of its own: a gateway does not share the event loop of the program that reads it.
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import { movementWorld, type Shape } from './world.ts';

/** The world is a seeded one, or has only movements. */
export type StandInOptions = Omit<SandboxOptions, 'world'> & { readonly movements?: Shape };

type Addresses = Pick<Sandbox, 'url' | 'socketUrl' | 'apiKey' | 'apiSecret'>;

export type StandIn = Addresses & {
  /** Advances the world by some days. */
  readonly advance: (days: number) => Promise<void>;
  readonly close: () => Promise<unknown>;
};

/** Starts a stand-in. Rejects with the error that its thread ends with. */
export const openStandIn = async (options: StandInOptions): Promise<StandIn> => {
  const worker = new Worker(new URL(import.meta.url), { workerData: options });
  const [addresses] = (await once(worker, 'message')) as [Addresses];
  return {
    ...addresses,
    advance: (days) => advance(addresses.url, days),
    close: () => worker.terminate(),
  };
};

const advance = async (url: string, days: number): Promise<void> => {
  const response = await fetch(`${url}/__world/advance`, { method: 'POST', body: JSON.stringify({ days }) });
  if (!response.ok) throw new Error(`the stand-in does not advance: ${await response.text()}`);
};

const serve = async ({ movements, ...options }: StandInOptions): Promise<void> => {
  const world = movements && movementWorld(movements);
  const { url, socketUrl, apiKey, apiSecret } = await startSandbox({ ...options, ...(world && { world }) });
  parentPort?.postMessage({ url, socketUrl, apiKey, apiSecret } satisfies Addresses);
};

if (!isMainThread) await serve(workerData as StandInOptions);
