// Complaints: the message in the body of a failed call, in any of the gateway's shapes (Errors, Error body shapes).
import { z } from 'zod';

const word = z.string().min(1).optional().catch(undefined);

/** A mistake inside a body; `path` leads to its field, which the message of a missing one names. */
const mistake = z
  .looseObject({ code: word, message: word, path: z.array(z.string()).catch([]) })
  .catch({ code: undefined, message: undefined, path: [] });

/** A violation of the request's schema; `errors` holds the mistakes inside a body. */
const violation = z
  .looseObject({
    code: word,
    message: word,
    in: word,
    name: word,
    errors: z.array(mistake).optional().catch(undefined),
  })
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
  const violations = errors.flatMap(mistakesIn).slice(0, VIOLATIONS_MAX).join('; ');
  const reason = error === message ? undefined : error;
  const says = words(', ', message ?? description, reason, data?.errorPayload?.code, errorCode, violations);
  return { says, requestId: reqId ?? null };
};

/** For a body each mistake with its field: the violation itself names only the body. */
const mistakesIn = ({ errors = [], ...whole }: z.output<typeof violation>): string[] => {
  const inside = whole.in === 'body' ? errors.filter(({ code }) => code !== undefined) : [];
  if (inside.length === 0) return [words(' ', whole.in, whole.name, whole.code, whole.message)];
  return inside.map(({ path, code, message }) => words(' ', 'body', path.join('.'), code, message));
};

const words = (between: string, ...parts: readonly (string | undefined)[]): string =>
  parts.filter((part) => part !== undefined && part !== '').join(between);
