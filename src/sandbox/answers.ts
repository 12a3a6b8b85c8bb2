// The answer of each operation of the contract, from the world's current state.
import { STREAMS } from '../base/streams.ts';
import { msOf } from '../base/time.ts';
import { textOf as plain, unitsOf } from './amount.ts';
import { catalog, chart, rates } from './market-answers.ts';
import type { Query, Question, SandboxAnswer } from './question.ts';
import { refusal } from './refusals.ts';
import { walletTransaction, walletTransactions } from './wallet-answers.ts';
import { digitsOf, exact, type Wire, type WireObject } from './wire-json.ts';
import type { Listed } from './world.ts';

const textOf = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : String(value);
const numberOr = (value: string | number | undefined, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** Bounds are inclusive; a missing one does not limit. A bound finer than a millisecond is compared exactly. */
const within = (from: Query[string], to: Query[string]): ((instant: number) => boolean) => {
  const least = from === undefined ? -Infinity : ceilingMs(String(from));
  const most = to === undefined ? Infinity : msOf(String(to));
  return (instant) => instant >= least && instant <= most;
};

const ceilingMs = (instant: string): number => msOf(instant) + (/\.\d{3}\d*[1-9]/.test(instant) ? 1 : 0);

const matches = (body: WireObject, query: Query, fields: readonly string[]): boolean =>
  fields.every((field) => query[field] === undefined || body[field] === query[field]);

const MOVEMENT_FILTERS = ['walletId', 'currency', 'serviceOrderName', 'movementType'];

/** Newest first, at most 100, no offset. */
const movements = ({ world, entity, query }: Question): SandboxAnswer => {
  const isWithin = within(query.from, query.to);
  const found = world
    .rows(entity.entityId, 'movements')
    .filter(({ at: instant, body }) => isWithin(instant) && matches(body, query, MOVEMENT_FILTERS));
  const newest = found.toReversed().slice(0, numberOr(query.limit, STREAMS.movements.pageMax));
  return { data: newest.map(({ body }) => body) };
};

/** A limit above the maximum is reduced without an error; the answer has the count under both names. */
const trades = ({ world, entity, query, tradesMax }: Question): SandboxAnswer => {
  const ids = textOf(query.ids)?.split(',');
  const isWithin = within(query.startTime, query.endTime);
  const found = world
    .rows(entity.entityId, 'trades')
    .filter(({ at: instant }) => isWithin(instant))
    .filter(
      ({ id, body }) => (ids?.includes(id) ?? true) && matches(body, query, ['symbol', 'side', 'orderType']),
    );
  const offset = numberOr(query.offset, 0);
  const limit = Math.min(numberOr(query.limit, tradesMax), tradesMax);
  const rows = sorted(found, textOf(query.sort), query.direction === 'asc').slice(offset, offset + limit);
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

const pockets = ({ world, entity, query }: Question): SandboxAnswer => ({
  data: world
    .pockets(entity.entityId)
    .filter(({ id }) => query.id === undefined || id === query.id)
    .map(({ id, currency, name, balance, blocked, blockedOutput, createdAt }) => ({
      id,
      userId: entity.userId,
      currency,
      name,
      color: '#336699',
      balance,
      blockedBalance: blocked,
      blockedOutputBalance: blockedOutput,
      createdAt,
    })),
});

const tradingBalance = ({ world, entity, query }: Question): SandboxAnswer => {
  const symbols = textOf(query.symbols)?.split(',');
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
      limit: exact(plain(limit)),
      used: exact(plain(units)),
      remaining: exact(plain(limit - units)),
      refillThreshold: exact('100'),
    })),
  };
};

/** Only the main account has subaccounts to list. */
const subaccounts = ({ world, entity, query }: Question): SandboxAnswer => {
  if (entity !== world.entities[0]) return refusal(403, 'Only for main accounts');
  const all = world.entities.slice(1);
  const [offset, limit] = [textOf(query.offset) ?? '0', textOf(query.limit) ?? '1000'].map((n) =>
    Number.parseInt(n, 10),
  );
  const phone = { number: '600000000', countryCode: '34' };
  const rows = all.slice(offset, (offset ?? 0) + (limit ?? 0));
  return {
    data: {
      total: all.length,
      data: rows.map(({ userId, email, name }) => ({ id: userId, email, name, surname: 'Example', phone })),
    },
  };
};

const EARN_WALLETS_BY_DEFAULT = 20;

const earnWallets = ({ world, entity, query }: Question): SandboxAnswer => {
  const wallets = world.earn(entity.entityId);
  if (wallets === null) return refusal(404, 'Earn not found for user');
  const whole = (sent: string | number | undefined, otherwise: number) =>
    Number.parseInt(textOf(sent) ?? String(otherwise), 10);
  const [offset, limit] = [whole(query.offset, 0), whole(query.limit, EARN_WALLETS_BY_DEFAULT)];
  return {
    data: {
      total: wallets.length,
      data: wallets
        .slice(offset, offset + limit)
        .map(({ id, currency, balance, converted, createdAt, updatedAt }) => ({
          walletId: id,
          userId: entity.userId,
          currency,
          balance,
          convertedBalance: { value: converted, currency: 'EUR' },
          createdAt,
          updatedAt,
        })),
    },
  };
};

const earnMovements = ({ world, entity, query, params }: Question): SandboxAnswer => {
  const known = world.earn(entity.entityId)?.some(({ id }) => id === params.walletId);
  if (!known) return refusal(404, 'Earn wallet not found');
  const rows = world.rows(entity.entityId, 'earn-movements').filter(({ scope }) => scope === params.walletId);
  const offset = numberOr(query.offset, 0);
  const page = rows.toReversed().slice(offset, offset + numberOr(query.limit, 20));
  return { data: { total: rows.length, data: page.map(({ body }) => body) } };
};

/** By the operation's name in the contract. */
export const ANSWERS: Readonly<Record<string, (question: Question) => SandboxAnswer>> = {
  movements,
  trades,
  'wallet-transactions': walletTransactions,
  'wallet-transaction': walletTransaction,
  pockets,
  'trading-balance': tradingBalance,
  'working-capital': workingCapital,
  subaccounts,
  'earn-wallets': earnWallets,
  'earn-movements': earnMovements,
  rates,
  chart,
  catalog,
};
