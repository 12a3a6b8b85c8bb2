// Validation of a request by the schemas of its operation. What the specification does not name is ignored.
import { z } from 'zod';
import { NestingError, parseExact } from '../base/json.ts';
import type { Operation } from '../gateway/contract/operation.ts';
import { DELIVERIES } from './access/second-factor.ts';
import { type Refusal, refusal, validationErrors } from './refusals.ts';
import { errorsIn, type Place } from './violations.ts';

/** What a client sent: parameters as text, and the bytes of the body. */
type Sent = {
  readonly params: unknown;
  readonly query: unknown;
  readonly headers: unknown;
  readonly body: Uint8Array | null;
};

/** What the schemas made of it. */
export type Valid = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | number | undefined>>;
  readonly body: unknown;
};

type Schemas = Pick<Operation, 'pathParts' | 'query' | 'body' | 'totp'>;

/** The header parameters that the specification names for signing in by embed token; a wrong code elsewhere is 420. */
const totpHeaders = z.looseObject({
  'x-totp': z
    .string()
    .regex(/^[0-9]{4,6}$/)
    .optional(),
  'x-totp-type': z.enum(DELIVERIES).optional(),
});

/** Every fault of path, query, headers and body at once; or the values. */
export const validated = (operation: Schemas, sent: Sent): Valid | Refusal => {
  const { pathParts, query, body, totp } = operation;
  const content = bodyOf(body === undefined ? null : sent.body);
  if ('statusCode' in content) return content;
  const parts = [
    check('path', pathParts, sent.params),
    check('query', query, sent.query),
    check('header', totp === 'when-forced' ? totpHeaders : undefined, sent.headers),
    check('body', body, withoutEmpty(body, content.json)),
  ] as const;
  const errors = parts.flatMap((part) => part.errors);
  if (errors.length > 0) return validationErrors(errors);
  const [params, search, , json] = parts.map(({ value }) => value);
  return { params: params as Valid['params'], query: search as Valid['query'], body: json };
};

/** The body as JSON; undefined if none was sent. */
const bodyOf = (bytes: Uint8Array | null): { readonly json: unknown } | Refusal => {
  if (bytes === null) return { json: undefined };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    parseExact(text); // refuses JSON that is nested too deeply
    return { json: JSON.parse(text) };
  } catch (error) {
    if (error instanceof NestingError) return refusal(400, 'The body is nested too deeply');
    if (error instanceof SyntaxError || error instanceof TypeError)
      return refusal(400, 'The body is not JSON');
    throw error;
  }
};

/** An operation that needs no body takes an empty object as none; one that needs it takes none as an empty object. */
const withoutEmpty = (schema: z.ZodType | undefined, body: unknown): unknown => {
  const isOptional = schema?.safeParse(undefined).success === true;
  if (isOptional) return isEmpty(body) ? undefined : body;
  return body === undefined ? {} : body;
};

const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

type Checked = { readonly value: unknown; readonly errors: ReturnType<typeof errorsIn> };

/** Rounds of removing unknown members: each reaches one level further. */
const ROUNDS_MAX = 8;

const check = (place: Place, schema: z.ZodType | undefined, sent: unknown): Checked => {
  if (schema === undefined) return { value: sent, errors: [] };
  for (let round = 0; ; round += 1) {
    const result = schema.safeParse(sent);
    if (result.success) return { value: result.data, errors: [] };
    const faults = result.error.issues.filter((issue) => !isUnknown(issue));
    if (faults.length > 0 || round === ROUNDS_MAX)
      return { value: sent, errors: errorsIn(place, sent, faults) };
    for (const issue of result.error.issues) removeUnknown(sent, issue);
  }
};

/** Whether an issue is only about members that no schema names. */
const isUnknown = (issue: z.core.$ZodIssue): boolean =>
  issue.code === 'unrecognized_keys' ||
  (issue.code === 'invalid_union' && issue.errors.some((form) => form.length > 0 && form.every(isUnknown)));

const removeUnknown = (sent: unknown, issue: z.core.$ZodIssue): void => {
  if (issue.code === 'invalid_union') {
    const form = issue.errors.find((candidate) => candidate.every(isUnknown)) ?? [];
    for (const inner of form) removeUnknown(sent, { ...inner, path: [...issue.path, ...inner.path] });
    return;
  }
  if (issue.code !== 'unrecognized_keys') return;
  const holder = issue.path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>>)[key],
    sent,
  );
  for (const key of issue.keys) delete (holder as Record<string, unknown>)[key];
};
