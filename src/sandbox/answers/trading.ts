// Trading: the movements and trades of the trading wallet; its other operations are in files of their own.
import { STREAMS } from '../../base/streams.ts';
import type { Answers, Query, Question, SandboxAnswer } from '../question.ts';
import { digitsOf, type WireObject } from '../wire-json.ts';
import type { Listed } from '../world.ts';
import { marketConfig, tickers } from './markets.ts';
import { createOrder } from './order-create.ts';
import { deleteOrder, order, orders, orderTrades } from './orders.ts';
import { compareValues, textFrom, wholeFrom, within } from './query-values.ts';
import { tradingBalance } from './trading-balance.ts';
import { deposit, withdraw } from './trading-funds.ts';
import { workingCapital } from './working-capital.ts';

const matches = (body: WireObject, query: Query, fields: readonly string[]): boolean =>
  fields.every((field) => query[field] === undefined || body[field] === query[field]);

const MOVEMENT_FILTERS = ['walletId', 'currency', 'serviceOrderName', 'movementType'];

/** Newest first, at most 100, no offset. */
const movements = ({ world, entity, query }: Question): SandboxAnswer => {
  const isWithin = within(query.from, query.to);
  const found = world
    .rows(entity.entityId, 'movements')
    .filter(({ at: instant, body }) => isWithin(instant) && matches(body, query, MOVEMENT_FILTERS));
  const newest = found.toReversed().slice(0, wholeFrom(query.limit, STREAMS.movements.pageMax));
  return { data: newest.map(({ body }) => body) };
};

/** A limit above the maximum is reduced without an error; the answer has the count under both names. */
const trades = ({ world, entity, query, tradesMax }: Question): SandboxAnswer => {
  const ids = textFrom(query.ids)?.split(',');
  const isWithin = within(query.startTime, query.endTime);
  const found = world
    .rows(entity.entityId, 'trades')
    .filter(({ at: instant }) => isWithin(instant))
    .filter(
      ({ id, body }) => (ids?.includes(id) ?? true) && matches(body, query, ['symbol', 'side', 'orderType']),
    );
  const offset = wholeFrom(query.offset, 0);
  const limit = Math.min(wholeFrom(query.limit, tradesMax), tradesMax);
  const rows = sorted(found, textFrom(query.sort), query.direction === 'asc').slice(offset, offset + limit);
  return { data: { total: found.length, count: found.length, data: rows.map(({ body }) => body) } };
};

/** By createdAt unless the query names another field; equal values are ordered by time, then id. */
const sorted = (rows: readonly Listed[], sort: string | undefined, ascending: boolean): readonly Listed[] => {
  const key = ({ body }: Listed) => digitsOf(body[sort ?? 'createdAt']);
  const other =
    sort !== undefined && sort !== 'createdAt' && rows.some(({ body }) => body[sort] !== undefined);
  const up = other ? rows.toSorted((a, b) => compareValues(key(a), key(b))) : rows;
  return ascending ? up : up.toReversed();
};

export const trading: Answers = {
  movements,
  trades,
  'trading-balance': tradingBalance,
  'trading-deposit': deposit,
  'trading-withdraw': withdraw,
  'working-capital': workingCapital,
  'order-create': createOrder,
  orders,
  order,
  'order-cancel': deleteOrder,
  'order-trades': orderTrades,
  tickers,
  'market-config': marketConfig,
  'market-config-v1': marketConfig,
};
