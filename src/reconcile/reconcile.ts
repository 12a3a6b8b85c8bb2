// Reconcile: compares every reported balance with the booked one and stores the result even if it is tied, because a clean
// month needs its proof too; then runs the checks, one SQL file each, some of which open breaks.
import { type Kysely, sql } from 'kysely';
import { type Explanations, explain, placeOf } from '../breaks/breaks.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { pairExternal } from '../external/external.ts';
import type { ContextOf } from '../normalize/context.ts';
import type { Run } from '../run/job-run.ts';
import { forgetTransferDays } from './across.ts';
import { updateBreaks } from './check-breaks.ts';
import { checksOf } from './checks.ts';
import { claimsOf, type Patience } from './claims.ts';
import { forgetClearingDays, pairClearing } from './clearing.ts';
import { forgetPairedTotals } from './paired-totals.ts';
import { type TieOutVerdict, tieOut } from './tie-out.ts';

export { pairAcross, reconcileAcross } from './across.ts';
export { reportChecks } from './checks.ts';
export { forgetLows } from './lows.ts';

type ReconcileOutcome = { readonly [status: string]: number };

/**
 * Compares and stores, then opens and resolves breaks. A second call in one run is a second reading: it adds rows, and the
 * last reading counts.
 */
export const reconcile = async (
  db: Kysely<DB>,
  run: Run,
  scope: ContextOf & { readonly patience: Patience },
): Promise<ReconcileOutcome> => {
  const { entity, patience } = scope;
  const lone = await pairClearing(db, run, { entity, transitMs: patience.transitMs });
  const claims = await claimsOf(db, { ...scope, lone });
  const verdicts = claims.map(({ claim, asOf }) => ({ ...claim, ...tieOut(claim), asOf }));
  const candidates = await explain(db, scope, verdicts);
  const explained = verdicts.map((verdict) => {
    const place = placeOf(verdict.account, verdict.currency);
    return { verdict, place, candidates: candidates.get(place) ?? [] };
  });
  const tieOuts: ReasonedTieOut[] = explained.map(({ verdict, candidates: [likeliest] }) => ({
    ...verdict,
    reason: verdict.reason ?? likeliest?.sentence ?? null,
  }));
  const causes: Explanations = new Map(
    explained.map(({ verdict, place, candidates }) => [
      place,
      { candidates, parts: verdict.parts ?? candidates[0]?.parts ?? null },
    ]),
  );
  await db.transaction().execute(async (tx) => {
    await store(tx, run, { entity, tieOuts });
    await pairExternal(tx, run, entity);
    const checks = checksOf('break').filter(({ isAcross }) => !isAcross);
    await updateBreaks(tx, run, { entities: [entity], checks, causes });
  });
  return Object.fromEntries(tally(tieOuts));
};

/** The checks on statements of banks and lists of chains. */
const EXTERNAL = ['bank_lines', 'chain_lines'];

/** Pairs an entity's external statements with its books, and updates the breaks of that alone: after an import. */
export const reconcileExternal = async (tx: Kysely<DB>, run: Run, entity: string): Promise<number> => {
  const paired = await pairExternal(tx, run, entity);
  const checks = checksOf('break').filter(({ name }) => EXTERNAL.includes(name));
  await updateBreaks(tx, run, { entities: [entity], checks, causes: new Map() });
  return paired;
};

type EntityToPair = {
  readonly entity_id: string;
  readonly is_changed: boolean;
  readonly has_statements: boolean;
};

/**
 * Pairs what is booked of some entities without comparing it: a pair ends with the entry that is reversed, and the one in its place would
 * otherwise show as in transit, or as on one side alone, until the next comparison.
 */
export const pairBooked = async (
  db: Kysely<DB>,
  run: Run,
  { entities, transitMs }: { readonly entities: readonly string[]; readonly transitMs: number },
): Promise<void> => {
  const toPair = await readRows<EntityToPair>(db, loadSql('reconcile/entities_to_pair.sql', { entities }));
  for (const { entity_id: entity, is_changed, has_statements } of toPair) {
    if (is_changed) await pairClearing(db, run, { entity, transitMs });
    if (has_statements) await db.transaction().execute((tx) => reconcileExternal(tx, run, entity));
  }
};

/**
 * Forgets up to where entries are paired: the ledger is made anew, so the next pairing looks at every day. If the days stayed, none would
 * have changed, and no total would be stored again.
 */
export const forgetPaired = async (tx: Kysely<DB>): Promise<void> => {
  await forgetPairedTotals(tx);
  await forgetClearingDays(tx);
  await forgetTransferDays(tx);
};

type ReasonedTieOut = TieOutVerdict & {
  account: string;
  currency: string;
  reported: string | null;
  booked: string;
  asOf: string;
};

const tally = (tieOuts: readonly TieOutVerdict[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const { status } of tieOuts) counts.set(status, (counts.get(status) ?? 0) + 1);
  return counts;
};

const store = async (
  tx: Kysely<DB>,
  run: Run,
  { entity, tieOuts }: { entity: string; tieOuts: readonly ReasonedTieOut[] },
): Promise<void> => {
  const { last } = await tx
    .selectFrom('reconcile.tie_outs')
    .select((eb) => eb.fn.coalesce(eb.fn.max('reading'), sql<number>`0`).as('last'))
    .where('entity_id', '=', entity)
    .where('run_id', '=', run.id)
    .executeTakeFirstOrThrow();
  await insertRows(
    tx,
    'reconcile.tie_outs',
    tieOuts.map(({ account, currency, asOf, reported, booked, difference, status, reason }) => ({
      entity_id: entity,
      run_id: run.id,
      account,
      currency,
      as_of: asOf,
      reported,
      booked,
      difference,
      status,
      reason,
      reading: last + 1,
    })),
  );
};
