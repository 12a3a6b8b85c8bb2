// Wallet transactions through time: done at once, or waiting first and then completed or cancelled.
import { isoOf } from '../base/time.ts';
import type { Row, Scene, Version } from './scene.ts';
import type { WireObject } from './wire-json.ts';

const HOUR = 3_600_000;

export type Outcome =
  | { readonly kind: 'at-once' }
  | { readonly kind: 'completed' | 'cancelled'; readonly at: number; readonly waiting: string };

export type WalletRowOf = {
  readonly at?: number;
  readonly type: 'deposit' | 'withdrawal' | 'transfer';
  readonly subtype: string;
  readonly method: string;
  readonly denomination: WireObject;
  readonly origin?: WireObject;
  readonly destination?: WireObject;
  readonly more?: WireObject;
  readonly detail?: WireObject;
  readonly outcome?: Outcome;
};

/** One in four waits for 6 to 60 hours; a quarter of those comes to nothing. */
export const outcomeOf = ({ at, random }: Scene): Outcome => {
  if (!random.chance(25)) return { kind: 'at-once' };
  const waiting = random.pick(['pending', 'pending', 'waiting-user-information']);
  const kind = random.chance(25) ? 'cancelled' : 'completed';
  return { kind, waiting, at: at + 6 * HOUR + random.below(54 * HOUR) };
};

/** When the money has moved, or null when it never will. */
export const settledAt = (scene: Scene, outcome: Outcome): number | null => {
  if (outcome.kind === 'at-once') return scene.at;
  return outcome.kind === 'completed' ? outcome.at : null;
};

/** Lists one wallet transaction and returns its id. */
export const walletRow = (scene: Scene, it: WalletRowOf): string => {
  const { at = scene.at } = it;
  const id = scene.random.uuid();
  const base = { id, date: isoOf(at), type: it.type, subtype: it.subtype, method: it.method };
  const rest = {
    denomination: it.denomination,
    origin: it.origin,
    destination: it.destination,
    note: '',
    concept: '',
    ...it.more,
  };
  const tell = (from: number, state: WireObject): Version => ({
    from,
    body: { ...base, ...state, updatedAt: isoOf(from), ...rest },
    ...(it.detail && { detail: it.detail }),
  });
  const row: Row = { stream: 'wallet-transactions', id, at, versions: versions(scene, at, it.outcome, tell) };
  scene.list(row);
  return id;
};

type Tell = (from: number, state: WireObject) => Version;

const versions = (scene: Scene, at: number, outcome: Outcome | undefined, tell: Tell): Version[] => {
  if (outcome !== undefined && outcome.kind !== 'at-once') return waited(scene, at, outcome, tell);
  const done = { status: 'completed', completedAt: isoOf(at), canceledAt: null };
  const first = tell(at, done);
  // A note can be edited long after the money moved; nothing else changes then.
  return scene.random.chance(4) ? [first, noted(tell(at + 20 * HOUR, done), 'checked')] : [first];
};

const waited = (
  scene: Scene,
  at: number,
  outcome: Exclude<Outcome, { kind: 'at-once' }>,
  tell: Tell,
): Version[] => {
  const open = tell(at, { status: outcome.waiting, completedAt: null, canceledAt: null });
  const end = isoOf(outcome.at);
  const state =
    outcome.kind === 'completed'
      ? { status: 'completed', completedAt: end, canceledAt: null }
      : { status: scene.random.pick(['cancelled', 'canceled']), completedAt: null, canceledAt: end };
  return [open, tell(outcome.at, state)];
};

const noted = (version: Version, note: string): Version => ({ ...version, body: { ...version.body, note } });
