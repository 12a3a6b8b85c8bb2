// The size of a page: a gateway that refuses the one that is requested is asked for its own.
import type { ReadOperation } from './contract/operation.ts';
import { GatewayError } from './errors.ts';
import type { TargetRequest } from './target.ts';
import type { Received } from './verdict.ts';

type Send = <Page>(operation: ReadOperation<Page>, ask?: TargetRequest) => Promise<Received<Page>>;

/**
 * Sends a rejected request again without its `limit`, and every later one of the same operation. Once the operation has answered a
 * request with a limit, the limit is not what the gateway rejects.
 */
export const inAcceptedSizes = (send: Send): Send => {
  const isAccepted = new Map<string, boolean>();
  return async (operation, ask = {}) => {
    const { limit, ...query } = ask.query ?? {};
    if (limit === undefined) return send(operation, ask);
    const known = isAccepted.get(operation.name);
    const unlimited = { ...ask, query };
    if (known === false) return send(operation, unlimited);
    try {
      const received = await send(operation, ask);
      isAccepted.set(operation.name, true);
      return received;
    } catch (refusal) {
      if (known || !isRejected(refusal)) throw refusal;
      const received = await send(operation, unlimited).catch((error: unknown) => {
        throw isRejected(error) ? refusal : error;
      });
      isAccepted.set(operation.name, false);
      return received;
    }
  };
};

const isRejected = (error: unknown): boolean => error instanceof GatewayError && error.failure === 'invalid';
