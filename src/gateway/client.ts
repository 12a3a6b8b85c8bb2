// The pipeline's client: sends reading requests only and returns pages with receipts.
import { type ConnectionOptions, openConnection } from './connection.ts';
import type { ReadOperation } from './contract/operation.ts';
import { inAcceptedSizes } from './page-size.ts';
import { type TargetRequest, targetOf, unsendable } from './target.ts';
import type { Received } from './verdict.ts';

export type { RequestEvent } from './attempt.ts';
export { USER_AGENT } from './connection.ts';
export type { Receipt } from './verdict.ts';

export type ReadGatewayOptions = ConnectionOptions & {
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Another clock that bounds proofs: the database's, Unix milliseconds. */
  readonly notAfterMs?: () => number;
};

export type ReadGateway = {
  /**
   * Requests one page of one operation, of the gateway's own size if it refuses the `limit`. Rejects with a GatewayError, whose `failure` is a word of MEANING. After a 418 every
   * running or later call rejects with `banned`, and nothing more is sent.
   */
  call<Page>(operation: ReadOperation<Page>, ask?: TargetRequest): Promise<Received<Page>>;
  /** Requests sent so far, every try counted. */
  requests(): number;
  /**
   * Now, for proofs: the earliest of the gateway's clock (by the Date of its answers), this machine's and `notAfterMs`,
   * Unix milliseconds.
   */
  nowMs(): number;
  /** The largest difference of the gateway's clock from this machine's, with its sign, in milliseconds. */
  clockOffsetMs(): number;
  /** Ends running calls, with the reason as their error, and closes every socket. */
  close(reason?: string): Promise<void>;
};

/** Opens a gateway that cannot change anything. Sends nothing yet. Throws for options that cannot work. */
export const openReadGateway = (options: ReadGatewayOptions): ReadGateway => {
  const { apiKey, apiSecret } = options;
  const { link, send, close } = openConnection(options, { apiKey, apiSecret });
  const { notAfterMs = link.clock.provedMs } = options;
  return {
    call: inAcceptedSizes(async (operation, ask = {}) => {
      if (operation.method !== 'GET' || operation.page === undefined)
        throw unsendable(operation, 'this gateway only reads: open it with openGateway to change anything');
      const { subaccount, left } = ask;
      return await send({ operation, target: targetOf(operation, ask), subaccount, left });
    }),
    requests: () => link.requests,
    nowMs: () => Math.min(link.clock.provedMs(), notAfterMs()),
    clockOffsetMs: link.clock.offsetMs,
    close,
  };
};
