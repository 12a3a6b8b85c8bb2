// A mistake that a user can type or set, and the expected answer.
import type { Env } from './tieout.ts';

export type Mistake = {
  readonly args: readonly string[];
  readonly env?: Env;
  readonly exit: 2 | 64;
  readonly says: RegExp;
  readonly lines?: number;
};
