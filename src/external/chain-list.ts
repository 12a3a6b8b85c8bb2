// Lists of one address: each new one begins within the last, and has all of its transactions since; so nothing between them is missing.
import { sql, type Transaction } from 'kysely';
import { groupBy } from '../base/group.ts';
import { compare } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import type { ExternalLine, ExternalStatement, RefuseFile } from './statement.ts';
import { storedPlace } from './store.ts';

type List = { readonly entity: string; readonly account: string; readonly list: ExternalStatement };

/** The list with its new transactions alone; none if the list says nothing new. */
export const newTransactions = async (
  tx: Transaction<DB>,
  { entity, account, list }: List,
  refuse: RefuseFile,
): Promise<ExternalStatement[]> => {
  const { last } = await storedPlace(tx, { entity, account });
  if (last === null) return [list];
  const known = await knownSince(tx, { entity, account, list });
  if (known.length === 0)
    refuse(
      null,
      `begins after the last transaction that is imported, of ${last.endsOn} or before: export from that day on, so that the two lists overlap`,
    );
  const fresh = withoutKnown(list.lines, known, refuse);
  if (fresh.length === 0 && list.endsOn <= last.endsOn) return [];
  const first = fresh[0]?.bookedOn ?? last.endsOn;
  return [{ ...list, startsOn: first < list.endsOn ? first : list.endsOn, lines: fresh }];
};

type KnownLine = { readonly hash: string; readonly amount: string; readonly happened_at: string };

/** The stored transactions from the first instant of the list on. */
const knownSince = async (tx: Transaction<DB>, { entity, account, list }: List): Promise<KnownLine[]> => {
  const { rows } = await sql<KnownLine>`
    select hash, trim_scale(amount)::text as amount, happened_at
    from books_internal.external_marks
    where entity_id = ${entity} and account_name = ${account} and happened_at >= ${list.lines[0]?.happenedAt ?? null}::timestamptz
    order by line_number`.execute(tx);
  return rows;
};

/** Every known transaction must be there again, as it was: a chain does not change. */
const withoutKnown = (
  lines: readonly ExternalLine[],
  known: readonly KnownLine[],
  refuse: RefuseFile,
): ExternalLine[] => {
  const left = groupBy(lines, ({ hash }) => hash);
  for (const { hash, amount, happened_at } of known) {
    const same = left.get(hash) ?? [];
    const place = same.findIndex((line) => compare(line.amount, amount) === 0);
    if (place < 0 && same[0])
      refuse(
        same[0].fileLine,
        `transaction ${hash} moves ${same[0].amount}, and was imported with ${amount}: export the list again`,
      );
    if (place < 0)
      refuse(
        null,
        `lacks transaction ${hash} of ${happened_at}, which is imported: export the whole list from its day on`,
      );
    same.splice(place, 1);
  }
  const fresh = new Set([...left.values()].flat());
  return lines.filter((line) => fresh.has(line));
};
