// Everyone who prepared, waived, dismissed or withdrew something in a month: another person must approve its close.
import type { Kysely } from 'kysely';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

type MonthPreparer = { readonly name: string; readonly did: string };

/** A month, and when it was sealed: what took effect later is not in it. */
type Sealed = { readonly period: string; readonly sealed_at: string };

/**
 * The preparers of a month's contents: its entries, waivers and acceptances, the dismissals of its records, the withdrawals of
 * its statements, and the lots, choices of lots, rates, rules and profiles that affect its values and took effect after the previous month's seal.
 */
export const preparersIn = (
  db: Kysely<DB>,
  entity: string,
  { period, sealed_at }: Sealed,
): Promise<MonthPreparer[]> =>
  readRows<MonthPreparer>(db, loadSql('seal/preparers.sql', { entity, period, sealed_at }));
