// Pages: the part of an answer's shape that the client needs to distinguish records. Everything else is stored as received.
import { z } from 'zod';

/** A row as sent, with its unknown fields; numbers are text. */
export type WireRow = { readonly [field: string]: unknown };

/** Lenient reading (client): only the fields that distinguish records; everything else is stored as received. */
const record = (id: string) => z.looseObject({ [id]: z.string().min(1).max(ID_MAX) });

/** A record with its id under the first of these names that it has. */
const recordBy = (ids: readonly string[]) =>
  z.union(ids.map((id) => record(id)) as [ReturnType<typeof record>, ...ReturnType<typeof record>[]]);

/** A longer id is refused: an index could not hold it. */
const ID_MAX = 512;

/** A count of records: parsed JSON holds numbers as their text. */
const count = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform((digits) => Number.parseInt(digits, 10));

/** `{ total, data }` or `{ count, data }`; a page with neither is refused, never read as 0. */
export const counted = (...ids: readonly [string, ...string[]]) =>
  z
    .looseObject({ total: count.nullish(), count: count.nullish(), data: z.array(recordBy(ids)) })
    .transform((page, context) => {
      const total = page.total ?? page.count ?? null;
      if (total === null) context.addIssue({ code: 'custom', message: 'neither total nor count' });
      return { rows: page.data as WireRow[], total: total ?? 0 };
    });

export const bare = (id: string) => z.array(record(id)).transform((rows) => ({ rows: rows as WireRow[] }));

/** Cursor pages end at hasNextPage false or a null endCursor. */
export const cursored = (id: string) =>
  z
    .looseObject({
      data: z.array(record(id)),
      pageInfo: z.looseObject({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    })
    .transform((page) => ({
      rows: page.data as WireRow[],
      next: page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null,
      hasNextPage: page.pageInfo.hasNextPage,
    }));

/**
 * One wallet transaction requested alone; none if the answer has no id and status, which proves nothing about it, or calls it
 * completed without saying when, or between whom: as a version of its own it would hide what the list says.
 */
export const single = z.looseObject({}).transform((body) => {
  const row = record('id').extend({ status: z.string() }).safeParse(body);
  return { rows: row.success && hasTimeAndSide(row.data) ? [row.data as WireRow] : [] };
});

/** Whether a completed transaction has its time and a side; null is a value here, and a missing member is not. */
const hasTimeAndSide = ({ status, completedAt, origin, destination }: WireRow): boolean =>
  status !== 'completed' || (completedAt !== undefined && (origin ?? destination ?? null) !== null);

/** The id of an Earn wallet, under either of its names (Earn). */
export const earnWalletId = ({ walletId, id }: WireRow): string => String(walletId ?? id);

/** An answer that is one record. */
export const one = z.looseObject({}).transform((body) => ({ rows: [body as WireRow] }));
