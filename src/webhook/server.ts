// The HTTP server of the webhook: one path, one method, a key, a small body. Every failure answers that the transaction is
// not authorized.
import { createHash, timingSafeEqual } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { answerAndClose } from '../base/raw-answer.ts';
import { reasonOf } from '../database/database.ts';
import { type Answer, type Answered, PATIENCE_MS } from './answering.ts';
import { readBody } from './body.ts';

/** What became of a request: a stored delivery, or a refusal that stored nothing. */
export type WebhookEvent =
  | { readonly event: 'answered'; readonly delivery: Answered }
  | { readonly event: 'turned away'; readonly status: number; readonly error: string };

type WebhookServer = {
  readonly key: string;
  /** A path of fastify's form: `/v1/:vendor/transaction/authorize`. */
  readonly path: string;
  readonly answer: Answer;
  readonly onEvent: (event: WebhookEvent) => void;
};

const BODY_MAX = 65_536;
const REQUEST_MS = 5_000;

/** A server that does not listen yet. */
export const serverOf = ({ key, path, answer, onEvent }: WebhookServer): FastifyInstance => {
  const server = fastify({
    bodyLimit: BODY_MAX,
    requestTimeout: REQUEST_MS,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 200 },
    http: { headersTimeout: REQUEST_MS, connectionsCheckingInterval: 1_000 },
    forceCloseConnections: 'idle',
    return503OnClosing: false, // a request on an open connection has arrived, and is answered like any other
    frameworkErrors: (_, __, reply) => void turnAway(reply, 404, NO_PATH), // a path that cannot be decoded, or is too long
    clientErrorHandler: ({ code }: NodeJS.ErrnoException, socket) => {
      const isLate = code === 'ERR_HTTP_REQUEST_TIMEOUT';
      if (isLate) late.add(socket);
      refuseConnection(socket, isLate ? 408 : 400);
    },
  });
  const late = new WeakSet<Socket>();
  const turnAway = (reply: FastifyReply, status: number, error: string, why?: string): FastifyReply => {
    onEvent({ event: 'turned away', status, error: why === undefined ? error : `${error}: ${why}` });
    void reply.header('connection', 'close'); // whoever has no key holds no connection, and so none of the platform's
    return reply.code(status).send({ authorized: false, error });
  };
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
  server.setNotFoundHandler((_, reply) => turnAway(reply, 404, NO_PATH));
  server.setErrorHandler(({ statusCode = 500 }: FastifyError, { raw }, reply) => {
    const status = late.has(raw.socket) ? 408 : statusCode; // its body was cut off
    return turnAway(reply, status, REFUSALS[status] ?? 'the request cannot be read');
  });
  const isKey = keyCheck(key);
  server.post(path, {
    onRequest: async ({ headers }, reply) => {
      if (!isKey(headers.authorization)) return turnAway(reply, 401, 'the key is missing or wrong');
    },
    handler: async ({ body: bytes }, reply) => {
      const body = readBody(bytes instanceof Uint8Array ? bytes : new Uint8Array());
      if ('wrong' in body) return turnAway(reply, 400, body.wrong);
      const delivery = await answer(body).catch((error: unknown) => error as Error);
      if (delivery instanceof Error)
        return turnAway(reply, 503, 'the delivery cannot be stored', reasonOf(delivery));
      onEvent({ event: 'answered', delivery });
      return reply.send({ authorized: delivery.isAuthorized });
    },
  });
  return server;
};

export const CLOSE_MS = REQUEST_MS + PATIENCE_MS;

/**
 * Closes a server, which answers what arrived. A request that never ends is cut off: once a server closes, node no longer
 * watches the time of its requests, so one client could keep it open for ever.
 */
export const closeServer = async (server: FastifyInstance): Promise<void> => {
  const cut = setTimeout(() => server.server.closeAllConnections(), CLOSE_MS);
  await server.close().finally(() => clearTimeout(cut));
};

const NO_PATH = 'no such path';

/** Answers where there is no reply: a request that took too long, or no HTTP at all. */
const refuseConnection = (socket: Socket, status: 400 | 408): void => {
  const json = JSON.stringify({ authorized: false, error: REFUSALS[status] ?? 'not HTTP' });
  answerAndClose(socket, { status, reason: String(STATUS_CODES[status]), json });
};

const REFUSALS: Readonly<Record<number, string>> = {
  408: `the request took longer than ${REQUEST_MS} ms`,
  413: `the body is larger than ${BODY_MAX} bytes`,
  415: 'the content type is not application/json',
  500: 'internal error',
};

/** Compares in a time that depends on neither key: both are hashed first, so their lengths are equal. */
const keyCheck = (key: string): ((text: string | undefined) => boolean) => {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const expected = digest(key);
  return (text) => timingSafeEqual(digest(text ?? ''), expected) && text !== undefined;
};
