// Optional requests: for what no booking depends on, such as market data. What the gateway refuses, or fails at after all retries, is
// reported, and the night continues.

import type { Failure } from '../src/gateway/errors.ts';
import { GATEWAY_FAILED, GatewayError, OF_REQUEST } from '../src/gateway/gateway.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** The subject of a request, the entity that it counts for, and the consequence if it is not answered. */
export type Question = {
  readonly entity: string;
  readonly subject: string;
  readonly cost: string;
  /** A note if the gateway may lack the data; otherwise a finding, as is a gateway that fails. */
  readonly severity: (failure: Failure) => 'note' | 'finding';
};

/** The data, or why there is none. Throws the failures that are of every request, such as a ban. */
export const askOptional = async <T>(
  work: Work,
  { entity, subject, cost, severity }: Question,
  ask: () => Promise<T>,
): Promise<T | GatewayError> => {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof GatewayError) || !OF_REQUEST.includes(error.failure)) throw error;
    const hasFailed = GATEWAY_FAILED.includes(error.failure);
    const detail = `not available, ${cost} (${error.message})`;
    await report(work.db, work.run, {
      entity,
      severity: hasFailed ? 'finding' : severity(error.failure),
      subject,
      detail,
    });
    return error;
  }
};
