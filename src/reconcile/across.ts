// Across entities: transfers between our own entities, paired and stored once all are booked, and the checks that look at
// all of them. The daily summary shows which days to read, as with clearing.

import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { negate } from '../base/money.ts';
import { DAY_MS } from '../base/time.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { updateBreaks } from './check-breaks.ts';
import { checksOf } from './checks.ts';
import { type OutsideMove, type OwnPair, pairOwn } from './own-pairs.ts';
import { type PairedDay, storePairedTotals } from './paired-totals.ts';

/** If one record names the other entity, the two records may lie this many days apart. */
const NAMED_DAYS = 7;

/** People and chains together. */
const OUTSIDE = 'equity:external';

/** Pairs new transfers between our own entities and stores the pairs, before anything is compared. */
export const pairAcross = (
  db: Kysely<DB>,
  run: Run,
  { transitMs }: { readonly transitMs: number },
): Promise<{ readonly paired: number }> =>
  db.transaction().execute(async (tx) => ({ paired: await pairNew(tx, run, transitMs) }));

/** Pairs new transfers between our own entities, stores the pairs, and runs the checks that look at all entities. */
export const reconcileAcross = (
  db: Kysely<DB>,
  run: Run,
  { transitMs, entities }: { readonly transitMs: number; readonly entities: readonly string[] },
): Promise<{ readonly paired: number }> =>
  db.transaction().execute(async (tx) => {
    const paired = await pairNew(tx, run, transitMs);
    const checks = checksOf('break').filter(({ isAcross }) => isAcross);
    await updateBreaks(tx, run, { entities, checks, causes: new Map() });
    return { paired };
  });

type TransferDay = PairedDay & {
  readonly entity_id: string;
  readonly day: string;
  readonly debit: string;
  readonly credit: string;
  readonly addresses: number;
};

type Placed = OutsideMove & { readonly day: string };

const pairNew = async (tx: Kysely<DB>, run: Run, transitMs: number): Promise<number> => {
  const days = await daysToRead(tx);
  if (days.length === 0) return 0;
  const moves = await movesOn(tx, days);
  const patience = { namedMs: NAMED_DAYS * DAY_MS, transitMs };
  const pairs = [...groupBy(moves, ({ currency }) => currency).values()].flatMap((sameCurrency) =>
    pairOwn(sameCurrency, patience),
  );
  await storePairs(tx, run, pairs);
  const done = new Set<OutsideMove>(pairs.flatMap((pair) => [pair.out, pair.in]));
  await storeDays(
    tx,
    days,
    moves.filter((move) => move.names_entity !== null && move.cancelled_at === null && !done.has(move)),
  );
  await storePairedTotals(tx, days, ({ entity_id }) => ({ entity: entity_id, account: OUTSIDE }));
  return pairs.length;
};

/** Days that changed, or have an unpaired record that names one of our entities, with the days near them of every entity. */
const daysToRead = (tx: Kysely<DB>): Promise<TransferDay[]> =>
  readRows<TransferDay>(tx, loadSql('reconcile/transfer_days.sql', { days_apart: String(NAMED_DAYS + 1) }));

/** The legs to and from people and chains on some days that are in no valid pair, of records that stand or were cancelled. */
const movesOn = (tx: Kysely<DB>, days: readonly TransferDay[]): Promise<Placed[]> =>
  readRows<Placed>(
    tx,
    loadSql('reconcile/transfer_moves.sql', {
      entities: days.map(({ entity_id }) => entity_id),
      currencies: days.map(({ currency }) => currency),
      days: days.map(({ day }) => day),
    }),
  );

const storePairs = (tx: Kysely<DB>, run: Run, pairs: readonly OwnPair[]): Promise<void> =>
  insertRows(
    tx,
    'reconcile.own_transfers',
    pairs.map((pair) => ({
      from_entity: pair.out.entity_id,
      from_entry_id: pair.out.entry_id,
      to_entity: pair.in.entity_id,
      to_entry_id: pair.in.entry_id,
      currency: pair.out.currency,
      amount_out: pair.out.amount,
      amount_in: negate(pair.in.amount),
      from_stream: pair.out.stream,
      from_record_id: pair.out.record_id,
      from_at: pair.out.effective_at,
      to_stream: pair.in.stream,
      to_record_id: pair.in.record_id,
      to_at: pair.in.effective_at,
      grounds: pair.grounds,
      run_id: run.id,
      matched_at: run.startedAt,
    })),
  );

const storeDays = (tx: Kysely<DB>, days: readonly TransferDay[], lone: readonly Placed[]): Promise<void> => {
  const alone = groupBy(lone, placeOf);
  return insertRows(
    tx,
    'reconcile.own_days',
    days.map((transferDay) => ({
      entity_id: transferDay.entity_id,
      currency: transferDay.currency,
      effective_day: transferDay.day,
      debit: transferDay.debit,
      credit: transferDay.credit,
      addresses: transferDay.addresses,
      lone: alone.get(placeOf(transferDay))?.length ?? 0,
    })),
    sql`on conflict (entity_id, currency, effective_day)
    do update set debit = excluded.debit, credit = excluded.credit, addresses = excluded.addresses, lone = excluded.lone`,
  );
};

const placeOf = ({ entity_id, currency, day }: Pick<Placed, 'entity_id' | 'currency' | 'day'>) =>
  `${entity_id} ${currency} ${day}`;

export const forgetTransferDays = async (tx: Kysely<DB>): Promise<void> => {
  await sql`delete from reconcile.own_days`.execute(tx);
};
