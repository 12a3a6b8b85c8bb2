// The notification socket: a client authenticates by token or by key, and receives the notices of its users.
import type { RawData, WebSocket } from 'ws';
import { isoOf, nowMs } from '../../base/time.ts';
import { NOTIFICATIONS } from '../../gateway/contract/contract.ts';
import { type AccessContext, type Credentials, usersOf } from '../access/access.ts';
import type { Notice } from '../notices.ts';
import { writeJson } from '../wire-json.ts';

const { sent, closeCodes } = NOTIFICATIONS.socket;

/** Messages in any second; the service does not publish its limit (assumption A-SOCKET). */
const MESSAGES_MAX = 10;
const SECOND = 1_000;
const AUTHENTICATION_MS = 10_000;

/** A client that does not read is disconnected when this much waits for it. */
const WAITING_MAX = 1_048_576;

/** Closing codes of the WebSocket standard: not the data that was expected, and try again later. */
const INVALID_DATA = 1007;
const TRY_LATER = 1013;

type Connection = {
  readonly address: string;
  /** Called when a client has authenticated. */
  readonly onOpen: () => void;
};

/** Serves one connection. */
export const notificationSocket = (
  context: AccessContext,
  socket: WebSocket,
  { address, onOpen }: Connection,
): void => {
  let credentials: Credentials | null = null;
  const users = () => (credentials === null ? [] : usersOf(context, { ...credentials, address }));
  const fail = () => socket.close(closeCodes.authenticationFailed, 'Authentication failed');
  const deadline = setTimeout(() => credentials === null && fail(), AUTHENTICATION_MS);
  const unsubscribe = context.platform.notices.subscribe((notice) => {
    if (credentials === null) return;
    const own = users();
    if (own.length === 0)
      fail(); // revoked or expired
    else if (own.some(({ userId }) => userId === notice.userId)) deliver(socket, notice);
  });
  const isFlooded = rateLimit();
  socket.on('message', (data) => {
    if (isFlooded()) return socket.close(closeCodes.tooManyMessages, 'Too many messages');
    const message = messageOf(data);
    if (message === undefined) return socket.close(INVALID_DATA, 'Not JSON');
    const authentication = sent.safeParse(message);
    if (!authentication.success) return credentials === null ? fail() : undefined; // other messages are ignored
    credentials = authentication.data.payload;
    const [user] = users();
    if (user === undefined) return fail();
    onOpen();
    return socket.send(writeJson({ type: 'authenticated', payload: { userId: user.userId } }));
  });
  socket.on('close', () => {
    clearTimeout(deadline);
    unsubscribe();
  });
};

/** Whether more messages came within a second than allowed, counting this one. */
const rateLimit = (): (() => boolean) => {
  let recent: number[] = [];
  return () => {
    const now = nowMs();
    recent = [...recent.filter((sentAt) => sentAt > now - SECOND), now];
    return recent.length > MESSAGES_MAX;
  };
};

const messageOf = (data: RawData): unknown => {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
};

const deliver = (socket: WebSocket, { type, payload }: Notice): void => {
  if (socket.bufferedAmount > WAITING_MAX) socket.close(TRY_LATER, 'Too slow');
  else socket.send(writeJson({ type, payload, time: isoOf(nowMs()) }));
};
