// Taxpayers: whose lots are one, in which currency they report, and by which method they count. The one place that asks
// who somebody is: books.profiles and books.outside, where the books have them.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import type { Nature } from './event.ts';
import type { Method } from './pool.ts';

export type Taxpayer = {
  readonly name: string;
  readonly entities: readonly string[];
  readonly currency: string;
  readonly method: Method;
  /** The last month that is closed for one of the entities: it stays as it was derived. Empty where none is. */
  readonly closed: string;
};

type Row = {
  taxpayer: string;
  entities: string[];
  currency: string;
  method: string;
  closed: string | null;
  kept: string | null;
};

const has = async (db: Kysely<DB>, view: string): Promise<boolean> => {
  const { rows } = await sql<{ has: boolean }>`select to_regclass(${view}) is not null as has`.execute(db);
  return rows[0]?.has ?? false;
};

/** Every taxpayer of the books. The method of a month that is closed stays, whatever is set since. Without profiles each entity is its own, reports in its books' currency, and counts FIFO. */
export const taxpayers = async (db: Kysely<DB>, currency: string): Promise<Taxpayer[]> => {
  const profiles = (await has(db, 'books.profiles'))
    ? sql`(select entity_id, taxpayer, currency, cost_method from books.profiles)`
    : sql`(select entity_id, entity_id as taxpayer, currency, 'fifo' as cost_method from run.entities)`;
  const { rows } = await sql<Row>`
    with payer as (
      select coalesce(p.taxpayer, p.entity_id) as taxpayer, array_agg(p.entity_id order by p.entity_id collate "C") as entities,
        coalesce(min(p.currency), ${currency}) as currency, min(p.cost_method) as method, max(c.through) as closed
      from ${profiles} as p
      left join books.closed_through c using (entity_id)
      group by 1
    )
    select payer.*, (
      select l.method from value.lots l where l.taxpayer = payer.taxpayer and l.period <= payer.closed limit 1
    ) as kept
    from payer
    order by taxpayer collate "C"`.execute(db);
  return rows.map(({ taxpayer: name, entities, currency: reporting, method, closed, kept }) => ({
    ...{ name, entities, currency: reporting, closed: closed ?? '' },
    method: (kept ?? method) === 'average' ? 'average' : 'fifo',
  }));
};

type Told = { entity_id: string; entry_id: string; leg: number; nature: Nature; whose: string[] };

/** By entry and leg who is at the other end; of an own entity that is another taxpayer's, a third party. */
export const naturesOf = async (
  db: Kysely<DB>,
  { entities }: Pick<Taxpayer, 'entities'>,
  entryIds: readonly string[],
): Promise<Map<string, Map<number, Nature>>> => {
  const isKnown = await has(db, 'books.outside');
  const { rows } = await sql<Told>`
    select entity_id, entry_id, leg, nature, ${isKnown ? NAMED : sql`'{}'::text[]`} as whose
    from ${isKnown ? sql`books.outside` : FALLBACK} as o
    where entity_id = any(${entities}::text[]) and entry_id = any(${entryIds}::uuid[])`.execute(db);
  const known = new Map<string, Map<number, Nature>>();
  for (const { entity_id, entry_id, leg, nature, whose } of rows) {
    const isStrange =
      nature === 'own-entity' && whose.length > 0 && !whose.some((it) => entities.includes(it));
    const of = known.get(`${entity_id} ${entry_id}`) ?? new Map<number, Nature>();
    known.set(`${entity_id} ${entry_id}`, of.set(leg, isStrange ? 'third-party' : nature));
  }
  return known;
};

/** The entities that a counterparty's name may be of. */
const NAMED = sql`array(
  select k.entity_id from books.profiles k where o.counterparty in (k.entity_id, k.legal_name)
)`;

/** What the account alone says. */
const FALLBACK = sql`(
  select t.entity_id, t.entry_id, t.leg,
    case when 'equity:external:platform' in (t.debit, t.credit) then 'platform' else 'unknown' end as nature
  from ledger.transfers t
)`;

/** By entity and month a mark of what is said of its outside legs: another mark, other values. */
export const natureMarks = async (
  db: Kysely<DB>,
  { entities }: Pick<Taxpayer, 'entities'>,
): Promise<Map<string, string>> => {
  if (!(await has(db, 'books.outside'))) return new Map();
  const { rows } = await sql<{ entity_id: string; period: string; mark: string }>`
    select entity_id, period, md5(string_agg(concat_ws(' ', entry_id, leg, nature, counterparty), ',' order by entry_id, leg)) as mark
    from ${sql`books.outside`} where entity_id = any(${entities}::text[]) group by 1, 2`.execute(db);
  return new Map(rows.map(({ entity_id, period, mark }) => [`${entity_id} ${period}`, mark]));
};
