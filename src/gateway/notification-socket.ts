// The notification socket: authenticates, receives events, and connects again when the connection ends (Events).
// An event is a hint to read again, never evidence: some may be missed while no connection is open.
import { randomInt } from 'node:crypto';
import WebSocket from 'ws';
import type { z } from 'zod';
import { parseReceived } from '../base/json.ts';
import { pause } from '../base/signal.ts';
import { nowMs } from '../base/time.ts';
import { NOTIFICATIONS } from './contract/contract.ts';
import { redaction } from './redaction.ts';
import { socketUrlOf } from './target.ts';

const { closeCodes, events, received } = NOTIFICATIONS.socket;

type Known = typeof events;
type EventType = keyof Known;

/** An event with the payload of its type; the numbers in it are text. */
type KnownEvent = {
  [Type in EventType]: { readonly type: Type; readonly payload: z.output<Known[Type]> };
}[EventType];

/** An event of a type that the contract does not know, or with another payload than it describes. */
type OtherEvent = { readonly type: 'other'; readonly name: string; readonly payload: unknown };

export type NotificationEvent = KnownEvent | OtherEvent;

export type SocketState =
  | { readonly state: 'open' }
  | { readonly state: 'waiting'; readonly reason: string; readonly waitMs: number };

export type NotificationOptions = {
  /** The URL of the socket; wss, or ws on loopback. */
  readonly url: string;
  /** The proof that each connection shows: an access token, or an array that holds the API key. */
  readonly authenticate: () => Promise<z.input<typeof NOTIFICATIONS.socket.sent>['payload']>;
  readonly onEvent: (event: NotificationEvent) => void;
  /**
   * Called when the service has accepted the credentials of a connection, and when it ended and the next one waits. After each opening,
   * read again what may have changed.
   */
  readonly onState?: (state: SocketState) => void;
  /** The first wait before connecting again; it doubles up to `backoffMaxMs`. */
  readonly backoffMs?: number;
  readonly backoffMaxMs?: number;
  /** A connection on which nothing arrives for twice this time is closed. */
  readonly heartbeatMs?: number;
  /** A service that neither confirms the credentials nor refuses them within this time has accepted them. */
  readonly refusalMs?: number;
};

export type Notifications = {
  /** Resolves after `close`; rejects if the service refuses the credentials (4000). */
  readonly done: Promise<void>;
  close(): void;
};

type SocketTerms = Required<Omit<NotificationOptions, 'onState'>> & Pick<NotificationOptions, 'onState'>;

const MESSAGE_MAX = 1_048_576;
const HANDSHAKE_MS = 10_000;
/** After 4001 the wait is at least this much longer than after another end. */
const SLOWER = 8;

/** Opens the notification socket and keeps it open until `close`, or until the service refuses the credentials. */
export const openNotifications = (options: NotificationOptions): Notifications => {
  const terms: SocketTerms = {
    backoffMs: 1_000,
    backoffMaxMs: 60_000,
    heartbeatMs: 30_000,
    refusalMs: 5_000,
    ...options,
  };
  const url = socketUrlOf(terms.url);
  const stop = new AbortController();
  const done = stay(url, terms, stop.signal);
  done.catch(() => {}); // the owner of `done` has the error; without one it must not end the process
  return { done, close: () => stop.abort() };
};

const stay = async (url: string, terms: SocketTerms, stop: AbortSignal): Promise<void> => {
  let failures = 0;
  while (!stop.aborted) {
    const startedMs = nowMs();
    const end = await connect(url, terms, stop);
    if (stop.aborted) return;
    if (end.code === closeCodes.authenticationFailed)
      throw new Error(`the notification socket refused the credentials (${end.code}): ${end.reason}`);
    failures = nowMs() - startedMs > terms.backoffMaxMs ? 1 : failures + 1;
    const waitMs = waitAfter(failures, end.code === closeCodes.tooManyMessages, terms);
    terms.onState?.({ state: 'waiting', reason: `${end.code} ${end.reason}`.trim(), waitMs });
    await pause(waitMs, stop);
  }
};

