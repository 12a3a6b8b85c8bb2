// Optional requests: for what no booking depends on, such as market data. A refusal is reported and the night continues.

import type { Failure } from '../src/gateway/errors.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** The subject of a request, the entity that it counts for, and the consequence of a refusal. */
export type Question = {
  readonly entity: string;
  readonly subject: string;
  readonly cost: string;
  /** A note if the gateway may lack the data; otherwise a finding. */
  readonly severity: (failure: Failure) => 'note' | 'finding';
};

const REFUSED: readonly string[] = ['refused', 'missing', 'invalid'];

/** The data, or null if the gateway refuses it. Throws GatewayError for failures that may pass. */
export const askOptional = async <T>(
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
