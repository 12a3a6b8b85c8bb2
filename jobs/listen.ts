// The listener: keeps the notification socket and notes which entities moved, and since when nothing can have been missed.
// It runs beside the nightly and never as the writer of the books: a note is a hint, never evidence.
import { FailedError } from '../src/base/errors.ts';
import { storable } from '../src/base/json.ts';
import { aborted } from '../src/base/signal.ts';
import type { GatewayConfig } from '../src/config/environment.ts';
import type { Database } from '../src/database/connection.ts';
import { type NotificationEvent, openNotifications, type SocketState } from '../src/gateway/gateway.ts';
import type { Event, Tell } from '../src/run/events.ts';
import { type EventSubject, noteConnection, noteEvents, noteSign } from '../src/run/run.ts';

type ListenOptions = {
  readonly config: GatewayConfig;
  readonly db: Database['db'];
  readonly tell: Tell;
  /** Ends the listener. */
  readonly signal: AbortSignal;
  readonly backoffMs?: number;
};

/** A night trusts a connection whose last sign is at most a minute old. */
const SIGN_MS = 15_000;

/**
 * Listens until the signal. Throws a FailedError if the gateway refuses the key, and the database's error if a note cannot be
 * stored: a listener that forgets must not look connected.
 */
export const listen = async ({ config, db, tell, signal, backoffMs }: ListenOptions): Promise<void> => {
  const { entity, gateway } = config;
  const notes = notebook();
  const collect = collector(async (events) => {
    const noted = await noteEvents(db, events);
    tell({ event: 'hint', name: events[0]?.event ?? null, entity: noted[0] ?? null, entities: noted.length });
  }, notes.add);
  const socket = openNotifications({
    url: gateway.socketUrl,
    authenticate: async () => ({ apikey: [gateway.key] }),
    onEvent: (event) => collect(subjectOf(event)),
    onState: (state) =>
      notes.add(async () => {
        await noteConnection(db, entity, state.state === 'open');
        tell(stateEvent(gateway.socketUrl, state));
      }),
    ...(backoffMs !== undefined && { backoffMs }),
  });
  const signs = setInterval(() => notes.add(() => noteSign(db, entity)), SIGN_MS);
  try {
    await Promise.race([refusedBy(socket.done), notes.failed, aborted(signal)]);
  } finally {
    clearInterval(signs);
    socket.close();
    notes.add(() => noteConnection(db, entity, false));
    await notes.written();
  }
};

const stateEvent = (url: string, state: SocketState): Event =>
  state.state === 'open'
    ? { event: 'connected', url }
    : { event: 'disconnected', url, reason: state.reason, wait_ms: state.waitMs };

const refusedBy = (done: Promise<void>): Promise<void> =>
  done.catch((error: Error) => {
    throw new FailedError(
      `${error.message}: check GATEWAY_API_KEY, and GATEWAY_SOCKET_URL if it is set, and run npx tieout listen again`,
    );
  });

type Notebook = {
  readonly add: (write: () => Promise<unknown>) => void;
  readonly failed: Promise<never>;
  readonly written: () => Promise<unknown>;
};

/** Writes notes one after the other. `failed` rejects with the first failure; nothing is written after it. */
const notebook = (): Notebook => {
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {}); // the listener races against it
  let last: Promise<unknown> = Promise.resolve();
  const add = (write: () => Promise<unknown>) => {
    last = last.then(write);
    last.catch(fail);
  };
  return { add, failed, written: () => last.catch(() => {}) };
};

/** More different subjects than this between two notes become one that concerns every entity. */
const SUBJECTS_MAX = 1_000;

/** Collects events while an earlier note is being written, so that a flood needs few statements and little memory. */
const collector = (note: (events: readonly EventSubject[]) => Promise<void>, add: Notebook['add']) => {
  let pending = new Map<string, EventSubject>();
  const flush = () => {
    const events = [...pending.values()];
    pending = new Map();
    return note(events);
  };
  return (subject: EventSubject) => {
    if (pending.size === 0) add(flush);
    const isMany = pending.size >= SUBJECTS_MAX;
    const { user, pocket } = isMany ? { user: null, pocket: null } : subject;
    pending.set(JSON.stringify([user, pocket]), { event: subject.event, user, pocket });
  };
};

const EVENT_LENGTH_MAX = 80;
const ID_LENGTH_MAX = 200;

/** What is stored of an event: its name, and whom it concerns. No amount, nothing personal. */
const subjectOf = (event: NotificationEvent): EventSubject => {
  const name = event.type === 'other' ? event.name : event.type;
  const id = (field: string): string | null => {
    const value = Object(event.payload)[field] as unknown;
    return typeof value === 'string' && value !== '' ? storable(value.slice(0, ID_LENGTH_MAX)) : null;
  };
  const shown = storable(name.slice(0, EVENT_LENGTH_MAX)) || 'not an event';
  return { event: shown, user: id('userId'), pocket: id('pocketId') };
};
