// Evidence: facts from the books about an entity's broken accounts, read once for all of them.
import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { decimalsOf, negate, sign } from '../base/money.ts';
import { type Product, streamsOf } from '../base/streams.ts';
import { earlier, HOUR_MS, isoOf, msOf } from '../base/time.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { ContextOf } from '../normalize/context.ts';
import {
  type CauseEvidence,
  type Difference,
  type PartRole,
  placeOf,
  type RecordEffects,
  type Rejected,
  type SetAsideRecord,
  type Status,
  type UnbookedFee,
  type Withdrawn,
} from './cause.ts';
import { type Effect, effectsOfNotFinal } from './not-final.ts';

/** A tie-out with the result of this run. */
export type ComparedBalance = {
  readonly account: string;
  readonly currency: string;
  readonly status: Status;
  readonly reported: string | null;
  readonly difference: string | null;
  readonly asOf: string;
  readonly unmatched: readonly Effect[];
};

/** The most records of a break's accounts to examine, newest first. */
const RECORDS_MAX = 2_000;

/** How long before the last tie records are examined; equal to the time that late records are read again. */
const NEAR_MS = 48 * HOUR_MS;

type EvidenceRequest = { readonly entity: string; readonly places: readonly string[] };

/** Reads the evidence. Records are those near the first divergence or, with `isFar`, the newest of all time. */
export const evidenceOf = async (
  db: Kysely<DB>,
  books: ContextOf,
  { examined, isFar }: { readonly examined: readonly ComparedBalance[]; readonly isFar: boolean },
): Promise<CauseEvidence> => {
  const { entity } = books;
  const broken = examined.filter((it) => it.status === 'break' && it.difference !== null);
  const differences = await divergences(db, entity, broken);
  const ask = {
    entity,
    places: differences.map((difference) => placeOf(difference.account, difference.currency)),
  };
  const asOf = broken.map((it) => it.asOf).reduce((a, b) => (a > b ? a : b));
  const from = isFar ? null : since(differences);
  return {
    differences,
    isNear: from !== null,
    undecided: new Set(
      examined
        .filter(({ status }) => status !== 'tied' && status !== 'break')
        .map(({ account, currency }) => placeOf(account, currency)),
    ),
    records: await recordsOf(db, ask, from),
    waiting: byRecord(await effectsOfNotFinal(db, books, asOf)),
    rejects: await rejectsOf(db, entity, differences),
    unbookedFees: await unbookedFeesOf(db, { entity, differences, from }),
    unmatched: broken.flatMap(({ account, currency, unmatched }) =>
      unmatched.map(({ record, amount }) => ({
        name: record,
        amount,
        place: placeOf(account, currency),
      })),
    ),
    setAsides: await setAsideOf(db, ask),
    withdrawn: await withdrawnOf(db, entity),
  };
};

/** The earliest instant to examine; null if an account never tied. */
const since = (differences: readonly Difference[]): string | null => {
  const ties = differences.map(({ tiedAt }) => tiedAt);
  if (ties.includes(null)) return null;
  return isoOf(msOf(ties.reduce((a, b) => earlier(a ?? '', b)) ?? '') - NEAR_MS);
};

/** When each broken account last tied, and the first broken reading after that. */
const divergences = async (
  db: Kysely<DB>,
  entity: string,
  broken: readonly ComparedBalance[],
): Promise<Difference[]> => {
  const { rows } = await sql<{
    account: string;
    currency: string;
    tied_at: string | null;
    broke_at: string | null;
    first_difference: string | null;
    tied_to: string | null;
    decimals: number | null;
  }>`
    select account, currency, tied_at, tied_to, broke_at, decimals, trim_scale(first_difference)::text as first_difference
    from books_internal.last_ties where entity_id = ${entity}`.execute(db);
  return broken.map(({ account, currency, reported, difference, asOf }) => {
    const known = rows.find((row) => row.account === account && row.currency === currency);
    return {
      account,
      currency,
      difference: difference ?? '',
      firstDifference: known?.first_difference ?? difference ?? '',
      tiedAt: known?.tied_at ?? null,
      tiedTo: known?.tied_to ?? null,
      brokeAt: known?.broke_at ?? asOf,
      decimals: reported === null ? null : Math.max(decimalsOf(reported), known?.decimals ?? 0),
    };
  });
};

