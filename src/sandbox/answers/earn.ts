// Earn: wallets, their movements and rewards.
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import { wholeFrom } from './query-values.ts';

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

const earnMovements = ({ world, entity, query, params }: Question): SandboxAnswer => {
  const known = world.earn(entity.entityId)?.some(({ id }) => id === params.walletId);
  if (!known) return refusal(404, 'Earn wallet not found');
  const rows = world.rows(entity.entityId, 'earn-movements').filter(({ scope }) => scope === params.walletId);
  const offset = wholeFrom(query.offset, 0);
  const page = rows.toReversed().slice(offset, offset + wholeFrom(query.limit, ROWS_BY_DEFAULT));
  return { data: { total: rows.length, data: page.map(({ body }) => body) } };
};

export const earn: Answers = { 'earn-wallets': earnWallets, 'earn-movements': earnMovements };
