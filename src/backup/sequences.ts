// The sequences of restored books: each gets the value of the dump, and must not be behind the column that takes its values.
import type { Session } from '../database/client.ts';
import { loadSql } from '../database/database.ts';
import { type DumpManifest, damaged } from './dump-text.ts';
import { BOOK_SCHEMAS } from './tables.ts';

type Sequence = { readonly name: string; readonly table_name: string; readonly column_name: string };

/**
 * Sets every sequence of the books within the transaction that filled the tables. Throws a FailedError if the manifest
 * names another sequence, or a value below the greatest one of its column, which the next insert would meet again.
 */
export const restoreSequences = async (session: Session, manifest: DumpManifest): Promise<void> => {
  const { rows } = await session.query<Sequence>(loadSql('backup/sequences.sql', { schemas: BOOK_SCHEMAS }));
  const values = new Map(manifest.sequences.map(({ name, last_value }) => [name, last_value]));
  for (const sequence of rows) {
    await setSequence(session, sequence, values.get(sequence.name));
    values.delete(sequence.name);
  }
  const [unknown] = values.keys();
  if (unknown !== undefined) throw damaged(`it sets ${unknown}, which is no sequence of the books`);
};

/** Without a value a sequence begins again. A restart, unlike `setval` alone, ends with the transaction that is rolled back. */
const setSequence = async (
  session: Session,
  { name, table_name, column_name }: Sequence,
  value: string | undefined,
): Promise<void> => {
  await session.query(`alter sequence ${name} restart`);
  if (value !== undefined) await session.query('select setval($1::regclass, $2::bigint)', [name, value]);
  const { rows } = await session.query<{ greatest: string | null; is_behind: boolean | null }>(
    `select g.greatest::text, g.greatest > case when s.is_called then s.last_value else 0 end as is_behind
     from ${name} s cross join (select max(${column_name}) as greatest from ${table_name}) g`,
  );
  if (rows[0]?.is_behind)
    throw damaged(
      `its sequence ${name} is behind ${table_name}.${column_name}, which has ${rows[0].greatest}`,
    );
};
