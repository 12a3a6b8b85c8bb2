// Loans: their orders.
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { wholeFrom } from './query-values.ts';

const ROWS_BY_DEFAULT = 20;

const loanOrders = ({ world, entity, query }: Question): SandboxAnswer => {
  const orders = world.loans?.(entity.entityId) ?? [];
  const offset = wholeFrom(query.offset, 0);
  const shown = orders.slice(offset, offset + wholeFrom(query.limit, ROWS_BY_DEFAULT));
  return { data: { total: orders.length, data: [...shown] } };
};

export const loan: Answers = { 'loan-orders': loanOrders };