/** The net effect of each record, leg by leg; reversed entries are left out. */
const recordsOf = async (
  db: Kysely<DB>,
  ask: EvidenceRequest,
  from: string | null,
): Promise<RecordEffects[]> => {
  const rows = await readRows<{
    stream: string;
    record_id: string;
    effective_at: string;
    entry: string;
    account: string;
    currency: string;
    amount: string;
    role: PartRole;
  }>(db, loadSql('breaks/records.sql', { ...ask, since: from ?? '-infinity', most: String(RECORDS_MAX) }));
  const records = new Map<string, RecordEffects & { parts: RecordEffects['parts'][number][] }>();
  for (const { stream, record_id, effective_at, entry, account, currency, amount, role } of rows) {
    const name = `${stream} ${record_id}`;
    const record = records.get(name) ?? { name, stream, at: effective_at, entry, parts: [] };
    record.parts.push({ place: placeOf(account, currency), amount, role });
    records.set(name, record);
  }
  return [...records.values()];
};

/** Groups the effects of records that are not final by record. */
const byRecord = (effects: ReadonlyMap<string, readonly Effect[]>) => {
  const placed = [...effects].flatMap(([place, some]) =>
    some.map((effect) => ({ ...effect, place: canonicalPlace(place) })),
  );
  return [...groupBy(placed, ({ record }) => record)].map(([name, parts]) => ({
    name,
    changes: parts.map(({ place, amount }) => ({ place, amount })),
    ...(parts[0]?.remark !== undefined && { remark: parts[0].remark }),
    ...(parts[0]?.teller !== undefined && { teller: parts[0].teller }),
  }));
};

const canonicalPlace = (place: string): string => {
  const [account = '', currency = ''] = place.split(' ');
  return placeOf(account, currency);
};

const productOf = (account: string): Product => {
  if (account === 'assets:trading') return 'trading';
  return account === 'assets:earn' ? 'earn' : 'pocket';
};

/** Rejected records with a broken account's currency, and whether one of their amounts equals its difference. */
const rejectsOf = async (
  db: Kysely<DB>,
  entity: string,
  differences: readonly Difference[],
): Promise<Rejected[]> => {
  const found: Rejected[] = [];
  for (const { account, currency, difference } of differences) {
    const pocket = account.startsWith('assets:pocket:') ? account.slice('assets:pocket:'.length) : '';
    const rows = await readRows<{ name: string; reason: string; has_amount: boolean }>(
      db,
      loadSql('breaks/rejects.sql', {
        entity,
        streams: streamsOf(productOf(account)),
        currency,
        pocket,
        difference,
      }),
    );
    for (const { name, reason, has_amount: hasAmount } of rows)
      found.push({ name, reason, place: placeOf(account, currency), hasAmount });
  }
  return found;
};

/** Fees of wallet transactions that are named, not booked, and exactly what a pocket lacks. */
const unbookedFeesOf = async (
  db: Kysely<DB>,
  {
    entity,
    differences,
    from,
  }: Pick<EvidenceRequest, 'entity'> & Pick<CauseEvidence, 'differences'> & { readonly from: string | null },
): Promise<UnbookedFee[]> => {
  const lacking = differences.filter(
    ({ account, difference }) => account.startsWith('assets:pocket:') && sign(difference) < 0,
  );
  const rows = await readRows<
    Omit<UnbookedFee, 'place' | 'at'> & Pick<Difference, 'account' | 'currency'> & { effective_at: string }
  >(
    db,
    loadSql('breaks/unbooked_fees.sql', {
      entity,
      accounts: lacking.map(({ account }) => account),
      currencies: lacking.map(({ currency }) => currency),
      missing: lacking.map(({ difference }) => negate(difference)),
      since: from ?? '-infinity',
      most: String(RECORDS_MAX),
    }),
  );
  return rows.map(({ account, currency, effective_at, name, entry, amount }) => ({
    name,
    at: effective_at,
    entry,
    place: placeOf(account, currency),
    amount,
  }));
};

const withdrawnOf = async (db: Kysely<DB>, entity: string): Promise<Withdrawn[]> => {
  const { rows } = await sql<Withdrawn>`
    select stream, sum(landed - total)::text as missing, sum(landed)::text as landed from books_internal.proved_totals
    where entity_id = ${entity} and landed > total group by stream order by stream`.execute(db);
  return rows;
};

/** Blocked funds in the last two readings, and bots' funds according to the books. */
const setAsideOf = async (db: Kysely<DB>, ask: EvidenceRequest): Promise<SetAsideRecord[]> => {
  const rows = await readRows<{ place: string; blocked: string; blocked_before: string; with_bots: string }>(
    db,
    loadSql('breaks/blocked.sql', ask),
  );
  return rows.map(({ place, blocked, blocked_before, with_bots }) => ({
    place,
    blocked,
    blockedBefore: blocked_before,
    withBots: with_bots,
  }));
};
