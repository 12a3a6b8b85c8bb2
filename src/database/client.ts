// The clients of pg, which speak the protocol: their settings, how values are parsed, and what no client of ours does.
import type { Socket } from 'node:net';
import pg from 'pg';
import { isCopy, sendCopy } from './copy.ts';
import { settingsIn } from './session-settings.ts';
import { watchAnswers } from './silence.ts';
import { textParser } from './values.ts';

/** One dedicated connection, for session locks and administration. */
export type Session = pg.Client;
/** A connection from a pool, or a dedicated one. */
export type Connection = pg.ClientBase;

/** What pg's types leave out of a session: the server's process of it, and the socket to that. */
type Inner = { readonly processID: number | null; readonly connection: { readonly stream: Socket } };

/** What pg's types leave out of a pool: its clients, also those that are connecting, and who waits for one. */
type InnerPool = {
  readonly _clients: readonly Connection[];
  readonly _pendingQueue: { readonly callback: (error: Error) => void }[];
};

/** The socket of a session, to end one whose server does not answer, or that receives too much. */
export const socketOf = (session: Connection): Socket => (session as unknown as Inner).connection.stream;
/** The process of the server that serves a session; null while it is connecting. */
export const processOf = (session: Connection): number | null => (session as unknown as Inner).processID;
/** The clients of a pool, in use, idle or still connecting. */
export const clientsOf = (pool: pg.Pool): readonly Connection[] => [
  ...(pool as unknown as InnerPool)._clients,
];

const CONNECT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/** After a signal an answer is waited for no longer: the server may be gone without a word. */
const STOP_MS = 2_000;

/** The settings of a client that works after a signal. */
export const STOPPING: pg.ClientConfig = { connectionTimeoutMillis: STOP_MS, query_timeout: STOP_MS };

const known = (oid: number) => pg.types.getTypeParser(oid, 'text') as (text: string) => unknown;
/** Type parsers per connection; pg's global ones may serve other code in the process. */
const types = { getTypeParser: (oid: number) => textParser(oid, known) } as unknown as pg.CustomTypesConfig;

/** The settings of a client of the database at `url`. */
export const clientConfig = (
  url: string,
  name: string,
  settings: readonly string[] = [],
): pg.ClientConfig => ({
  connectionString: settingsIn(url, name, settings),
  types,
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS, // so that no router forgets an idle connection
  connectionTimeoutMillis: CONNECT_MS,
});

/**
 * The server asks for the password itself. It could be any server; with SCRAM both sides prove that they know the
 * password.
 */
export class RefusedChallenge extends Error {
  override readonly name = 'RefusedChallenge';
  constructor() {
    super(
      'asks for the password in clear text or as MD5, but tieout only accepts SCRAM-SHA-256: set password_encryption and ' +
        'the method in pg_hba.conf on that server to scram-sha-256, then set the password again',
    );
  }
}

const LEAVE_MS = 2_000;

type Connected = (error?: Error | null, ...rest: unknown[]) => void;

/** A look at the sessions of a server that may be silent. */
const LOOKING: pg.ClientConfig = { connectionTimeoutMillis: CONNECT_MS, query_timeout: CONNECT_MS };

/**
 * A client that never sends the password itself, because this replaces pg's only method that would, that runs a COPY whose
 * values are its data, that waits for no answer that is lost, and that takes leave of a server which is silent or refuses it: pg would
 * wait for it to close the connection, and the process with it.
 */
export function Client(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  if (config.query_timeout === undefined) watchAnswers(client, () => Client({ ...config, ...LOOKING }));
  const { connection } = client as unknown as {
    connection: { password: () => void; stream: { destroy(error: Error): void } };
  };
  connection.password = () => connection.stream.destroy(new RefusedChallenge());
  const query = client.query.bind(client) as (...statement: unknown[]) => unknown;
  client.query = ((text: unknown, ...rest: unknown[]) =>
    isCopy(text, rest[0]) ? sendCopy(client, text, rest[0]) : query(text, ...rest)) as typeof client.query;
  const connect = client.connect.bind(client) as (done?: Connected) => Promise<pg.Client> | undefined;
  const leave = (error?: Error | null) => void (error && socketOf(client).destroy());
  client.connect = ((done?: Connected) =>
    done
      ? connect((error, ...rest) => {
          leave(error);
          done(error, ...rest);
        })
      : connect()?.catch((error) => {
          leave(error);
          throw error;
        })) as typeof client.connect;
  const end = client.end.bind(client) as (...done: unknown[]) => unknown;
  client.end = ((...done: unknown[]) => {
    const silent = setTimeout(() => socketOf(client).destroy(), LEAVE_MS).unref();
    client.once('end', () => clearTimeout(silent));
    return end(...done);
  }) as typeof client.end;
  return client;
}

/**
 * A pool of such clients. A connection that is lost while no query runs on it fails the next one, not the process. Once the pool
 * ends, whoever waits for a connection fails as later ones do: pg would let them wait until their time is over.
 */
export const poolOf = (config: Omit<pg.PoolConfig, 'Client'>): pg.Pool => {
  const pool = new pg.Pool({ ...config, Client: Client as unknown as NonNullable<pg.PoolConfig['Client']> });
  pool.on('error', () => {}); // an idle one, which the next query replaces
  pool.on('connect', (client) => client.on('error', () => {})); // a borrowed one
  const end = pool.end.bind(pool) as () => Promise<void>;
  pool.end = (): Promise<void> => {
    const ended = end();
    for (const { callback } of (pool as unknown as InnerPool)._pendingQueue.splice(0))
      callback(new Error('Cannot use a pool after calling end on the pool'));
    return ended;
  };
  return pool;
};
