// The HTTP server: the contract's operations as routes, behind authentication and faults, over any world.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import type { Access } from './access/access.ts';
import { accessRoutes } from './access-routes.ts';
import type { webhookOf } from './authorization.ts';
import { docsRoutes } from './docs.ts';
import type { Faults } from './faults.ts';
import type { Platform } from './platform.ts';
import { refuseSocket } from './raw-refusal.ts';
import { refusal, refuse } from './refusals.ts';
import { operationRoutes } from './routes.ts';
import { openSockets } from './sockets/upgrade.ts';
import { watchTraffic } from './traffic.ts';
import type { World } from './world.ts';
import { worldRoutes } from './world-routes.ts';

type ServerOf = {
  readonly world: World;
  readonly platform: Platform;
  readonly access: Access;
  readonly faults: Faults;
  readonly webhook: ReturnType<typeof webhookOf> | null;
};

const MIB = 1_048_576;

/** The longest that a request may take to arrive: its nonce lives no longer. */
const REQUEST_MS = 5_000;

/** A server that does not listen yet. */
export const serverOf = (parts: ServerOf): FastifyInstance => {
  const server = fastify({
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    bodyLimit: MIB,
    requestTimeout: REQUEST_MS,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    frameworkErrors: (error, _, reply) => failed(error, reply),
    clientErrorHandler: (error, socket) => refuseConnection(error, socket),
    http: {
      requireHostHeader: false, // its refusal would have no body
      headersTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1_000,
    },
  });
  takeBytes(server);
  server.server.on('checkExpectation', ({ socket }: IncomingMessage) =>
    refuseSocket(socket, 417, 'The expectation is not met'),
  );
  server.setNotFoundHandler((_, reply) => refuse(reply, refusal(404, 'Route not found')));
  server.setErrorHandler((error: FastifyError, _, reply) => failed(error, reply));
  const { log, entities } = watchTraffic(server, parts.faults);
  const onChange = openSockets(server, parts);
  worldRoutes(server, { ...parts, log, onChange });
  docsRoutes(server);
  accessRoutes(server, parts);
  operationRoutes(server, {
    ...parts,
    onChange,
    noteEntity: (request, { entityId }) => void entities.set(request, entityId),
  });
  return server;
};

/** The signature is over the bytes as received, so that every body stays bytes, whatever its content type says. */
const takeBytes = (server: FastifyInstance): void => {
  server.addHook('onRequest', async ({ headers }) => {
    headers['content-type'] = BYTES;
  });
  server.addHttpMethod('GET', { hasBody: true, overrideExisting: true });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(BYTES, { parseAs: 'buffer' }, (_, body, done) => done(null, body));
};

const BYTES = 'application/octet-stream';

const failed = ({ statusCode = 500 }: FastifyError, reply: FastifyReply): FastifyReply =>
  refuse(reply, refusal(statusCode, statusCode === 500 ? 'Internal error' : 'Request failed'));

/** Answers in the default shape what is not HTTP, has headers that are too large, or does not end. */
const refuseConnection = ({ code = '' }: NodeJS.ErrnoException, socket: Socket): void => {
  const [status, message] = CONNECTION_REFUSALS.get(code) ?? [400, 'The request is not HTTP'];
  refuseSocket(socket, status, message);
};

const CONNECTION_REFUSALS = new Map<string, readonly [status: number, message: string]>([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers are too large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request took too long to arrive']],
]);
