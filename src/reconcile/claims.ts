// Claims: every account of an entity that is reported or booked, with the facts that its tie-out needs.
import type { Kysely } from 'kysely';
import { isoOf, msOf, order } from '../base/time.ts';
import { effectsOfNotFinal } from '../breaks/breaks.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { ContextOf } from '../normalize/context.ts';
import { type UnpairedMove, unpairedEffect } from './clearing.ts';
import type { Claim } from './tie-out.ts';

/** The ages, in milliseconds, up to which records may explain a difference. */
export type Patience = { readonly pendingMs: number; readonly transitMs: number };

type ClaimRow = {
  account: string;
  currency: string;
  before: string | null;
  reported: string | null;
  booked: string;
  in_bracket: string;
  is_covered: boolean;
  was_in_flight: boolean;
  as_of: string;
};

/**
 * The claims of an entity, as of the last run that read its balances. Trading and bots are one account; a clearing
 * account has reported 0; a balance that is booked and not reported compares with 0, and the other way round. Empty if no
 * balance was ever read.
 */
export const claimsOf = async (
  db: Kysely<DB>,
  ask: ContextOf & {
    readonly patience: Patience;
    readonly lone: UnpairedMove;
  },
): Promise<{ claim: Claim; asOf: string }[]> => {
  const rows = await readRows<ClaimRow>(db, loadSql('reconcile/claims.sql', { entity: ask.entity }));
  const effects = await effectsOfNotFinal(db, ask, rows[0]?.as_of ?? null);
  const claims = [];
  for (const row of rows) {
    const since = (ms: number) => isoOf(msOf(row.as_of) - ms);
    const lone = ask.lone.get(`${row.account} ${row.currency}`) ?? [];
    const claim: Claim = {
      account: row.account,
      currency: row.currency,
      before: row.before,
      reported: row.reported,
      booked: row.booked,
      isCovered: row.is_covered,
      inBracket: row.in_bracket,
      wasInFlight: row.was_in_flight,
      pending: (effects.get(`${row.account} ${row.currency}`) ?? []).filter(
        ({ at: instant }) => instant === null || order(instant, since(ask.patience.pendingMs)) >= 0,
      ),
      unmatched: lone.map((move) => unpairedEffect(move, lone, row.as_of)),
      transitSince: since(ask.patience.transitMs),
    };
    claims.push({ claim, asOf: row.as_of });
  }
  return claims;
};
