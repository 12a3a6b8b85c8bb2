// The gateway of a simulated night: the real client over real HTTP, on the world's clock, without the real service's
// pace (a day here lasts milliseconds), and killed at a request of the plan.
import { STREAM_NAMES, type StreamName } from '../../src/base/streams.ts';
import { nowMs } from '../../src/base/time.ts';
import { openReadGateway, type ReadGateway } from '../../src/gateway/client.ts';
import { accessOf } from '../../src/sandbox/access/access.ts';
import { SCOPES } from '../../src/sandbox/access/api-keys.ts';
import { faultsOf } from '../../src/sandbox/faults.ts';
import { platformOf } from '../../src/sandbox/platform.ts';
import { serverOf } from '../../src/sandbox/server.ts';
import { type Habits, spoil } from './habits.ts';
import type { SimWorld } from './life.ts';
import type { Kill, Plan } from './plan.ts';

/** Thrown where a plan kills the run: neither a temporary failure nor a refusal. */
export class Killed extends Error {
  override readonly name = 'Killed';
}

export type StandIn = {
  readonly habits: Habits;
  /** A gateway for one run, which ends at the request of `kill`. */
  readonly open: (kill: Kill) => ReadGateway;
  readonly close: () => Promise<void>;
};

const RPM = 1_000_000;

/** Serves a world over HTTP, with the habits of its plan. */
export const standInFor = async (world: SimWorld): Promise<StandIn> => {
  const { seed, tradesMax, weather } = world.plan;
  const access = accessOf({ seed, isStrict: false, tokenSeconds: 3600, now: nowMs });
  const keys = access.keys.create({ scopes: SCOPES, addresses: null });
  const server = serverOf({
    world,
    platform: platformOf(seed),
    access,
    faults: faultsOf([`clamp:${tradesMax}`, ...weather, ...missingIn(world.plan)]),
    webhook: null,
  });
  const habits = spoil(server, world);
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 });
  return {
    habits,
    open: (kill) => {
      const { apiKey, apiSecret } = keys;
      return mortal(openReadGateway({ baseUrl, apiKey, apiSecret, rpm: RPM, backoffMs: 1 }), world, kill);
    },
    close: () => server.close(),
  };
};

/**
 * Lists that this gateway does not have; and readings of balances, which are no part of the proof and cost as much as the
 * lists: only crowded worlds offer those of trading, whose currencies split an instant.
 */
const missingIn = ({ streams, bursts }: Plan): string[] => [
  'missing:pockets',
  ...(bursts.length > 0 ? [] : ['missing:trading-balance']),
  ...(streams.includes('earn-movements') ? [] : ['missing:earn-wallets']),
  ...STREAM_NAMES.filter((stream) => !streams.includes(stream)).map((stream) => `missing:${stream}`),
];

/** How long a request waits for one that overtakes it: those that are on their way at once have been sent by then. */
const OVERTAKING_MS = 25;

/** Sends the requests of a list so that every nth is answered after the one that follows it. */
const overtaking = (nthOvertaken: number) => {
  const waiting = new Map<string, () => void>();
  const waitFor = (list: string) =>
    new Promise<void>((go) => {
      const timer = setTimeout(go, OVERTAKING_MS);
      waiting.set(list, () => {
        clearTimeout(timer);
        go();
      });
    });
  return async <Page>(list: string, nth: number, send: () => Promise<Page>): Promise<Page> => {
    const isOvertaken = nthOvertaken > 0 && nth % nthOvertaken === 0;
    const goes = waiting.get(list);
    waiting.delete(list);
    if (isOvertaken) await waitFor(list);
    try {
      return await send();
    } finally {
      goes?.();
    }
  };
};

/** Every second kill comes after the answer arrived and before it is landed. */
const mortal = (gateway: ReadGateway, world: SimWorld, kill: Kill): ReadGateway => {
  const calls = new Map<string, number>();
  const inTurn = overtaking(world.plan.overtaken);
  return {
    ...gateway,
    nowMs: () => world.now() + world.plan.skewMs,
    call: async ({ perSecond: _, ...operation }, ask) => {
      const list = `${operation.name} ${ask?.path?.walletId ?? ''}`;
      const nth = (calls.get(list) ?? 0) + 1;
      calls.set(list, nth);
      const isLast = nth >= (kill[operation.name as StreamName] ?? Infinity);
      if (isLast && nth % 2 === 0) throw new Killed();
      const answer = await inTurn(list, nth, () => gateway.call(operation, ask));
      if (isLast) throw new Killed();
      return answer;
    },
  };
};
