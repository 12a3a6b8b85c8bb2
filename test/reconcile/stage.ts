// A stage for reconciling: nights made by hand, with balances before and after and the records in between.

import { STREAM_NAMES, type StreamName, type WireRecord } from '../../src/base/streams.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { instantAt, type Stage as Landing, openStage as openLanding } from '../land/stage.ts';

const HOUR_MS = 3_600_000;
const PATIENCE = { pendingMs: 7 * 24 * HOUR_MS, transitMs: 24 * HOUR_MS };

/** When a night reads its balances, in seconds from the start, and the end of the coverage of its streams. */
export const [BEFORE, AFTER] = [1_000_000, 1_000_060];

type Balances = {
  readonly trading?: readonly WireRecord[];
  readonly pocket?: readonly WireRecord[];
  readonly earn?: readonly WireRecord[];
};

export type Night = {
  readonly records?: { readonly [stream in StreamName]?: readonly WireRecord[] };
  /** A missing product was refused: it has no reading. */
  readonly before?: Balances;
  readonly after?: Balances;
  /** What the gateway counts, in a list that is proved by its count. */
  readonly totals?: Readonly<Record<string, number>>;
  readonly uncovered?: readonly StreamName[];
};

type TieOut = {
  status: string;
  reported: string | null;
  booked: string;
  difference: string | null;
  reason: string | null;
};

/** Nights over one set of books, each a run of its own. */
export const openNights = async () => {
  const stage = await openLanding();
  const state = { stage };
  return {
    ...stage,
    /** The run of the last night. */
    run: () => state.stage.run,
    check: (name: string) => state.stage.check(name),
    night: async (night: Night) => {
      state.stage = await state.stage.nextRun();
      await readAndLand(state.stage, night);
      return judge(state.stage);
    },
    /** Reconciles the same night once more. */
    again: () => judge(state.stage),
    /** Reconciles it in a run of its own, without another reading. */
    inAnotherRun: async () => {
      state.stage = await state.stage.nextRun();
      return judge(state.stage);
    },
  };
};

export type Nights = Awaited<ReturnType<typeof openNights>>;

const readAndLand = async (
  stage: Landing,
  { records = {}, before, after, uncovered = [], totals = {} }: Night,
): Promise<void> => {
  await readAll(stage, 'before', before ?? after ?? {});
  for (const stream of STREAM_NAMES) {
    const scope = stream === 'earn-movements' ? 'e1' : '';
    const total = totals[stream];
    const proof = total === undefined ? { proof: 'window' as const } : { proof: 'list' as const, total };
    const covers = { from: null, to: instantAt(BEFORE), ...proof };
    await stage.land([{ rows: records[stream] ?? [], ...(!uncovered.includes(stream) && { covers }) }], {
      stream,
      scope,
    });
  }
  await readAll(stage, 'after', after ?? {});
};

const readAll = async (stage: Landing, phase: 'before' | 'after', balances: Balances): Promise<void> => {
  for (const product of ['trading', 'pocket', 'earn'] as const) {
    const rows = balances[product];
    if (rows) await stage.read(product, phase, rows, instantAt(phase === 'before' ? BEFORE : AFTER));
  }
};

/** What GATEWAY_PLATFORM_CLASS names in these books. */
export const PLATFORM_CLASS = 'insider';

const judge = async (stage: Landing): Promise<Record<string, TieOut>> => {
  const books = { entity: 'main', platformClass: PLATFORM_CLASS };
  await normalize(stage.db, { ...books, timezone: 'UTC', currency: 'EUR' });
  await reconcile(stage.db, stage.run, { ...books, patience: PATIENCE });
  const rows = await stage.rows('select * from books.tie_outs where run_id = $1', [stage.run.id]);
  return Object.fromEntries(
    rows.map(({ account, currency, status, reported, booked, difference, reason }) => [
      `${account} ${currency}`,
      { status, reported, booked, difference, reason } as TieOut,
    ]),
  );
};

/** A wallet or pocket as the gateway reports it. */
export const wallet = (id: string, currency: string, balance: string, rest: WireRecord = {}): WireRecord => ({
  id,
  currency,
  balance,
  blockedBalance: '0',
  ...rest,
});

/** An adjustment by the platform: it enters trading, and no other stream has it. */
export const adjustment = (id: string, amount: string, rest: WireRecord = {}): WireRecord => ({
  id,
  amount,
  currency: 'EUR',
  createdAt: instantAt(0),
  status: 'completed',
  movementType: 'deposit',
  serviceOrderName: 'admin',
  ...rest,
});

/** A transfer between pocket p1 and trading, in the wallet's list. */
export const walletSide = (id: string, amount: string, rest: WireRecord = {}): WireRecord => ({
  id,
  date: instantAt(0),
  completedAt: instantAt(0),
  status: 'completed',
  origin: { class: 'pocket', pocketId: 'p1', amount, currency: 'EUR' },
  destination: { class: 'trading', amount, currency: 'EUR' },
  ...rest,
});

/** The same transfer, in trading's list. */
export const tradingSide = (id: string, amount: string, rest: WireRecord = {}): WireRecord =>
  adjustment(id, amount, { serviceOrderName: 'wallet', ...rest });
