// The balances of the trading wallet: one entry per currency.
import type { Question, SandboxAnswer } from '../question.ts';
import { exact, type Wire, type WireObject } from '../wire-json.ts';
import type { TradingState } from '../world.ts';
import { textFrom } from './query-values.ts';

type AmountForm = (digits: string) => Wire;

/** Amounts are numbers, or text if the query says so. */
export const tradingBalance = ({ world, entity, query }: Question): SandboxAnswer => {
  const symbols = textFrom(query.symbols)?.split(',');
  const form: AmountForm = query.amountFormat === 'string' ? (digits) => digits : exact;
  return {
    data: world
      .trading(entity.entityId)
      .filter(({ currency }) => symbols?.includes(currency) ?? true)
      .map((state) => entryOf(state, entity.userId, form)),
  };
};

/** The entry of one currency, as it is now. */
export const balanceEntry = ({ world, entity }: Question, currency: string): SandboxAnswer => {
  const state = world.trading(entity.entityId).find((it) => it.currency === currency) as TradingState;
  return { data: entryOf(state, entity.userId, exact) };
};

const entryOf = (
  { id, currency, balance, blocked, createdAt }: TradingState,
  userId: string,
  form: AmountForm,
): WireObject => ({
  id,
  userId,
  currency,
  balance: form(balance),
  blockedBalance: form(blocked),
  createdAt,
});
