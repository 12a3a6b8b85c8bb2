// A mistake that somebody can type or set, and what it must answer.
import type { Env } from './tieout.ts';

export type Mistake = {
  readonly args: readonly string[];
  readonly env?: Env;
  readonly exit: 2 | 64;
  readonly says: RegExp;
  readonly lines?: number;
};
