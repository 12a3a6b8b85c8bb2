// Refusals written to a bare socket, where no request was understood well enough to have a reply.
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { answerAndClose } from '../base/raw-answer.ts';
import { refusal } from './refusals.ts';
import { writeJson } from './wire-json.ts';

/** Answers in the default shape and closes the connection. */
export const refuseSocket = (socket: Duplex, status: number, message: string): void => {
  const { body } = refusal(status, message);
  const json = writeJson({ ...body, reqId: randomUUID() });
  answerAndClose(socket, { status, reason: String(body.error), json });
};
