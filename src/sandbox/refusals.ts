// Every answer that is not the data: the specification's three error shapes (Errors).
import type { FastifyReply } from 'fastify';
import type { Wire, WireObject } from './wire-json.ts';
import { writeJson } from './wire-json.ts';

export type Refusal = { readonly statusCode: number; readonly body: WireObject };

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  420: 'Invalid Two-Factor Code',
  422: 'Unprocessable Entity',
  423: 'Locked',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
};

/** The default shape; `refuse` adds `reqId`. */
export const refusal = (statusCode: number, message: string): Refusal => refusalWith(statusCode, message, {});

/** The default shape with data. */
export const refusalWith = (statusCode: number, message: string, data: WireObject): Refusal => ({
  statusCode,
  body: { message, error: NAMES[statusCode] ?? 'Error', statusCode, data },
});

/** 403 before any processing: a fixed text that does not reveal what was wrong. */
export const invalidCredentials = (): Refusal => ({
  statusCode: 403,
  body: { code: 403, description: 'Invalid credentials' },
});

/** 400 for what violates the schema of an operation: one element for each parameter, and one for the body. */
export const validationErrors = (errors: readonly WireObject[]): Refusal => ({
  statusCode: 400,
  body: { message: 'Validation errors', errors },
});

/** Sends JSON whose numbers are exact. */
export const send = (reply: FastifyReply, statusCode: number, body: Wire): FastifyReply =>
  reply.code(statusCode).type('application/json; charset=utf-8').send(writeJson(body));

/** Sends a refusal; the default shape names the request. */
export const refuse = (reply: FastifyReply, { statusCode, body }: Refusal): FastifyReply =>
  send(reply, statusCode, 'error' in body ? { ...body, reqId: reply.request.id } : body);
