// Wallet transactions through time: final at once, or pending first and then completed or cancelled.
import { HOUR_MS, isoOf } from '../../base/time.ts';
import { randomOf } from '../random.ts';
import type { WireObject } from '../wire-json.ts';
import type { RowVersion, Scene, WorldRow } from './scene.ts';

export type RowOutcome =
  | { readonly kind: 'at-once' }
  | { readonly kind: 'completed' | 'cancelled'; readonly at: number; readonly waiting: string };

export type WalletRowOf = {
  /** An id that was given out before. */
  readonly id?: string;
  readonly at?: number;
  readonly type: 'deposit' | 'withdrawal' | 'transfer';
  readonly subtype: string;
  readonly method: string;
  readonly denomination: WireObject;
  readonly origin?: WireObject;
  readonly destination?: WireObject;
  readonly more?: WireObject;
  readonly chain?: ChainTransaction;
  readonly outcome?: RowOutcome;
};

/** Where a payment is on its network. The list has it without the network, the answer about one row with it. */
export type ChainTransaction = {
  readonly network: string;
  readonly hash: string;
  readonly confirmationCount: number;
};

const transactionOf = ({ hash, confirmationCount }: ChainTransaction): WireObject => ({
  hash,
  confirmedAt: null,
  confirmationCount,
});

/** One in four waits for 6 to 60 hours; a quarter of those is cancelled. */
export const outcomeOf = ({ at: instant, random }: Scene): RowOutcome => {
  if (!random.chance(25)) return { kind: 'at-once' };
  const waiting = random.pick(['pending', 'pending', 'waiting-user-information']);
  const kind = random.chance(25) ? 'cancelled' : 'completed';
  return { kind, waiting, at: instant + 6 * HOUR_MS + random.below(54 * HOUR_MS) };
};

/** The instant at which the money moves, or null if it never does. */
export const settledAt = (scene: Scene, outcome: RowOutcome): number | null => {
  if (outcome.kind === 'at-once') return scene.at;
  return outcome.kind === 'completed' ? outcome.at : null;
};

/** Lists one wallet transaction and returns its id. */
export const walletRow = (scene: Scene, options: WalletRowOf): string => {
  const { at: instant = scene.at } = options;
  const id = options.id ?? scene.random.uuid();
  const base = {
    id,
    date: isoOf(instant),
    type: options.type,
    subtype: options.subtype,
    method: options.method,
  };
  const rest = {
    denomination: options.denomination,
    origin: options.origin,
    destination: options.destination,
    note: '',
    concept: '',
    ...options.more,
    ...tellerOf(id, options.more?.fee),
    ...(options.chain && { transaction: transactionOf(options.chain) }),
  };
  const versionFrom = (from: number, state: WireObject): RowVersion => ({
    from,
    body: { ...base, ...state, updatedAt: isoOf(from), ...rest },
    ...(options.chain && { detail: { network: options.chain.network } }),
  });
  const row: WorldRow = {
    stream: 'wallet-transactions',
    id,
    at: instant,
    versions: versions(scene, instant, options.outcome, versionFrom),
  };
  scene.list(row);
  return id;
};

/** The fee of a teller order names the order, also where the action knows no order of its own. */
const tellerOf = (rowId: string, fee: WireObject[string]): WireObject => {
  const { teller } = (fee ?? {}) as WireObject;
  if (typeof teller !== 'object' || teller === null) return {};
  const id = randomOf(`${rowId}:teller-order`).uuid();
  return { fee: { ...(fee as WireObject), teller: { id, ...teller } as WireObject } };
};

type VersionFrom = (from: number, state: WireObject) => RowVersion;

const versions = (
  scene: Scene,
  instant: number,
  outcome: RowOutcome | undefined,
  versionFrom: VersionFrom,
): RowVersion[] => {
  if (outcome !== undefined && outcome.kind !== 'at-once')
    return waitingVersions(scene, instant, outcome, versionFrom);
  const done = { status: 'completed', completedAt: isoOf(instant), canceledAt: null };
  const first = versionFrom(instant, done);
  // A note can be edited long after the money moved; nothing else changes then.
  return scene.random.chance(4)
    ? [first, noted(versionFrom(instant + 20 * HOUR_MS, done), 'checked')]
    : [first];
};

const waitingVersions = (
  scene: Scene,
  instant: number,
  outcome: Exclude<RowOutcome, { kind: 'at-once' }>,
  versionFrom: VersionFrom,
): RowVersion[] => {
  const open = versionFrom(instant, { status: outcome.waiting, completedAt: null, canceledAt: null });
  const end = isoOf(outcome.at);
  const state =
    outcome.kind === 'completed'
      ? { status: 'completed', completedAt: end, canceledAt: null }
      : { status: scene.random.pick(['cancelled', 'canceled']), completedAt: null, canceledAt: end };
  return [open, versionFrom(outcome.at, state)];
};

const noted = (version: RowVersion, note: string): RowVersion => ({
  ...version,
  body: { ...version.body, note },
});
