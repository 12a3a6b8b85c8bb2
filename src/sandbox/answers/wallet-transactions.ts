// The list of wallet transactions behind its opaque cursor, and one wallet transaction by its id.
import type { Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import type { Listed } from '../world.ts';

const LIMIT = 20;

/** Newest first by date. The cursor encodes the last record of its page, so that new records do not shift the walk. */
export const walletTransactions = ({ world, entity, query }: Question): SandboxAnswer => {
  const after = query.cursor === undefined ? null : placeOf(String(query.cursor));
  if (after !== null && 'statusCode' in after) return after;
  const rows = world
    .rows(entity.entityId, 'wallet-transactions')
    .filter((row) => (after === null || older(row, after)) && wanted(row.body, query))
    .toReversed();
  const page = rows.slice(0, typeof query.limit === 'number' ? query.limit : LIMIT);
  const [hasNextPage, last] = [rows.length > page.length, page.at(-1)];
  const endCursor = hasNextPage && last ? cursorOf(last) : null;
  return { data: { data: page.map(({ body }) => body), pageInfo: { hasNextPage, endCursor } } };
};

/** More fields than the list's row, with the same meaning. */
export const walletTransaction = ({ world, entity, params }: Question): SandboxAnswer => {
  const row = world.rows(entity.entityId, 'wallet-transactions').find(({ id }) => id === params.id);
  return row === undefined ? refusal(404, 'Transaction not found') : { data: { ...row.body, ...row.detail } };
};

type ListPlace = { readonly at: number; readonly id: string };

const older = (row: Listed, { at: instant, id }: ListPlace): boolean =>
  row.at < instant || (row.at === instant && row.id < id);

const cursorOf = ({ at: instant, id }: Listed): string => Buffer.from(`${instant}/${id}`).toString('base64');

const placeOf = (cursor: string): ListPlace | Refusal => {
  const plain = Buffer.from(cursor, 'base64').toString('utf8');
  const [, instant, id] = /^(\d{1,15})\/([0-9a-f-]{36})$/.exec(plain) ?? [];
  return instant && id ? { at: Number.parseInt(instant, 10), id } : refusal(400, 'Invalid cursor');
};

const wanted = (body: WireObject, { currency, year, operation, tellerId }: Question['query']): boolean =>
  (currency === undefined || [body.origin, body.destination].some((side) => currencyOf(side) === currency)) &&
  (year === undefined || String(body.date).startsWith(`${year}-`)) &&
  (operation === undefined || body.type === operation || body.subtype === operation) &&
  tellerId === undefined;

const currencyOf = (side: unknown): unknown =>
  typeof side === 'object' && side !== null && 'currency' in side ? side.currency : undefined;
