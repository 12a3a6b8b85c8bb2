// Trading: the movements, trades and balances of the trading wallet, and the platform's working capital.
import { STREAMS } from '../../base/streams.ts';
import { textOf, unitsOf } from '../amount.ts';
import type { Answers, Query, Question, SandboxAnswer } from '../question.ts';
import { digitsOf, exact, type Wire, type WireObject } from '../wire-json.ts';
import type { Listed } from '../world.ts';
import { textFrom, wholeFrom, within } from './query-values.ts';

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
  const up = other ? rows.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0)) : rows;
  return ascending ? up : up.toReversed();
};

const tradingBalance = ({ world, entity, query }: Question): SandboxAnswer => {
  const symbols = textFrom(query.symbols)?.split(',');
  const amountForm = query.amountFormat === 'string' ? (digits: string): Wire => digits : exact;
  return {
    data: world
      .trading(entity.entityId)
      .filter(({ currency }) => symbols?.includes(currency) ?? true)
      .map(({ id, currency, balance, blocked, createdAt }) => ({
        id,
        userId: entity.userId,
        currency,
        balance: amountForm(balance),
        blockedBalance: amountForm(blocked),
        createdAt,
      })),
  };
};

const DAY = 86_400_000;

/** What the platform may still advance within a rolling day, for each currency that it ever advanced. */
const workingCapital = ({ world, entity }: Question): SandboxAnswer => {
  const rows = world
    .rows(entity.entityId, 'movements')
    .filter(({ body }) => body.serviceOrderName === 'working-capital' && body.movementType === 'deposit');
  const used = new Map<string, bigint>();
  for (const { at: instant, body } of rows) {
    const units = instant > world.now() - DAY ? unitsOf(digitsOf(body.amount)) : 0n;
    used.set(digitsOf(body.currency), (used.get(digitsOf(body.currency)) ?? 0n) + units);
  }
  const limit = unitsOf('50000');
  return {
    data: [...used].map(([currency, units]) => ({
      currency,
      type: 'deposit',
      limit: exact(textOf(limit)),
      used: exact(textOf(units)),
      remaining: exact(textOf(limit - units)),
      refillThreshold: exact('100'),
    })),
  };
};

export const trading: Answers = {
  movements,
  trades,
  'trading-balance': tradingBalance,
  'working-capital': workingCapital,
};
