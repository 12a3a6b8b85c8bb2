// Requests of the whole contract: checked before anything is sent, and written as they are signed and sent.
import type { Totp } from './attempt.ts';
import type { Operation } from './contract/operation.ts';
import { type TargetRequest, targetOf, unsendable } from './target.ts';

/** What a caller passes to a method; its types are in methods.ts. */
export type AnyRequest = TargetRequest & {
  readonly body?: unknown;
  readonly totp?: Totp;
};

type Written = Pick<AnyRequest, 'subaccount' | 'totp'> & {
  readonly target: string;
  /** Compact JSON; undefined if there is none. An empty object is a body. */
  readonly body: string | undefined;
};

/**
 * Writes a request as the contract wants it. Throws a GatewayError `invalid` that names each wrong field; nothing is sent.
 */
export const writeRequest = (operation: Operation, request: AnyRequest): Written => {
  const { path, query = {}, body, subaccount, totp } = request;
  const texts = Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Number.isSafeInteger(value) ? String(value) : value]),
  );
  const faults = [
    ...(operation.pathParts === undefined ? [] : faultsOf('path', operation.pathParts, path ?? {})),
    ...faultsOf('query', operation.query, texts),
    ...bodyFaults(operation, body),
    ...totpFaults(operation, request),
  ];
  if (faults.length > 0) throw unsendable(operation, faults.join('; '));
  const target = targetOf(operation, { ...(path && { path }), query: texts, subaccount });
  const written = { target, body: body === undefined ? undefined : JSON.stringify(body) };
  return { ...written, subaccount, ...(totp && { totp }) };
};

type Schema = Operation['query'] | NonNullable<Operation['body']>;

/** A longer list of faults is cut. */
const FAULTS_MAX = 10;

const faultsOf = (place: string, schema: Schema, value: unknown): string[] => {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues
    .slice(0, FAULTS_MAX)
    .map(({ path, message }) => `${[place, ...path.map(String)].join('.')}: ${message}`);
};

const bodyFaults = ({ body: schema }: Operation, body: unknown): string[] => {
  if (schema !== undefined) return faultsOf('body', schema, body);
  return body === undefined ? [] : ['body: the operation takes none'];
};

const TYPES = ['gauth', 'email', 'sms', 'call', 'whatsapp'];

/** The type is always gauth for subaccounts, and for operations that take no other (Signed request headers). */
const totpFaults = (operation: Operation, { totp, subaccount }: AnyRequest): string[] => {
  if (totp === undefined) return [];
  const { code, type = 'gauth' } = totp;
  const isGauthOnly = subaccount !== undefined || operation.totp === 'gauth';
  return [
    ...(/^[0-9]{4,6}$/.test(code) ? [] : ['totp.code: 4 to 6 digits']),
    ...(TYPES.includes(type) ? [] : [`totp.type: one of ${TYPES.join(', ')}`]),
    ...(isGauthOnly && type !== 'gauth' ? ['totp.type: always gauth here'] : []),
  ];
};
