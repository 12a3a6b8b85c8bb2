// Earn: wallets, their movements and rewards.
import { cut, over, textOf, times, unitsOf } from '../amount.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import type { Listed } from '../world.ts';
import { textFrom, wholeFrom } from './query-values.ts';

const ROWS_BY_DEFAULT = 20;

const earnWallets = ({ world, entity, query }: Question): SandboxAnswer => {
  const wallets = world.earn(entity.entityId);
  if (wallets === null) return refusal(404, 'Earn not found for user');
  const [offset, limit] = [wholeFrom(query.offset, 0), wholeFrom(query.limit, ROWS_BY_DEFAULT)];
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

const earnMovements = (question: Question): SandboxAnswer => {
  const { world, entity, params } = question;
  const known = world.earn(entity.entityId)?.some(({ id }) => id === params.walletId);
  if (!known) return refusal(404, 'Earn wallet not found');
  const rows = rowsOf(question).filter(({ scope }) => scope === params.walletId);
  return page(question, rows, ({ body }) => body);
};

const rowsOf = ({ world, entity }: Question): readonly Listed[] =>
  world.rows(entity.entityId, 'earn-movements');

/** Newest first, or as the query says. */
const page = (
  { query }: Question,
  rows: readonly Listed[],
  view: (row: Listed) => WireObject,
): SandboxAnswer => {
  const offset = wholeFrom(query.offset, 0);
  const sorted = query.sortDirection === 'ascending' ? rows : rows.toReversed();
  const shown = sorted.slice(offset, offset + wholeFrom(query.limit, ROWS_BY_DEFAULT));
  return { data: { total: rows.length, data: shown.map(view) } };
};

/** The movements of all wallets, each with its status. */
const allMovements = (question: Question): SandboxAnswer => {
  const { type, currency } = question.query;
  if (question.world.earn(question.entity.entityId) === null) return refusal(404, 'Earn not found for user');
  const rows = rowsOf(question)
    .filter(({ body }) => type === undefined || body.type === type)
    .filter(({ body }) => currency === undefined || currencyOf(body) === currency);
  return page(question, rows, ({ body }) => ({ status: 'completed', ...body }));
};

const amountOf = (body: WireObject): WireObject => body.amount as WireObject;
const currencyOf = (body: WireObject): string => String(amountOf(body).currency);

/** Completed movements of one type by currency; converted at the rates of their time, or at the present ones. */
const summaryOf = (question: Question, type: string): SandboxAnswer => {
  const { world, query } = question;
  if (world.earn(question.entity.entityId) === null) return refusal(404, 'Earn not found for user');
  const target = textFrom(query.userCurrency) ?? 'EUR';
  const totals = new Map<string, { units: bigint; converted: bigint }>();
  for (const { at: instant, body } of rowsOf(question)) {
    if (body.type !== type || (body.status ?? 'completed') !== 'completed') continue;
    const currency = currencyOf(body);
    const units = unitsOf(String(amountOf(body).value));
    const rateAt = query.rateMoment === 'current' ? world.now() : instant;
    const price = over(world.prices.dollar(currency, rateAt), world.prices.dollar(target, rateAt));
    const total = totals.get(currency) ?? { units: 0n, converted: 0n };
    totals.set(currency, { units: total.units + units, converted: total.converted + times(units, price) });
  }
  const rows = [...totals].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    data: (query.order === 'desc' ? rows.toReversed() : rows).map(([currency, { units, converted }]) => ({
      type,
      currency,
      total: textOf(units),
      converted: { amount: textOf(cut(converted, 2)), currency: target },
    })),
  };
};

export const earn: Answers = {
  'earn-wallets': earnWallets,
  'earn-movements': earnMovements,
  'earn-movements-all': allMovements,
  'earn-reward-summary': (question) => summaryOf(question, 'reward'),
  'earn-movement-summary': (question) => summaryOf(question, String(question.params.type)),
};
