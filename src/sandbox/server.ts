// The HTTP server: the contract's operations as routes, behind authentication and faults, over any world.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { STREAMS } from '../base/streams.ts';
import { nowMs } from '../base/time.ts';
import { OPERATIONS } from '../gateway/contract/contract.ts';
import type { Operation } from '../gateway/contract/operation.ts';
import { doorkeeper, type Keys } from './access.ts';
import { ANSWERS } from './answers.ts';
import type { Entity } from './entity.ts';
import type { Faults, Strike } from './faults.ts';
import type { Platform } from './platform.ts';
import type { Query } from './question.ts';
import { invalidQuery, type Refusal, refusal, refuse, send } from './refusals.ts';
import type { World } from './world.ts';
import { type Logged, worldRoutes } from './world-routes.ts';

export type ServerOf = {
  readonly world: World;
  readonly platform: Platform;
  readonly keys: Keys;
  readonly faults: Faults;
};

const LOG_MAX = 1_000_000;
const MINUTE = 60_000;

/** A server that does not listen yet. */
export const serverOf = (parts: ServerOf): FastifyInstance => {
  const server = fastify({
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { ignoreTrailingSlash: true },
  });
  const log: Logged[] = [];
  const entities = new WeakMap<FastifyRequest, string>();
  const note = keeper(log, entities);
  server.addHook('onResponse', async (request, reply) => note(request, reply.statusCode));
  server.addHook('onRequest', faultFor(parts.faults, note));
  server.setNotFoundHandler((_, reply) => refuse(reply, refusal(404, 'Route not found')));
  server.setErrorHandler((error, _, reply) => refuse(reply, refusal(statusOf(error), 'Request failed')));
  worldRoutes(server, parts.world, log);
  const admit = doorkeeper(parts.keys, parts.world.entities);
  for (const operation of OPERATIONS.filter(({ name }) => Object.hasOwn(ANSWERS, name)))
    server.get(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (request, reply) => {
      const signedRequest = { headers: request.headers, target: request.raw.url ?? '', now: nowMs() };
      const isPublic = operation.auth === 'none';
      const entity = isPublic ? anybody(parts.world) : admit(signedRequest);
      if ('statusCode' in entity) return refuse(reply, entity);
      if (!isPublic) entities.set(request, entity.entityId);
      return serve({ ...parts, operation, entity, request, reply });
    });
  return server;
};

/** The entity for public operations: the code needs one, the answer does not depend on it. */
const anybody = (world: World): Entity => world.entities[0] as Entity;

type ServeOf = ServerOf & {
  readonly operation: Pick<Operation, 'name' | 'auth' | 'query'>;
  readonly entity: Entity;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
};

const serve = ({ world, platform, faults, operation, entity, request, reply }: ServeOf): FastifyReply => {
  const { name } = operation;
  if (faults.names('forbid', name)) return refuse(reply, refusal(403, 'Forbidden'));
  if (faults.names('missing', name)) return refuse(reply, refusal(404, 'Not found'));
  const sent = request.query as Record<string, unknown>;
  const query = operation.query.safeParse(sent);
  if (!query.success) return refuse(reply, invalidQuery(query.error.issues, sent));
  if (name === 'trades' && faults.has('shifting-trades')) world.tradeNow?.(entity.entityId);
  const answer = ANSWERS[name]?.({
    world,
    platform,
    entity,
    isAnonymous: operation.auth === 'none',
    query: query.data as Query,
    params: request.params as Record<string, string>,
    body: undefined,
    tradesMax: faults.number('clamp', STREAMS.trades.pageMax),
  });
  if (answer === undefined) return refuse(reply, refusal(404, 'Route not found'));
  return 'data' in answer ? send(reply, 200, answer.data) : refuse(reply, answer);
};

type Note = (request: FastifyRequest, status: number) => void;

/** Logs a request when its status is known; arrival times are stored per request until then. */
const keeper =
  (log: Logged[], entities: WeakMap<FastifyRequest, string>): Note =>
  (request, status) => {
    const target = request.raw.url ?? '';
    if (target.startsWith('/__world') || log.length >= LOG_MAX) return;
    const arrivedAt = arrivals.get(request) ?? nowMs();
    log.push({
      at: arrivedAt,
      method: request.method,
      target,
      status,
      entity: entities.get(request) ?? null,
    });
  };

const arrivals = new WeakMap<FastifyRequest, number>();

/** Counts requests and applies the faults before any other handler. */
const faultFor = (faults: Faults, note: Note) => {
  let [nth, recent] = [0, [] as number[]];
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const now = nowMs();
    arrivals.set(request, now);
    reply.header('x-request-id', request.id);
    if (request.raw.url?.startsWith('/__world')) return undefined;
    nth += 1;
    recent = [...recent.filter((sentAt) => sentAt > now - MINUTE), now];
    const strike = faults.strike(nth, recent.length);
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

const statusOf = (error: unknown): Refusal['statusCode'] => {
  const known = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  return typeof known === 'number' ? known : 500;
};
