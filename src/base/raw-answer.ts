// An HTTP answer written to a bare socket, where no request was understood well enough to have a reply.
import type { Duplex } from 'node:stream';

/** How long a client may take to read its answer: one that never closes its side would hold the connection for ever. */
const LINGER_MS = 1_000;

type RawAnswer = { readonly status: number; readonly reason: string; readonly json: string };

/** Answers with JSON and closes the connection. */
export const answerAndClose = (socket: Duplex, { status, reason, json }: RawAnswer): void => {
  if (!socket.writable) return void socket.destroy();
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(json)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};
