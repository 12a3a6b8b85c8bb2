// The front door of the verify room: what the books rest on, recomputed from its rows alone. Nothing here writes, and
// nothing that it imports does.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Books } from '../normalize/decide.ts';
import type { Rules } from '../normalize/rules.ts';
import { proveInbox } from './ledger/inbox.ts';
import { proveLinks } from './ledger/links.ts';
import { proveOlderRules } from './ledger/older-rules.ts';
import { proveEntries } from './ledger/replay.ts';
import { proveTwoPeople } from './ledger/two-people.ts';
import type { Proof } from './proof.ts';

export { proveCatalogue } from './ledger/catalogue.ts';
export { proveLinks } from './ledger/links.ts';
export type { Proof } from './proof.ts';
export { headsIn, proveHeads, sealText } from './seal-file.ts';

/** How books are cut that have no entry yet; `rules` are those of the program. */
export type Settings = Pick<Books, 'timezone' | 'currency' | 'platformClass'> & { readonly rules?: Rules };

/** Everything that the booking rules made, made again and compared; and every row that a run linked. */
export const verifyRows = async (db: Kysely<DB>, settings: Settings): Promise<Proof[]> => {
  const replay = { books: await booksOf(db, settings), ...(settings.rules ? { rules: settings.rules } : {}) };
  const entries = await proveEntries(db, replay);
  if (entries.first?.endsWith('is no JSON')) return [entries]; // nothing that reads payloads can be asked
  return [
    entries,
    await proveOlderRules(db, settings.rules),
    await proveInbox(db),
    await proveTwoPeople(db),
    await proveLinks(db),
  ];
};

/** Every entity that has rows, whether or not it is still listed. */
const booksOf = async (
  db: Kysely<DB>,
  { timezone, currency, platformClass = null }: Settings,
): Promise<Books[]> => {
  const { rows } = await sql<Books>`
    select entity_id as entity, coalesce(e.timezone, ${timezone}) as timezone, coalesce(e.currency, ${currency}) as currency
    from run.entities e
    full join (select distinct entity_id from land.coverage) as covered using (entity_id)
    order by entity_id collate "C"`.execute(db);
  return rows.map((row) => ({ ...row, platformClass }));
};
