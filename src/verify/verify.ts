// The public module of the verify room: recomputes from rows alone everything that the books rest on. Nothing here writes,
// and nothing that it imports does.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { EntityBooks } from '../normalize/booking.ts';
import type { Rules } from '../normalize/rule-table.ts';
import { proveInbox } from './ledger/inbox.ts';
import { proveLinks } from './ledger/links.ts';
import { proveOlderRules } from './ledger/older-rules.ts';
import { proveEntries } from './ledger/replay.ts';
import { proveTwoPeople } from './ledger/two-people.ts';
import type { Proof } from './proof.ts';

export { verifyCoverage } from './coverage/coverage.ts';
export { proveCatalogue } from './ledger/catalogue.ts';
export { verifyLedger } from './ledger/ledger.ts';
export { proveLinks } from './ledger/links.ts';
export { provePersonalFields } from './ledger/personal-fields.ts';
export { isExamined, type Proof } from './proof.ts';
export { verifyAgainstBooks } from './report/books.ts';
export { verifyLakeAgainstBooks } from './report/lake-books.ts';
export { hasBooks, verifyFolder } from './report/report.ts';
export { headsIn, proveHeads, sealText } from './seal-file.ts';
export { verifySealedValues, verifySeals } from './seals/seals.ts';

/** Settings of books that store none yet, before their first entry; `rules` default to the program's. */
type VerifySettings = Pick<EntityBooks, 'timezone' | 'currency' | 'platformClass'> & {
  readonly rules?: Rules;
};

/** Replays everything that the booking rules made, and recomputes every link of a run. */
export const verifyRows = async (db: Kysely<DB>, settings: VerifySettings): Promise<Proof[]> => {
  const replay = { books: await booksOf(db, settings), ...(settings.rules ? { rules: settings.rules } : {}) };
  const entries = await proveEntries(db, replay);
  if (entries.first?.endsWith('is not JSON')) return [entries]; // the other proofs would fail on the payload
  return [
    entries,
    await proveOlderRules(db, settings.rules),
    await proveInbox(db),
    await proveTwoPeople(db),
    await proveLinks(db),
  ];
};

/** Every entity with rows, still listed or not. */
const booksOf = async (
  db: Kysely<DB>,
  { timezone, currency, platformClass = null }: VerifySettings,
): Promise<EntityBooks[]> => {
  const { rows } = await sql<EntityBooks>`
    select entity_id as entity, coalesce(e.timezone, ${timezone}) as timezone, coalesce(e.currency, ${currency}) as currency,
      coalesce(e.platform_class, ${platformClass}) as "platformClass"
    from run.entities e
    full join (select distinct entity_id from land.coverage) as covered using (entity_id)
    order by entity_id collate "C"`.execute(db);
  return rows;
};
