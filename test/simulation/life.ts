// The types of a simulated world: a record with every content it ever had, a list, and the world.
import type { StreamName } from '../../src/base/streams.ts';
import type { Random } from '../../src/sandbox/random.ts';
import type { WireObject } from '../../src/sandbox/wire-json.ts';
import type { World } from '../../src/sandbox/world.ts';
import type { Night, Plan } from './plan.ts';
import type { Cast } from './records.ts';

/** One record, with every content it ever had. */
export type Life = {
  readonly id: string;
  readonly stream: StreamName;
  readonly scope: string;
  /** Microseconds, because some gateways show them; others show less. */
  readonly atUs: number;
  readonly time: string;
  readonly bodies: WireObject[];
  /** The tick at which it appeared, last changed, and was removed. */
  readonly since: number;
  changed: number;
  gone: number | null;
};

/** One list: a stream, or one wallet of it. */
export type List = { readonly stream: StreamName; readonly scope: string };

/** A list at a moment, with random numbers of its own. */
export type Scene = List & { readonly world: SimWorld; readonly random: Random; readonly nowMs: number };

export type SimWorld = World & {
  readonly plan: Plan;
  readonly random: Random;
  readonly cast: Cast;
  readonly lives: readonly Life[];
  /** Counts the changes; a life that appeared before a tick was listed all the time since. */
  readonly tick: () => number;
  readonly add: (record: Adding) => Life;
  readonly change: (life: Life, body: (latest: WireObject) => WireObject) => void;
  readonly remove: (life: Life) => void;
  /** Makes a change that only a walk over the whole list can find. */
  readonly hide: (stream: StreamName) => void;
  readonly hidden: Set<StreamName>;
  /** Called at the boundary of every request of a list. Each list is independent of the others, however requests interleave. */
  readonly boundary: (list: List) => void;
  readonly begin: (night: Night) => void;
};

export type Adding = List & {
  readonly random: Random;
  readonly atUs: number;
  readonly cell?: number;
  readonly isPending?: boolean;
};

/** The lists that this world has: one of each stream, and one of each Earn wallet. */
export const listsOf = ({ plan, cast }: SimWorld): readonly List[] =>
  plan.streams.flatMap((stream): List[] =>
    stream === 'earn-movements'
      ? cast.earn.map(({ id }) => ({ stream, scope: id }))
      : [{ stream, scope: '' }],
  );
