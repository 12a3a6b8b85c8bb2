// The pockets of an entity and their balances.
import type { Question, SandboxAnswer } from '../question.ts';

export const pockets = ({ world, entity, query }: Question): SandboxAnswer => ({
  data: world
    .pockets(entity.entityId)
    .filter(({ id }) => query.id === undefined || id === query.id)
    .map(({ id, currency, name, balance, blocked, blockedOutput, createdAt }) => ({
      id,
      userId: entity.userId,
      currency,
      name,
      color: 3,
      balance,
      blockedBalance: blocked,
      blockedOutputBalance: blockedOutput,
      createdAt,
    })),
});
