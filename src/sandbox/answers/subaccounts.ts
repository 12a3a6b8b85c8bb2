// Subaccounts of the main account.
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import { wholeFrom } from './query-values.ts';

/** Only the main account has subaccounts to list. */
const list = ({ world, entity, query }: Question): SandboxAnswer => {
  if (entity !== world.entities[0]) return refusal(403, 'Only for main accounts');
  const all = world.entities.slice(1);
  const [offset, limit] = [wholeFrom(query.offset, 0), wholeFrom(query.limit, 1000)];
  const phone = { number: '600000000', countryCode: '34' };
  const rows = all.slice(offset, offset + limit);
  return {
    data: {
      total: all.length,
      data: rows.map(({ userId, email, name }) => ({ id: userId, email, name, surname: 'Example', phone })),
    },
  };
};

export const subaccounts: Answers = { subaccounts: list };
