// The file of seals, to be stored where the owner of the database cannot write: the head of every chain, of every list's
// certificate and of every closed month. Later books must still contain each of them; more may follow.
import { type Kysely, sql } from 'kysely';
import { canonical, parseExact } from '../base/json.ts';
import type { DB } from '../database/db-types.ts';
import { type Proof, proofOf } from './proof.ts';

/** The format version of the file, stored under `tieout_seals`. */
const FORM = '1';

/** The head of a chain: its place and its hash. Every value is text. */
type Head = { readonly kind: string; readonly of: string; readonly place: string; readonly hash: string };

/** A query for today's heads; with `all`, for every place that was ever a head. */
const headsQuery = (all: boolean): string => `
  select 'links' as kind, concat_ws(' ', table_name, nullif(part, ''), nullif(entity_id, '')) as "of",
    link_number::text as place, link as hash
  from (select l.*, lead(link) over (partition by entity_id, table_name, part order by link_number) as later from run.links l) as l
  ${all ? '' : 'where later is null'}
  union all
  select 'pages', concat_ws(' ', stream, nullif(scope, ''), entity_id), request_id::text, seal
  from (select p.*, lead(seal) over (partition by entity_id, stream, scope order by request_id) as later from land.pages p) as p
  ${all ? '' : 'where later is null'}
  union all
  select 'intervals', concat_ws(' ', stream, nullif(scope, ''), entity_id), leaf_id::text, seal
  from (select p.*, lead(seal) over (partition by entity_id, stream, scope order by leaf_id) as later from land.leaves p) as p
  ${all ? '' : 'where later is null'}
  union all
  select 'months', concat_ws(' ', period, entity_id), seal_number::text, encode(sha256(convert_to(seal, 'UTF8')), 'hex')
  from decide.seals`;

/** The file's text: canonical JSON of all heads, in a fixed order. */
export const sealText = async (db: Kysely<DB>): Promise<string> => {
  const { rows } = await sql
    .raw<Head>(
      `select * from (${headsQuery(false)}) as heads order by kind collate "C", "of" collate "C", place collate "C"`,
    )
    .execute(db);
  return `${canonical({ heads: rows, tieout_seals: FORM })}\n`;
};

/** The heads in a file; a sentence if it is not a file of seals. */
export const headsIn = (text: string): readonly Head[] | string => {
  try {
    const { tieout_seals: form, heads } = parseExact(text) as Record<string, unknown>;
    if (form !== FORM || !Array.isArray(heads) || !heads.every(isHead)) return 'is no file of seals';
    return canonical({ heads, tieout_seals: form }) === text.trimEnd()
      ? heads
      : 'is not as verify --seal wrote it';
  } catch {
    return 'is no file of seals';
  }
};

const isHead = (value: unknown): value is Head =>
  typeof value === 'object' &&
  value !== null &&
  ['kind', 'of', 'place', 'hash'].every(
    (name) => typeof (value as Record<string, unknown>)[name] === 'string',
  );

/** Proves that each head of a file is still in its chain. Other proofs cover the chains themselves. */
export const proveHeads = async (db: Kysely<DB>, heads: readonly Head[]): Promise<Proof> => {
  const proof = proofOf('what was sealed still follows');
  const { rows } = await sql<Head & { readonly now: string | null }>`
    select h.kind, h.of, h.place, h.hash, a.hash as now
    from jsonb_to_recordset(${JSON.stringify(heads)}::jsonb) as h (kind text, of text, place text, hash text)
    left join (${sql.raw(headsQuery(true))}) as a using (kind, of, place)
    order by h.kind, h.of`.execute(db);
  for (const { kind, of: chain, place, hash, now } of rows)
    proof.check(
      now === hash
        ? null
        : `${kind} of ${chain}: ${now === null ? `${place} is gone` : `${place} was altered`}`,
    );
  return proof.done();
};
