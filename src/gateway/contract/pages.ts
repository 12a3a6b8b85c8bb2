// Pages: the part of an answer's shape that the client needs to distinguish records. Everything else is stored as received.
import { z } from 'zod';
import { ID_MAX } from '../../base/key-text.ts';
import { readAmount } from '../../base/money.ts';
import { ownValue } from '../../base/own-value.ts';

/** A row as sent, with its unknown fields; numbers are text. */
export type WireRow = { readonly [field: string]: unknown };

/** An object as received: one of the parser's own is a copy, which leaves out a field called `__proto__`. */
const object = z.custom<WireRow>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'Invalid input: expected object',
);

/** A longer id is refused: an index could not hold it. */
const identifier = z.string().min(1).max(ID_MAX);

/**
 * Lenient reading (client): only what distinguishes records, the id under the first of these names that a row has; everything else is
 * stored as received.
 */
const record = (...ids: readonly string[]) =>
  object.superRefine((row, context) => {
    const name = ids.find((id) => (ownValue(row, id) ?? null) !== null) ?? ids[0] ?? '';
    for (const { message } of identifier.safeParse(ownValue(row, name)).error?.issues ?? [])
      context.addIssue({ code: 'custom', message, path: [name] });
  });

/** A count of records, in any form of a number (`3`, `3.0`, `3e0`): parsed JSON holds numbers as their text. */
const count = z
  .string()
  .transform((sent) => {
    const read = readAmount(sent);
    return 'amount' in read ? read.amount : sent;
  })
  .pipe(z.string().regex(/^\d{1,9}$/, 'Invalid input: expected a count of records'))
  .transform((digits) => Number.parseInt(digits, 10));

/**
 * `{ total, data }` or `{ count, data }`; a page with neither is refused, never read as 0. If both are given, the larger one counts: `count` may
 * be that of the page, and a list that is shorter than either of them is not complete.
 */
export const counted = (...ids: readonly [string, ...string[]]) =>
  z
    .looseObject({ total: count.nullish(), count: count.nullish(), data: z.array(record(...ids)) })
    .transform((page, context) => {
      if ((page.total ?? page.count ?? null) === null)
        context.addIssue({ code: 'custom', message: 'neither total nor count' });
      return { rows: page.data, total: Math.max(page.total ?? 0, page.count ?? 0) };
    });

export const bare = (id: string) => z.array(record(id)).transform((rows) => ({ rows }));

/** Cursor pages end at hasNextPage false or a null endCursor. */
export const cursored = (id: string) =>
  z
    .looseObject({
      data: z.array(record(id)),
      pageInfo: z.looseObject({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    })
    .transform((page) => ({
      rows: page.data,
      next: page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null,
      hasNextPage: page.pageInfo.hasNextPage,
    }));

/**
 * One wallet transaction requested alone; none if the answer has no id and status, which proves nothing about it, or calls it
 * completed without saying when, or between whom: as a version of its own it would hide what the list says.
 */
export const single = object.transform((row) => {
  const isWhole =
    record('id').safeParse(row).success && typeof row.status === 'string' && hasTimeAndSide(row);
  return { rows: isWhole ? [row] : [] };
});

/** Whether a completed transaction has its time and a side; null is a value here, and a missing member is not. */
const hasTimeAndSide = ({ status, completedAt, origin, destination }: WireRow): boolean =>
  status !== 'completed' || (completedAt !== undefined && (origin ?? destination ?? null) !== null);

/** The id of an Earn wallet, under either of its names (Earn). */
export const earnWalletId = ({ walletId, id }: WireRow): string => String(walletId ?? id);

/** An answer that is one record. */
export const one = object.transform((row) => ({ rows: [row] }));