/** Doubles with each failure, and is spread over the upper half, so that many clients do not come back at once. */
const waitAfter = (
  failures: number,
  isTooFast: boolean,
  { backoffMs, backoffMaxMs }: SocketTerms,
): number => {
  const base = backoffMs * (isTooFast ? SLOWER : 1);
  const limit = Math.max(2, Math.min(base * 2 ** Math.min(failures - 1, 30), backoffMaxMs));
  return Math.ceil(limit / 2) + randomInt(Math.floor(limit / 2) + 1);
};

type SocketEnd = { readonly code: number; readonly reason: string };

/** The code of an end without a close frame. */
const ABNORMAL = 1006;

/** One connection, from its opening to its end. Never rejects. */
const connect = async (url: string, terms: SocketTerms, stop: AbortSignal): Promise<SocketEnd> => {
  let payload: Awaited<ReturnType<SocketTerms['authenticate']>>;
  try {
    payload = await terms.authenticate();
  } catch (error) {
    return { code: ABNORMAL, reason: (error as Error).message };
  }
  if (stop.aborted) return { code: ABNORMAL, reason: 'closed' };
  const limits = { handshakeTimeout: HANDSHAKE_MS, maxPayload: MESSAGE_MAX, followRedirects: false };
  const clean = redaction(Object.values(payload).flat());
  const socket = new WebSocket(url, { ...limits, perMessageDeflate: false });
  return await new Promise((resolve) => {
    let problem = '';
    const leave = () => socket.terminate();
    const endHeartbeat = heartbeat(socket, terms.heartbeatMs);
    stop.addEventListener('abort', leave, { once: true });
    const acceptance = acceptanceOf(terms);
    socket.on('open', () => {
      socket.send(JSON.stringify({ type: 'authenticate', payload }));
      acceptance.wait();
    });
    socket.on('message', (data) => {
      const arrived = eventsIn(String(data));
      if (arrived.every(({ type }) => type !== 'other')) acceptance.accept();
      for (const event of arrived) terms.onEvent(event);
    });
    socket.on('error', ({ message }) => {
      problem = message;
    });
    socket.on('close', (code, reason) => {
      endHeartbeat();
      acceptance.end();
      stop.removeEventListener('abort', leave);
      resolve({ code, reason: clean(String(reason) || problem) });
    });
  });
};

/** Reports once that the credentials are accepted: by a message that only an accepted connection receives, or by no refusal in time. */
const acceptanceOf = ({ refusalMs, onState }: Pick<SocketTerms, 'refusalMs' | 'onState'>) => {
  let timer: NodeJS.Timeout | undefined;
  let isDecided = false;
  const end = () => {
    isDecided = true;
    clearTimeout(timer);
  };
  const accept = () => {
    if (isDecided) return;
    end();
    onState?.({ state: 'open' });
  };
  const wait = () => {
    timer = setTimeout(accept, refusalMs);
  };
  return { wait, accept, end };
};

/** Pings, and ends a connection on which nothing came back since the ping before. */
const heartbeat = (socket: WebSocket, everyMs: number): (() => void) => {
  let isAlive = true;
  const alive = () => {
    isAlive = true;
  };
  for (const sign of ['open', 'message', 'ping', 'pong'] as const) socket.on(sign, alive);
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, everyMs);
  return () => clearInterval(timer);
};

/** The event in a message; none in the confirmation of the credentials. A message that is no event is handed on as it is. */
const eventsIn = (text: string): NotificationEvent[] => {
  const message = received.safeParse(parsed(text));
  if (!message.success) return [{ type: 'other', name: '', payload: text }];
  const { type, payload } = message.data;
  if (type === 'authenticated') return [];
  if (!Object.hasOwn(events, type)) return [{ type: 'other', name: type, payload }];
  const read = events[type as EventType].safeParse(payload);
  return [
    read.success ? ({ type, payload: read.data } as KnownEvent) : { type: 'other', name: type, payload },
  ];
};

const parsed = (text: string): unknown => {
  try {
    return parseReceived(text); // a name that occurs twice gets a list: no reader of one value takes it
  } catch {
    return undefined; // no JSON: handed on as text
  }
};
