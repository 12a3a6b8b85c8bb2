// Validation errors: the faults of a part of a request, in the seven violation codes of the specification.
import type { z } from 'zod';
import type { Wire, WireObject } from './wire-json.ts';

type Issue = z.core.$ZodIssue;

/** The part of the request that a value is in. */
export type Place = 'body' | 'query' | 'path' | 'header';

type Violation = { readonly code: string; readonly message: string; readonly params: readonly Wire[] };

/** The elements of `errors` for one part: one for each parameter; for a body, one with the name `data`. */
export const errorsIn = (place: Place, sent: unknown, issues: readonly Issue[]): WireObject[] => {
  const flat = issues.flatMap(leaves);
  if (place === 'body') return [entry(place, 'data', { sent, issues: flat, isInner: true })];
  const names = [...new Set(flat.map(({ path }) => String(path[0] ?? '')))];
  return names.map((name) => {
    const own = flat.filter(({ path }) => String(path[0] ?? '') === name);
    return entry(place, name, { sent, issues: own, isInner: false });
  });
};

/** The issues of a union are those of the form that fits best. */
const leaves = (issue: Issue): Issue[] => {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return [issue];
  const [best = []] = [...issue.errors].sort((a, b) => a.length - b.length);
  return best.flatMap((inner) => leaves({ ...inner, path: [...issue.path, ...inner.path] }));
};

type Faults = { readonly sent: unknown; readonly issues: readonly Issue[]; readonly isInner: boolean };

const entry = (place: Place, name: string, { sent, issues, isInner }: Faults): WireObject => {
  const errors = issues.map((issue) => {
    const { code, message, params } = violation(issue, valueIn(sent, issue.path), isInner);
    const path = issue.path.slice(isInner ? 0 : 1).map(String);
    const isMissing = code === 'OBJECT_MISSING_REQUIRED_PROPERTY';
    return { code, message, description: '', params, path: isMissing ? path.slice(0, -1) : path };
  });
  const { code = 'INVALID_TYPE', message = '' } = errors[0] ?? {};
  const path = isInner ? [place] : [place, name];
  return { code, message: `Invalid parameter (${name}): ${message}`, in: place, name, path, errors };
};

/** The value at a path of what was sent; only own members are looked up. */
const valueIn = (sent: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[key]
        : undefined,
    sent,
  );

/**
 * The code of a fault. The specification has no code for what is too small or too short: it is a PATTERN (assumption
 * A-VIOLATIONS).
 */
const violation = (issue: Issue, value: unknown, isInner: boolean): Violation => {
  if (value === undefined && issue.path.length > 0) return missing(String(issue.path.at(-1)), isInner);
  if (issue.code === 'invalid_value') return mismatch(value);
  if (issue.code === 'too_big') return tooBig(value, issue);
  if (issue.code === 'too_small') return unmatched(issue.origin === 'number' ? '^[1-9]\\d*$' : '^.+$', value);
  if (issue.code === 'invalid_format') return misformed(issue, value);
  return wrongType('expected' in issue ? String(issue.expected) : 'object', value);
};

const missing = (name: string, isInner: boolean): Violation =>
  isInner
    ? {
        code: 'OBJECT_MISSING_REQUIRED_PROPERTY',
        message: `Missing required property: ${name}`,
        params: [name],
      }
    : { code: 'REQUIRED', message: 'Value is required but was not provided', params: [] };

const mismatch = (value: unknown): Violation => ({
  code: 'ENUM_MISMATCH',
  message: `No enum match for: ${shown(value)}`,
  params: [shown(value)],
});

const tooBig = (value: unknown, { origin, maximum }: z.core.$ZodIssueTooBig): Violation => {
  const allowed = Number.parseInt(String(maximum), 10);
  if (origin !== 'string') {
    const size = Math.min(Number.parseInt(String(value), 10), Number.MAX_SAFE_INTEGER);
    return {
      code: 'MAXIMUM',
      message: `Value ${size} is greater than maximum ${allowed}`,
      params: [size, allowed],
    };
  }
  const size = String(value).length;
  const message = `String is too long (${size} chars), maximum ${allowed}`;
  return { code: 'MAX_LENGTH', message, params: [size, allowed] };
};

const misformed = (issue: z.core.$ZodIssueInvalidStringFormat, value: unknown): Violation => {
  const pattern =
    issue.pattern === undefined ? issue.format : String(issue.pattern).replace(/^\/|\/[a-z]*$/g, '');
  return pattern === WHOLE && !/^-?\d+$/.test(String(value))
    ? wrongType('integer', value)
    : unmatched(pattern, value);
};

/** The pattern of a whole number in a query. */
const WHOLE = '^\\d+$';

const unmatched = (pattern: string, value: unknown): Violation => ({
  code: 'PATTERN',
  message: `String does not match pattern ${pattern}: ${shown(value)}`,
  params: [pattern, shown(value)],
});

const wrongType = (expected: string, value: unknown): Violation => {
  const actual = typeOf(value);
  return {
    code: 'INVALID_TYPE',
    message: `Expected type ${expected} but found type ${actual}`,
    params: [expected, actual],
  };
};

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;

const SHOWN_MAX = 500;

/** A value as text, shortened. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, SHOWN_MAX);
