// What is asked of the market once a night, for all entities: nothing of the books depends on it, so what the gateway does
// not tell us is said, and the night goes on.
import { type Failure, GatewayError } from '../src/gateway/errors.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** The operation, as whose request it counts, and what its silence costs. */
export type Question = {
  readonly entity: string;
  readonly subject: string;
  readonly cost: string;
  /** A note where the gateway may well not have it; a finding else. */
  readonly severity: (failure: Failure) => 'note' | 'finding';
};

const REFUSED: readonly string[] = ['refused', 'missing', 'invalid'];

/** The answer, or null where the gateway does not give it to us. Throws GatewayError for weather. */
export const askMarket = async <T>(
  work: Work,
  { entity, subject, cost, severity }: Question,
  ask: () => Promise<T>,
): Promise<T | null> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GatewayError) || !REFUSED.includes(error.failure)) throw error;
    const detail = `not available, ${cost} (${error.message})`;
    await report(work.db, work.run, { entity, severity: severity(error.failure), subject, detail });
    return null;
  }
};
