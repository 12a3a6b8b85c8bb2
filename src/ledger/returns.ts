// Returns: when a month is reopened, its late entries return to it. Entries are only added, so each chain is reversed, from
// its end to its first late entry, in the period where it counts, and posted again in its original period, in order.
import { strict as assert } from 'node:assert';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { chainsOf, post } from './entries.ts';
import { entryId } from './entry-id.ts';
import type { Entry } from './posting.ts';

/** Whose late entries: those of records, which the loader enters, or those of people, which the approver does. */
type EntryOrigin = 'records' | 'people';

/** `settled`: what went back before, and what undid it, which cancel out. */
type Chain = {
  readonly entries: readonly Entry[];
  readonly late: ReadonlySet<string>;
  readonly settled: ReadonlySet<string>;
  readonly at: string;
};

type Return = { readonly late: Entry; readonly undone: Entry; readonly redone: Entry };

/** Returns an entity's late entries to their open months. Gives the number of entries; a second call finds none. */
export const returnLate = (
  db: Kysely<DB>,
  { entity, whose }: { readonly entity: string; readonly whose: EntryOrigin },
): Promise<number> =>
  db.transaction().execute(async (tx) => {
    const chains = await lateChains(tx, entity, whose);
    const moves = chains.map(returnedEntry);
    await post(
      tx,
      moves.flatMap(({ entries }) => entries),
    );
    await store(
      tx,
      moves.flatMap((move) => move.returns),
    );
    return chains.reduce((many, { late }) => many + late.size, 0);
  });

type LateRow = { stream: string; record_id: string; ids: string[]; settled: string[]; reopened_at: string };

const lateChains = async (tx: Kysely<DB>, entity: string, whose: EntryOrigin): Promise<Chain[]> => {
  const { rows } = await sql<LateRow>`
    select e.stream, e.record_id, array_agg(e.entry_id::text) as ids, max(o.reopened_at) as reopened_at, array(
        select unnest(array[k.entry_id, k.undone_by])::text
        from ledger.entries n join ledger.returns k using (entity_id, entry_id)
        where (n.entity_id, n.stream, n.record_id) = (${entity}, e.stream, e.record_id)
      ) as settled
    from ledger.entries e
    join lateral (
      select max(r.at) as reopened_at from decide.reopenings r where (r.entity_id, r.period) = (e.entity_id, e.original_period)
    ) as o on o.reopened_at is not null
    where e.entity_id = ${entity} and e.original_period is not null and (e.stream = 'manual') = ${whose === 'people'}
      and e.original_period > coalesce((select c.through from books_internal.closed_through c where c.entity_id = e.entity_id), '')
      and not exists (select from ledger.returns k where (k.entity_id, k.entry_id) = (e.entity_id, e.entry_id))
      and not exists (select from ledger.returns k where (k.entity_id, k.undone_by) = (e.entity_id, e.entry_id))
    group by e.stream, e.record_id
    order by e.stream, e.record_id`.execute(tx);
  const chains = await chainsOf(tx, { entity, keys: rows });
  return rows.map(({ stream, record_id, ids, settled, reopened_at }) => ({
    entries: chains.get(JSON.stringify([stream, record_id])) ?? [],
    late: new Set(ids),
    settled: new Set(settled),
    at: reopened_at,
  }));
};

type ReturnedEntries = { readonly entries: readonly Entry[]; readonly returns: readonly Return[] };

/** The entries to post so that the late entries of a chain count in their original period. */
const returnedEntry = ({ entries: chain, late, settled, at: reopenedAt }: Chain): ReturnedEntries => {
  const tail = chain.slice(chain.findIndex(({ id }) => late.has(id))).filter(({ id }) => !settled.has(id));
  const last = chain.at(-1);
  assert(last);
  const posted: Entry[] = [];
  const redoneAs = new Map<string, string>();
  let standing = last.kind === 'reversal' ? null : last;
  const add = (like: Entry, isPosting: boolean, place: Pick<Entry, 'period' | 'originalPeriod'>): Entry => {
    const ordinal = last.ordinal + posted.length + 1;
    const { entity, stream, recordId, effectiveAt } = like;
    const id = entryId(effectiveAt, { entity, stream, recordId, ordinal });
    const entry = {
      ...like,
      ...place,
      id,
      ordinal,
      recordedAt: reopenedAt,
      ...sideOf(like, isPosting, chain),
    };
    const undoes =
      like.kind === 'reversal' ? like.id : like.undoes && (redoneAs.get(like.undoes) ?? like.undoes);
    const next = isPosting
      ? { ...entry, reverses: null, undoes }
      : { ...entry, reverses: standing?.id ?? null, undoes: null };
    standing = isPosting ? next : null;
    posted.push(next);
    return next;
  };
  const undone = tail
    .toReversed()
    .map((entry) => [entry.id, add(entry, entry.kind === 'reversal', entry)] as const);
  const undoings = new Map(undone);
  const returns = tail.map((entry) => {
    const isLate = late.has(entry.id);
    const place = isLate ? { period: entry.originalPeriod ?? '', originalPeriod: null } : entry;
    const redone = add(entry, entry.kind !== 'reversal', {
      period: place.period,
      originalPeriod: place.originalPeriod,
    });
    redoneAs.set(entry.id, redone.id);
    const undoing = undoings.get(entry.id);
    assert(undoing);
    return { late: entry, undone: undoing, redone };
  });
  return { entries: posted, returns };
};

/** Kind, legs and description of an entry: equal to another's, or opposite. */
const sideOf = (
  like: Entry,
  isPosting: boolean,
  chain: readonly Entry[],
): Pick<Entry, 'kind' | 'legs' | 'description'> => {
  const { kind, description } = like;
  if (isPosting === (kind !== 'reversal')) return { kind, legs: like.legs, description };
  const legs = like.legs.map((leg) => ({ ...leg, debit: leg.credit, credit: leg.debit }));
  if (!isPosting) return { kind: 'reversal', legs, description: `reversal of ${description}` };
  const original = chain.find(({ id }) => id === like.reverses);
  assert(original, `${like.id} reverses an entry that is not in its chain`);
  return { kind: original.kind, legs, description: original.description };
};

const store = async (tx: Kysely<DB>, returns: readonly Return[]): Promise<void> => {
  if (returns.length === 0) return;
  await tx
    .insertInto('ledger.returns')
    .values(
      returns.map(({ late, undone, redone }) => ({
        entity_id: late.entity,
        entry_id: late.id,
        undone_by: undone.id,
        redone_as: redone.id,
        period: redone.period,
        at: redone.recordedAt,
      })),
    )
    .execute();
};
