// Refusals written to a bare socket, where no request was understood well enough to have a reply.
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { refusal } from './refusals.ts';
import { writeJson } from './wire-json.ts';

/** How long a refused client may take to read its answer: one that never closes its side would hold the connection for ever. */
const LINGER_MS = 1_000;

/** Answers in the default shape and closes the connection. */
export const refuseSocket = (socket: Duplex, statusCode: number, message: string): void => {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { body } = refusal(statusCode, message);
  const json = writeJson({ ...body, reqId: randomUUID() });
  const head = [
    `HTTP/1.1 ${statusCode} ${String(body.error)}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(json)}`,
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${json}`);
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
};
