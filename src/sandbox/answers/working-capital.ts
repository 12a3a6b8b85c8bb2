// Working capital: what the platform may still advance.
import { DAY_MS } from '../../base/time.ts';
import { textOf, unitsOf } from '../amount.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { digitsOf, exact } from '../wire-json.ts';
import { textFrom } from './query-values.ts';

/** What the platform may still advance within a rolling day, for each currency that it ever advanced. */
export const workingCapital = ({ world, entity, query }: Question): SandboxAnswer => {
  const rows = world
    .rows(entity.entityId, 'movements')
    .filter(({ body }) => body.serviceOrderName === 'working-capital' && body.movementType === 'deposit');
  const used = new Map<string, bigint>();
  for (const { at: instant, body } of rows) {
    const units = instant > world.now() - DAY_MS ? unitsOf(digitsOf(body.amount)) : 0n;
    used.set(digitsOf(body.currency), (used.get(digitsOf(body.currency)) ?? 0n) + units);
  }
  const symbols = textFrom(query.symbols)?.split(',');
  const limit = unitsOf('50000');
  const shown = [...used].filter(([currency]) => symbols?.includes(currency) ?? true);
  return {
    data: shown.map(([currency, units]) => ({
      currency,
      type: 'deposit',
      limit: exact(textOf(limit)),
      used: exact(textOf(units)),
      remaining: exact(textOf(limit - units)),
      refillThreshold: exact('100'),
    })),
  };
};
