// The list of wallet transactions behind its opaque cursor, and one wallet transaction by its id.
import type { Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import type { Listed } from '../world.ts';
import { wholeFrom, within } from './query-values.ts';

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

/** By offset, newest first, with the total. */
const byOffset = ({ query }: Question, rows: readonly Listed[]): SandboxAnswer => {
  const offset = wholeFrom(query.offset, 0);
  const page = rows.toReversed().slice(offset, offset + wholeFrom(query.limit, LIMIT));
  return { data: { total: rows.length, data: page.map(({ body }) => body) } };
};

const FILTERS_V1 = ['type', 'subtype', 'method'];

export const walletTransactionsV1 = (question: Question): SandboxAnswer => {
  const { world, entity, query } = question;
  const isWithin = within(query.from, query.to);
  const rows = world
    .rows(entity.entityId, 'wallet-transactions')
    .filter(({ at: instant }) => isWithin(instant))
    .filter(({ body }) =>
      FILTERS_V1.every((field) => query[field] === undefined || body[field] === query[field]),
    )
    .filter(({ body }) => query.pocketId === undefined || pocketsIn(body).includes(String(query.pocketId)))
    .filter(({ body }) => hasKeyword(body, String(query.keyword ?? '')));
  return byOffset(question, rows);
};

const sidesOf = ({ origin, destination }: WireObject): WireObject[] =>
  [origin, destination].filter((side): side is WireObject => typeof side === 'object' && side !== null);

const pocketsIn = (body: WireObject): string[] => sidesOf(body).map(({ pocketId }) => String(pocketId));

const hasKeyword = (body: WireObject, keyword: string): boolean =>
  [body.note, body.concept, ...sidesOf(body).map(({ currency }) => currency)].some((text) =>
    String(text).toLowerCase().includes(keyword.toLowerCase()),
  );

export const walletTransactionsV2 = (question: Question): SandboxAnswer => {
  const { world, entity, query } = question;
  const rows = world.rows(entity.entityId, 'wallet-transactions').filter(({ body }) => wanted(body, query));
  return byOffset(question, rows);
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
  (tellerId === undefined || tellerIdOf(body) === tellerId);

/** The teller order of a row. */
const tellerIdOf = ({ fee }: WireObject): string => {
  const { teller } = (fee ?? {}) as WireObject;
  return String((teller as WireObject | undefined)?.id);
};

const currencyOf = (side: unknown): unknown =>
  typeof side === 'object' && side !== null && 'currency' in side ? side.currency : undefined;
