// A fault to plant, and the stage that it is planted on.
import type { CauseKind } from '../../../src/breaks/cause.ts';
import type { Random } from '../../../src/sandbox/random.ts';
import type { TradingState } from '../../../src/sandbox/world.ts';
import type { Row } from './effects.ts';
import type { Lie } from './liar.ts';

/** What a fault can be made of. Rows are those of the breaking night, older than anything that may be in transit. */
export type Stage = {
  readonly random: Random;
  readonly rows: readonly Row[];
  /** Wallet transactions that completed longer ago than the in-transit limit. */
  readonly old: readonly Row[];
  /** The balances of trading at the night before and now, and the part that is with bots now. */
  readonly before: readonly TradingState[];
  readonly now: readonly TradingState[];
  readonly withBots: ReadonlyMap<string, bigint>;
};

/** `lie` applies in the night that breaks, `before` in the one before it, which still ties. */
export type Fault = {
  readonly kind: CauseKind;
  /** The records that must be named; none if no record shows the fault. */
  readonly records: readonly string[];
  readonly lie: Lie;
  readonly before?: Lie;
};

/** Null if this world has nothing to make it of. */
export type Plant = (stage: Stage) => Fault | null;
