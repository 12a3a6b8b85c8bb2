// The world's own sums: every effect has a date, and a balance is the sum of the effects up to an instant.

/** Where money can be. The buckets of a pocket carry its id; the truth merges buckets into accounts. */
export type Effect = {
  readonly at: number;
  readonly bucket: string;
  readonly currency: string;
  readonly units: bigint;
};

export const free = (pocketId: string): string => `free:${pocketId}`;
export const blockedBucket = (pocketId: string): string => `held:${pocketId}`;
export const output = (pocketId: string): string => `output:${pocketId}`;

/** A running sum that accepts future effects and applies each at its time. */
export type SumsUntil = {
  readonly add: (effect: Effect) => void;
  readonly until: (instant: number) => void;
  readonly get: (bucket: string, currency: string) => bigint;
};

/** Future effects are grouped by slots of time, so that a busy world does not scan all of them at every step. */
const SLOT_MS = 900_000;
const slotOf = (instant: number): number => Math.floor(instant / SLOT_MS);

/** A tally from the beginning of the world; its clock never goes back. */
export const tally = (start: number): SumsUntil => {
  const sums = new Map<string, bigint>();
  const waiting = new Map<number, Effect[]>();
  let clock = start;
  const apply = ({ bucket, currency, units }: Effect) => {
    const key = `${bucket} ${currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + units);
  };
  const keep = (effect: Effect) => {
    const slot = waiting.get(slotOf(effect.at));
    if (slot) slot.push(effect);
    else waiting.set(slotOf(effect.at), [effect]);
  };
  const add = (effect: Effect) => (effect.at <= clock ? apply(effect) : keep(effect));
  const until = (instant: number) => {
    const from = clock;
    clock = Math.max(clock, instant);
    for (let slot = slotOf(from); slot <= slotOf(clock); slot += 1) {
      const due = waiting.get(slot) ?? [];
      waiting.delete(slot);
      for (const effect of due) add(effect);
    }
  };
  return { add, until, get: (bucket, currency) => sums.get(`${bucket} ${currency}`) ?? 0n };
};

/** Every bucket's balance at an instant, keyed `bucket currency`. */
export const sumsAt = (effects: readonly Effect[], instant: number): Map<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const effect of effects) {
    if (effect.at > instant) continue;
    const key = `${effect.bucket} ${effect.currency}`;
    sums.set(key, (sums.get(key) ?? 0n) + effect.units);
  }
  return sums;
};

/** The least balance of a bucket from an instant on: what can be spent then without missing later. */
export const leastFrom = (
  effects: readonly Effect[],
  instant: number,
  { bucket, currency }: Pick<Effect, 'bucket' | 'currency'>,
): bigint => {
  const own = effects.filter((effect) => effect.bucket === bucket && effect.currency === currency);
  const later = own
    .filter((effect) => effect.at > instant)
    .sort((a, b) => a.at - b.at || (a.units > b.units ? -1 : 1));
  let sum = own.reduce((total, effect) => (effect.at > instant ? total : total + effect.units), 0n);
  let least = sum;
  for (const { units } of later) {
    sum += units;
    if (sum < least) least = sum;
  }
  return least;
};

const ACCOUNTS: Readonly<Record<string, string>> = {
  trading: 'assets:trading',
  'trading-orders': 'assets:trading',
  'trading-bots': 'assets:trading',
  earn: 'assets:earn',
  'tax-withheld': 'assets:tax-withheld',
  'working-capital': 'liabilities:working-capital',
  'fees-trading': 'expenses:fees:trading',
  'fees-network': 'expenses:fees:network',
  'fees-teller': 'expenses:fees:teller',
  'fees-unclassified': 'expenses:fees:unclassified',
  rewards: 'income:rewards',
};

/** The account of the ledger for a bucket. */
export const accountOf = (bucket: string): string => {
  const [kind = '', pocketId] = bucket.split(':');
  return pocketId === undefined ? (ACCOUNTS[kind] ?? bucket) : `assets:pocket:${pocketId}`;
};
