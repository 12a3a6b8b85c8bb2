// What nights found, entity by entity, and whose nights are late.
import type { Kysely } from 'kysely';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** What a nightly found for one entity. The open items are counted when it ends; the findings are those of the run. */
export type NightVerdict = {
  readonly entity_id: string;
  readonly verdict: 'clean' | 'findings' | 'failed' | 'skipped';
  readonly breaks: number;
  readonly gaps: number;
  readonly rejects: number;
  readonly findings: number;
  /** The time up to which all of its lists are proved; null before the first one is. */
  readonly watermark: string | null;
};

/** The verdicts of a nightly that is about to end, by entity. */
export const verdictsOf = (db: Kysely<DB>, runId: string): Promise<NightVerdict[]> =>
  readRows<NightVerdict>(db, loadSql('status/verdicts.sql', { run: runId }));

/** An entity without a recent night; null: it never had one. */
export type LateNight = {
  readonly entity_id: string;
  readonly began_at: string | null;
  readonly age_seconds: number | null;
};

/** The entities, or the one given, whose last night began longer ago than `maxAgeSeconds`, oldest first. */
export const lateNights = (
  db: Kysely<DB>,
  { maxAgeSeconds, entity = '' }: { readonly maxAgeSeconds: number; readonly entity?: string | undefined },
): Promise<LateNight[]> =>
  readRows<LateNight>(db, loadSql('status/late_nights.sql', { max_age: String(maxAgeSeconds), entity }));
