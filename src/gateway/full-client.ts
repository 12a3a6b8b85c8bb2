// The integrators' client: every operation of the contract, checked before it is sent. The pipeline never receives it.
import { type ConnectionOptions, openConnection } from './connection.ts';
import { CONTRACT } from './contract/contract.ts';
import type { Operation } from './contract/operation.ts';
import { type Credentials, lackOf, needsToken } from './credentials.ts';
import type { Methods } from './methods.ts';
import { type NotificationOptions, type Notifications, openNotifications } from './notification-socket.ts';
import { type AnyRequest, writeRequest } from './request.ts';
import { unsendable } from './target.ts';
import { type TokenKeeper, tokenKeeper } from './token.ts';
import type { Readable } from './verdict.ts';

export type GatewayOptions = Omit<ConnectionOptions, 'rpm'> & {
  /** Absent: public operations only. */
  readonly credentials?: Credentials;
  /** Requests in any 60 seconds; default: 600. */
  readonly rpm?: number;
};

export type Gateway = Methods & {
  /** Opens the notification socket with the credentials of this gateway. */
  notifications(options: Omit<NotificationOptions, 'authenticate'>): Notifications;
  /**
   * Uses other credentials for every later try, to rotate keys: create a pair, switch, then revoke the old one. A socket
   * uses them when it connects again.
   */
  switchCredentials(credentials: Credentials): void;
  /** Requests sent so far, every try counted. */
  requests(): number;
  /** Now by the gateway's clock, Unix milliseconds. */
  nowMs(): number;
  /** Ends running calls and closes every socket. */
  close(): Promise<void>;
};

/** An answer that is a list has at most this many elements. */
const ROWS_MAX = 100_000;
const RPM = 600;

/**
 * Opens a gateway with every operation, by area: `gateway.trading.createOrder({ body: … })`. Sends nothing yet. Throws for
 * options that cannot work (address, credentials, budget).
 */
export const openGateway = (options: GatewayOptions): Gateway => {
  const connection = openConnection({ ...options, rpm: options.rpm ?? RPM }, options.credentials ?? null);
  const { link, send, close } = connection;
  const sockets = new Set<Notifications>();
  const call = async (operation: Operation, request: AnyRequest = {}): Promise<unknown> => {
    const lack = lackOf(operation, link.credentials);
    if (lack !== null) throw unsendable(operation, lack);
    const written = writeRequest(operation, request);
    const tokens = needsToken(operation, link.credentials) ? keeper : null;
    return (await send({ operation: readable(operation), ...written, tokens })).page;
  };
  const methods = methodsOf(call);
  const newKeeper = () => keeperOf(link.credentials, methods, link.clock.nowMs);
  let keeper = newKeeper();
  return {
    ...methods,
    notifications: (socketOptions) => {
      let dropShown = () => {};
      const authenticate = async () => {
        const tokens = keeper; // the one that gave the token, also if the credentials are switched meanwhile
        const proof = await socketProof(link.credentials, tokens);
        dropShown = () => 'token' in proof && tokens.drop(proof.token);
        return proof;
      };
      const socket = openNotifications({ ...socketOptions, authenticate });
      socket.done.catch(() => dropShown()); // the next one signs in again
      sockets.add(socket);
      return socket;
    },
    switchCredentials: (credentials) => {
      connection.switchCredentials(credentials);
      keeper = newKeeper();
    },
    requests: () => link.requests,
    nowMs: link.clock.nowMs,
    close: async () => {
      for (const socket of sockets) socket.close();
      await close();
    },
  };
};

type CallOperation = (operation: Operation, request?: AnyRequest) => Promise<unknown>;

/** One method for each operation of the contract: the types of methods.ts describe exactly these. */
const methodsOf = (call: CallOperation): Methods =>
  Object.fromEntries(
    Object.entries(CONTRACT).map(([area, operations]) => [
      area,
      Object.fromEntries(
        Object.entries<Operation>(operations).map(([name, operation]) => [
          name,
          (request?: AnyRequest) => call(operation, request),
        ]),
      ),
    ]),
  ) as unknown as Methods;

/** The whole answer, not the page that the pipeline reads. */
const readable = (operation: Operation): Readable<unknown> => ({
  ...operation,
  page: operation.answer,
  rowsMax: ROWS_MAX,
});

/** Where the token of an operation comes from: the credentials themselves, or a sign-in by key. */
const keeperOf = (
  credentials: Credentials | null,
  { access }: Methods,
  clockMs: () => number,
): TokenKeeper => {
  if (credentials !== null && 'accessToken' in credentials) {
    const { accessToken } = credentials;
    return { token: async () => accessToken, isCurrent: () => true, drop: () => {} }; // nobody but its owner can renew it
  }
  return tokenKeeper(async () => (await access.signInByKey()).accessToken, clockMs);
};

/** What the notification socket is shown: a token, or the key. */
const socketProof = async (credentials: Credentials | null, keeper: TokenKeeper) => {
  if (credentials === null) throw new Error('the notification socket needs credentials');
  return needsToken({ auth: 'private' }, credentials) || 'accessToken' in credentials
    ? { token: await keeper.token() }
    : { apikey: [credentials.apiKey] as [string] };
};
