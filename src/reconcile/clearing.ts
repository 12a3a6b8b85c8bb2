// Clearing: the moves of the clearing accounts, paired and stored. The daily summary shows which days to read: those whose
// sum has changed since they were last read, and those with an unpaired move.

import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { compare, negate, subtract, unsigned } from '../base/money.ts';
import { HOUR_MS, isoOf, msOf, order } from '../base/time.ts';
import type { Effect } from '../breaks/not-final.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { type PairedDay, storePairedTotals } from './paired-totals.ts';
import { groundsOf, type Move, type MovePair, pairUp } from './pairs.ts';

type ClearingDay = PairedDay & {
  readonly account: string;
  readonly day: string;
  readonly debit: string;
  readonly credit: string;
};

type Placed = Move & { readonly account: string; readonly currency: string; readonly day: string };

/** The moves without a counterpart, oldest first, by `account currency`. */
export type UnpairedMove = ReadonlyMap<string, readonly Move[]>;

/** Pairs new moves on an entity's clearing accounts, stores the pairs, and returns the unpaired moves. */
export const pairClearing = (
  db: Kysely<DB>,
  run: Run,
  scope: { readonly entity: string; readonly transitMs: number },
): Promise<UnpairedMove> =>
  db.transaction().execute(async (tx) => {
    const days = await daysToRead(tx, scope.entity);
    const lone = new Map<string, readonly Move[]>();
    if (days.length === 0) return lone;
    const since = await waitedSince(tx, scope);
    const places = groupBy(await movesOn(tx, scope.entity, days), placeOf);
    const unmatched = new Map<string, number>();
    for (const [place, moves] of places) {
      const { pairs, open, left } = pairUp(moves, { transitMs: scope.transitMs, since });
      await storePairs(tx, run, { entity: scope.entity, on: moves[0], pairs });
      lone.set(place, left);
      for (const { day } of open as readonly Placed[])
        unmatched.set(`${place} ${day}`, (unmatched.get(`${place} ${day}`) ?? 0) + 1);
    }
    await storeDays(tx, scope.entity, { days, unmatched });
    await storePairedTotals(tx, days, ({ account }) => ({ entity: scope.entity, account }));
    return lone;
  });

const placeOf = ({ account, currency }: { account: string; currency: string }) => `${account} ${currency}`;

/** Moves older than this are no longer in transit, as of the last balance read; null if none was ever read. */
const waitedSince = async (
  tx: Kysely<DB>,
  { entity, transitMs }: { entity: string; transitMs: number },
): Promise<string | null> => {
  const { rows } = await sql<{ taken_at: string | null }>`
    select taken_at from land.snapshots where entity_id = ${entity} order by request_id desc limit 1`.execute(
    tx,
  );
  return rows[0]?.taken_at ? isoOf(msOf(rows[0].taken_at) - transitMs) : null;
};

/** Days to read, with those of moves whose pair is no longer valid because the other move was reversed. */
const daysToRead = (tx: Kysely<DB>, entity: string): Promise<ClearingDay[]> =>
  readRows<ClearingDay>(tx, loadSql('reconcile/clearing_days.sql', { entity }));

/** The standing moves of some days that are in no valid pair. */
const movesOn = (tx: Kysely<DB>, entity: string, days: readonly ClearingDay[]): Promise<Placed[]> =>
  readRows<Placed>(
    tx,
    loadSql('reconcile/clearing_moves.sql', {
      entity,
      accounts: days.map(({ account }) => account),
      currencies: days.map(({ currency }) => currency),
      days: days.map(({ day }) => day),
    }),
  );

const storePairs = async (
  tx: Kysely<DB>,
  run: Run,
  {
    entity,
    on,
    pairs,
  }: { entity: string; on: { account: string; currency: string } | undefined; pairs: readonly MovePair[] },
): Promise<void> => {
  if (!on) return;
  await insertRows(
    tx,
    'reconcile.clearing_matches',
    pairs.map(({ debit, credit }) => ({
      entity_id: entity,
      debit_entry_id: debit.entry_id,
      credit_entry_id: credit.entry_id,
      account: on.account,
      currency: on.currency,
      amount: debit.amount,
      debit_stream: debit.stream,
      debit_record_id: debit.record_id,
      debit_at: debit.effective_at,
      credit_stream: credit.stream,
      credit_record_id: credit.record_id,
      credit_at: credit.effective_at,
      grounds: groundsOf({ debit, credit }),
      run_id: run.id,
      matched_at: run.startedAt,
    })),
  );
};

const storeDays = (
  tx: Kysely<DB>,
  entity: string,
  { days, unmatched }: { days: readonly ClearingDay[]; unmatched: ReadonlyMap<string, number> },
): Promise<void> =>
  insertRows(
    tx,
    'reconcile.clearing_days',
    days.map(({ account, currency, day, debit, credit }) => ({
      entity_id: entity,
      account,
      currency,
      effective_day: day,
      debit,
      credit,
      unmatched: unmatched.get(`${placeOf({ account, currency })} ${day}`) ?? 0,
    })),
    sql`on conflict (entity_id, account, currency, effective_day)
    do update set debit = excluded.debit, credit = excluded.credit, unmatched = excluded.unmatched`,
  );

export const forgetClearingDays = async (tx: Kysely<DB>): Promise<void> => {
  await sql`delete from reconcile.clearing_days`.execute(tx);
};

const NEAREST_MAX = 2;

/** An unpaired move as a tie-out shows it: its age at a reading, and the nearest moves of the other side. */
export const unpairedEffect = (move: Move, among: readonly Move[], asOf: string): Effect => ({
  record: nameOf(move),
  amount: move.amount,
  at: move.effective_at,
  remark: [`${ageOf(move.effective_at, asOf)} old`, ...nearest(move, among)].join('; nearest: '),
});

const nameOf = ({ stream, record_id }: Move): string => `${stream} ${record_id}`;

const ageOf = (instant: string, asOf: string): string => {
  const hours = Math.max(0, Math.floor((msOf(asOf) - msOf(instant)) / HOUR_MS));
  return hours < 72 ? `${hours} h` : `${Math.floor(hours / 24)} days`;
};

/** Unpaired opposite moves, nearest in amount first, then in time. */
const nearest = (move: Move, among: readonly Move[]): string[] => {
  const gap = (other: Move) => unsigned(subtract(negate(move.amount), other.amount));
  const apart = (other: Move) => Math.abs(msOf(other.effective_at) - msOf(move.effective_at));
  const isOpposite = ({ amount }: Move) => amount.startsWith('-') !== move.amount.startsWith('-');
  const found = among
    .filter(isOpposite)
    .sort((a, b) => compare(gap(a), gap(b)) || apart(a) - apart(b) || order(a.effective_at, b.effective_at))
    .slice(0, NEAREST_MAX);
  const others = found.map((other) => `${nameOf(other)} (${other.amount}, ${other.effective_at})`);
  return others.length > 0 ? [others.join(', ')] : [];
};
