// The traffic of the server: its log, and the faults that hit a request before any other handler.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MINUTE_MS, nowMs } from '../base/time.ts';
import { isBesideGateway } from './docs.ts';
import type { Faults, Strike } from './faults.ts';
import { windowOf } from './pace.ts';
import { refuse, send } from './refusals.ts';

/** One request. `status` is 0 if the socket was destroyed. */
export type Logged = {
  /** The machine's clock at arrival, Unix milliseconds. */
  readonly at: number;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly entity: string | null;
  /** As sent; null without one. */
  readonly nonce: string | null;
};

type Traffic = {
  readonly log: readonly Logged[];
  /** The entity of a request, once it is known. */
  readonly entities: WeakMap<FastifyRequest, string>;
};

const LOG_MAX = 1_000_000;

/** Logs every request of a server and applies the faults to it. What is not the gateway's is exempt from both. */
export const watchTraffic = (server: FastifyInstance, faults: Faults): Traffic => {
  const log: Logged[] = [];
  const entities = new WeakMap<FastifyRequest, string>();
  const note = noteIn(log, entities);
  server.addHook('onResponse', async (request, reply) => note(request, reply.statusCode));
  server.addHook('onRequest', faultFor(faults, note));
  return { log, entities };
};

type Note = (request: FastifyRequest, status: number) => void;

/** Logs a request when its status is known; arrival times are stored per request until then. */
const noteIn =
  (log: Logged[], entities: WeakMap<FastifyRequest, string>): Note =>
  (request, status) => {
    const target = request.raw.url ?? '';
    if (isBesideGateway(target) || log.length >= LOG_MAX) return;
    const arrivedAt = arrivals.get(request) ?? nowMs();
    log.push({
      at: arrivedAt,
      method: request.method,
      target,
      status,
      entity: entities.get(request) ?? null,
      nonce: [request.headers['x-nonce'] ?? null].flat()[0] ?? null,
    });
  };

const arrivals = new WeakMap<FastifyRequest, number>();

/** Counts requests and applies the faults before any other handler. */
const faultFor = (faults: Faults, note: Note) => {
  const inMinute = windowOf(MINUTE_MS);
  let nth = 0;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const now = nowMs();
    arrivals.set(request, now);
    reply.header('x-request-id', request.id);
    if (isBesideGateway(request.raw.url ?? '')) return undefined;
    nth += 1;
    const strike = faults.strike(nth, inMinute(now));
    if (faults.has('slow')) await sleep(faults.number('slow', 0));
    return strike === null ? undefined : applyFault(strike, request, reply, note);
  };
};

const applyFault = (
  strike: Strike,
  request: FastifyRequest,
  reply: FastifyReply,
  note: Note,
): FastifyReply => {
  if (typeof strike === 'object') return refuse(reply, strike);
  if (strike === 'not-json')
    return reply.code(200).type('text/html').send('<html><body>maintenance</body></html>');
  if (strike === 'wrong-envelope') return send(reply, 200, { items: [] });
  reply.hijack();
  note(request, 0);
  request.raw.socket.destroy();
  return reply;
};
