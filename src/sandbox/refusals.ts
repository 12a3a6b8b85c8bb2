// Every answer that is not the data: the specification's three error shapes (Errors).
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import type { Wire, WireObject } from './wire-json.ts';
import { writeJson } from './wire-json.ts';

export type Refusal = { readonly statusCode: number; readonly body: WireObject };

const NAMES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  418: "I'm a Teapot",
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
};

/** The default shape; `refuse` adds `reqId`. */
export const refusal = (statusCode: number, message: string): Refusal => ({
  statusCode,
  body: { message, error: NAMES[statusCode] ?? 'Error', statusCode, data: {} },
});

/** 403 before any processing: a fixed text that does not reveal what was wrong. */
export const invalidCredentials = (): Refusal => ({
  statusCode: 403,
  body: { code: 403, description: 'Invalid credentials' },
});

/** 400 for a query that violates the operation's schema. */
export const invalidQuery = (
  issues: readonly z.core.$ZodIssue[],
  query: Readonly<Record<string, unknown>>,
): Refusal => ({
  statusCode: 400,
  body: { message: 'Validation errors', errors: issues.flatMap((issue) => violations(issue, query)) },
});

const violations = (issue: z.core.$ZodIssue, query: Readonly<Record<string, unknown>>): WireObject[] => {
  const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? '')];
  return names.map((name) => {
    const { code, params } = violation(issue, query[name]);
    const message = 'Value failed JSON Schema validation';
    const inner = { code, message: issue.message, description: '', params, path: [] };
    return {
      code: 'SCHEMA_VALIDATION_FAILED',
      message,
      in: 'query',
      name,
      path: ['query', name],
      errors: [inner],
    };
  });
};

type Violation = { readonly code: string; readonly params: readonly Wire[] };

/** The violation codes of the specification and their params; a size is listed before the allowed values. */
const violation = (issue: z.core.$ZodIssue, value: unknown): Violation => {
  const sent = Array.isArray(value) ? value.map(String) : String(value);
  if (issue.code === 'too_big') return { code: 'MAXIMUM', params: [size(sent), size(String(issue.maximum))] };
  if (issue.code === 'too_small')
    return { code: 'MINIMUM', params: [size(sent), size(String(issue.minimum))] };
  if (issue.code === 'invalid_value') return { code: 'ENUM_MISMATCH', params: [sent] };
  if (issue.code === 'unrecognized_keys') return { code: 'OBJECT_ADDITIONAL_PROPERTIES', params: [sent] };
  if (issue.code !== 'invalid_format') return { code: 'INVALID_TYPE', params: ['string', typeof value] };
  const pattern = 'pattern' in issue ? String(issue.pattern).replace(/^\/|\/$/g, '') : issue.format;
  if (pattern.includes('\\d{1,9}')) return { code: 'INVALID_TYPE', params: ['integer', 'string'] };
  return { code: 'PATTERN', params: [pattern, sent] };
};

/** A size in a query, never money. */
const size = (text: string | readonly string[]): number => Number.parseInt(String(text), 10);

/** Sends JSON whose numbers are exact. */
export const send = (reply: FastifyReply, statusCode: number, body: Wire): FastifyReply =>
  reply.code(statusCode).type('application/json; charset=utf-8').send(writeJson(body));

/** Sends a refusal; the default shape names the request. */
export const refuse = (reply: FastifyReply, { statusCode, body }: Refusal): FastifyReply =>
  send(reply, statusCode, 'error' in body ? { ...body, reqId: reply.request.id } : body);
