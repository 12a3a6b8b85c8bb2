// Counting: which entries are valued, and which of them come first where they count. As text of the cursor over a taxpayer's entries.
import { type RawBuilder, sql } from 'kysely';
import type { Range } from './range.ts';

export const monthStart = (month: RawBuilder<unknown>, timezone: string): RawBuilder<unknown> =>
  sql`(${month} || '-01')::timestamp at time zone ${sql.lit(timezone)}`;

/** The accounts of the other side of a transfer between our own. */
export const ABROAD = sql`'{equity:external:person,equity:external:blockchain}'::text[]`;

/**
 * The entry of its record that stands in place of what an entry `e` reverses late, if it counts where `e` does: the two are valued
 * together. Not one side of a transfer between our own, which waits for the other.
 */
export const correction = (start: RawBuilder<unknown>) =>
  sql`select n.entry_id
      from books.entries n
      where e.reverses is not null and (n.entity_id, n.stream, n.record_id) = (e.entity_id, e.stream, e.record_id) and n.ordinal > e.ordinal
        and n.reverses is null and greatest(n.posted_at, ${start}) = greatest(e.posted_at, ${start})
        and (n.entity_id, n.entry_id) not in (
          select entity_id, entry_id from undone union all select entity_id, reverses from undone
        )
        and not exists (
          select from books.own_transfers o
          where (n.entity_id, n.entry_id) in ((o.from_entity, o.from_entry_id), (o.to_entity, o.to_entry_id)) and o.stands
        )
      order by n.ordinal limit 1`;

/** What an earlier open month received and one from `from` on sent, which is on time: it is valued with what was sent. */
export const waitingEntries = ({ taxpayer: { entities, closed }, from, timezone }: Range) =>
  sql`waiting as materialized (
      select o.to_entity as entity_id, o.to_entry_id as entry_id
      from books.own_transfers o
      join ledger.entries s on (s.entity_id, s.entry_id) = (o.from_entity, o.from_entry_id)
      join ledger.entries a on (a.entity_id, a.entry_id) = (o.to_entity, o.to_entry_id)
      where o.from_entity = any(${sql.lit(arrayText(entities))}::text[]) and o.to_entity = any(${sql.lit(arrayText(entities))}::text[])
        and o.from_entry_id >= books_internal.first_entry_id(${monthStart(sql.lit(from || '1970-02'), timezone)} - interval '2 days')
        and s.period >= ${sql.lit(from)} and a.period < ${sql.lit(from)} and a.period > ${sql.lit(closed)} and o.stands
    )`;

type UndoneRange = Pick<Range, 'taxpayer' | 'from' | 'isLate'> & { readonly start: RawBuilder<unknown> };

/**
 * The pairs of entries without values: a reversal and what it reverses, if both count at one time. What a reopening returned is undone
 * by an entry that counts where it does: they are a pair too, and what undid a late reversal stands for the entry that this reversed
 * (`restored`).
 */
export const undoneEntries = ({ taxpayer, from, start, isLate }: UndoneRange) => {
  const entities = sql`any(${sql.lit(arrayText(taxpayer.entities))}::text[])`;
  return sql`returned as materialized (
      select k.entity_id, k.entry_id, k.undone_by, l.reverses
      from ledger.returns k
      join ledger.entries l on (l.entity_id, l.entry_id) = (k.entity_id, k.entry_id)
      where k.entity_id = ${entities} and l.reverses is not null
    ), followed as (
      select entity_id, undone_by, reverses, 1 as steps from returned
      union all
      select f.entity_id, f.undone_by, r.reverses, f.steps + 1
      from followed f
      join returned r on (r.entity_id, r.undone_by) = (f.entity_id, f.reverses)
    ), restored as materialized (
      select distinct on (entity_id, undone_by) entity_id, undone_by, reverses from followed order by entity_id, undone_by, steps desc
    ), reversed as (
      select r.entity_id, r.entry_id, r.posted_at, coalesce(u.reverses, r.reverses) as reverses
      from books.entries r
      left join restored u on (u.entity_id, u.undone_by) = (r.entity_id, r.reverses)
      where r.entity_id = ${entities} and r.reverses is not null ${isLate ? sql`` : sql`and r.period >= ${sql.lit(from)}`}
    ), undone as materialized (
      select r.entity_id, r.entry_id, r.reverses
      from reversed r
      where greatest(r.posted_at, ${start}) = (
          select greatest(o.posted_at, ${start}) from books.entries o where (o.entity_id, o.entry_id) = (r.entity_id, r.reverses)
        )
        and not exists (
          select from value.postings v where (v.entity_id, v.entry_id) = (r.entity_id, r.reverses)
        )
      union all
      select k.entity_id, k.entry_id, k.undone_by
      from returned k
      where not exists (select from value.postings v where (v.entity_id, v.entry_id) = (k.entity_id, k.entry_id))
    )`;
};

/** A text array literal, because a declared cursor takes no parameters. */
export const arrayText = (texts: readonly string[]): string =>
  `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
