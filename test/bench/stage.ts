// The base of every measurement: a stand-in gateway over a world, a database of its own, and nights timed from outside.
import { extractOnly, nightly, normalizeOnly } from '../../jobs/nightly.ts';
import type { GatewayConfig } from '../../src/config/environment.ts';
import type { Tell } from '../../src/run/events.ts';
import { type Result, withRun } from '../../src/run/work.ts';
import { booksConfig } from '../books-config.ts';
import { inHome } from '../own-server.ts';
import { timed } from './clock.ts';
import { openStandIn, type StandIn, type StandInOptions } from './stand-in.ts';

export type Stage = {
  readonly night: (tell?: Tell) => Promise<Result & { readonly seconds: number }>;
  readonly config: GatewayConfig;
  readonly url: string;
  readonly advance: StandIn['advance'];
};

/** Lends a stage with books of its own, and removes them afterwards. */
export const onStage = <T>(
  options: StandInOptions & { readonly rpm: number },
  play: (stage: Stage) => Promise<T>,
): Promise<T> =>
  inHome(async (home) => {
    const { advance, close, ...standIn } = await openStandIn(options);
    const { url: baseUrl, socketUrl, apiKey: key, apiSecret: secret } = standIn;
    const config: GatewayConfig = {
      ...booksConfig(home),
      gateway: {
        baseUrl,
        socketUrl,
        key,
        secret,
        entities: 'all',
        requestsPerMinute: options.rpm,
        runHours: 20,
        gateUrl: null,
      },
    };
    try {
      return await play({ config, url: baseUrl, night: (tell) => night(config, tell), advance });
    } finally {
      await close();
    }
  });

const night = async (config: GatewayConfig, tell: Tell = () => {}) => {
  const work = {
    begins: true,
    tell,
    work: (it: Parameters<typeof nightly>[0]) => nightly(it, config, { isFull: false }),
  };
  const { result, seconds } = await timed(() => withRun(config, 'nightly', work));
  return { ...result, seconds };
};

/** A night without its files, for books that are checked in another way. */
export const readAndBook = async (config: GatewayConfig): Promise<void> => {
  const isFull = false;
  const tell = () => {};
  await withRun(config, 'extract', {
    tell,
    begins: true,
    work: (work) => extractOnly(work, config, { isFull }),
  });
  await withRun(config, 'normalize', { tell, work: (work) => normalizeOnly(work, {}) });
};
