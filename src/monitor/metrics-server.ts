// The metrics over HTTP: GET /metrics, for Prometheus. It has no key: it listens on loopback unless another address is given.
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FailedError } from '../base/errors.ts';
import { SECOND_MS } from '../base/time.ts';
import type { Database } from '../database/connection.ts';
import { type MetricsOptions, readMetrics } from './metrics.ts';

type MetricsPlace = MetricsOptions & {
  /** 0 picks a free one. */
  readonly port: number;
  readonly host?: string | undefined;
  /** Receives the reason why a reading failed. */
  readonly warn?: (text: string) => void;
  readonly readMs?: number;
};

type MetricsServer = { readonly url: string; readonly close: () => Promise<void> };

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';
const REQUEST_MS = 10_000;
/** A reader waits no longer: a database that has fallen silent may leave a statement without an answer for minutes. */
const READ_MS = 30_000;

/** Serves the metrics until `close`. Throws a FailedError if the port cannot be used. */
export const serveMetrics = async (
  { port, host = '127.0.0.1', warn = () => {}, readMs = READ_MS, ...options }: MetricsPlace,
  { db }: Pick<Database, 'db'>,
): Promise<MetricsServer> => {
  let reading: Promise<string> | null = null; // readers at the same time share one
  const read = (): Promise<string> => {
    reading ??= readMetrics(db, options).finally(() => {
      reading = null;
    });
    return reading;
  };
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    if (path !== '/metrics') return void response.writeHead(404).end('see /metrics\n');
    try {
      const text = await inTime(read(), readMs);
      response.writeHead(200, { 'content-type': TYPE }).end(text);
    } catch (error) {
      warn(`the metrics cannot be read: ${(error as Error).message}`);
      response.writeHead(503).end('the metrics cannot be read: see the log\n');
    }
  };
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
    (request, response) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      if (isLoopback(host) && !isOwnName(request.headers.host ?? ''))
        response.writeHead(421).end('unknown host: see the address of --metrics\n');
      else if (isRead) void answer((request.url ?? '').split('?')[0] ?? '', response);
      else response.writeHead(405, { allow: 'GET, HEAD' }).end();
    },
  );
  await listening(server, host, port);
  const { port: used } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${used}/metrics`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
};

/** The reading itself goes on, and later readers share it: a silent database holds one of our connections, not all of them. */
const inTime = async (reading: Promise<string>, limitMs: number): Promise<string> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(new FailedError(`the database has not answered for ${limitMs / SECOND_MS} s`)),
      limitMs,
    );
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
};

/** Where no other host reads, a page in a browser of this one might: under a name of its own that leads here. */
const isLoopback = (address: string): boolean => /^(?:127\.|::1$|localhost$)/.test(address);

/** A page of another origin cannot send an address, or the name localhost, as its own. */
const isOwnName = (host: string): boolean => /^(?:localhost|[\d.]+|\[[\da-f:.]+\])?(?::\d+)?$/i.test(host);

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((done, fail) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      fail(
        new FailedError(
          `${host} port ${port} cannot be used for metrics (${code}): choose another port or address, or end what listens there`,
        ),
      ),
    );
    server.listen(port, host, done);
  });
