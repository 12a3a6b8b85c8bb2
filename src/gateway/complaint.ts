// Complaints: the message in the body of a failed call, in any of the gateway's shapes (Errors, Error body shapes).
import { z } from 'zod';

const word = z.string().min(1).optional().catch(undefined);

/** A violation of the request's schema; `errors` holds the mistakes inside a body. */
const violation = z
  .looseObject({ code: word, message: word, in: word, name: word })
  .catch({ code: undefined, message: undefined, in: undefined, name: undefined });

const shape = z.looseObject({
  description: word, // invalid credentials
  message: word,
  error: word,
  errors: z.array(violation).optional().catch(undefined), // validation errors
  errorCode: word, // the price chart, in place of statusCode
  reqId: word,
  data: z
    .looseObject({ errorPayload: z.looseObject({ code: word }).optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

type Complaint = { readonly says: string; readonly requestId: string | null };

/** Further violations are omitted. */
const VIOLATIONS_MAX = 3;

/** The message in the parsed body of a failed call; empty if it has none of the known shapes. */
export const complaint = (body: unknown): Complaint => {
  const read = shape.safeParse(body);
  if (!read.success) return { says: '', requestId: null };
  const { description, message, error, errors = [], errorCode, data, reqId } = read.data;
  const violations = errors
    .slice(0, VIOLATIONS_MAX)
    .map((error) => words(' ', error.in, error.name, error.code, error.message))
    .join('; ');
  const reason = error === message ? undefined : error;
  const says = words(', ', message ?? description, reason, data?.errorPayload?.code, errorCode, violations);
  return { says, requestId: reqId ?? null };
};

const words = (between: string, ...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(between);
