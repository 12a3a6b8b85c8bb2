// The tools for planting a defect: moments before the anchor, and the form of an expected finding.
import { textOf } from '../amount.ts';
import type { Expected, Planted } from '../world.ts';
import type { Life, SeededOptions } from './life.ts';
import type { Scene } from './scene.ts';

/** What a defect may use. `random` of a moment depends on seed, entity and days: each defect uses days of its own. */
export type Stage = {
  readonly lives: readonly Life[];
  readonly options: SeededOptions;
  /** A moment some days before the anchor, whose effects the generator ignores. */
  readonly scene: (life: Life, daysBefore: number) => Scene;
};

export type Plant = (stage: Stage) => Omit<Planted, 'name'>;

/** The entities that defects are spread over: the main account and the last subaccount. */
export const main = ({ lives }: Stage): Life => lives[0] as Life;
export const other = ({ lives }: Stage): Life => lives.at(-1) as Life;

/** The break of a tie-out on a pocket or on trading; `units` is reported − booked. */
export const broken = (account: string, currency: string, units: bigint): Expected => ({
  finding: 'break',
  account,
  currency,
  difference: textOf(units),
  check: account.startsWith('assets:pocket:') ? 'pocket_tie_out' : 'trading_tie_out',
});
