// Targets: where a call goes. The text made here is the text that is signed and the text that is sent.
import type { Operation } from './contract.ts';
import { GatewayError } from './errors.ts';

export type Ask = {
  /** The subaccount's user id; absent for the main account. */
  readonly subaccount?: string | undefined;
  /** The `{name}` parts of the operation's path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
};

/**
 * The request target: path and percent-encoded query (Signature rule: the path includes the query string).
 * Throws `invalid` where a part of the path is missing, or is one that a server would resolve to another path.
 */
export const targetOf = (operation: Operation, { path = {}, query = {} }: Ask): string => {
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = path[name] ?? '';
    if (/^\.{0,2}$/.test(part)) throw notAPath(operation, `the path needs a ${name}, not '${part}'`);
    return encodeURIComponent(part);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const encoded = new URLSearchParams(
    given.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return encoded === '' ? filled : `${filled}?${encoded}`;
};

const notAPath = ({ name, path }: Operation, detail: string): GatewayError => {
  const nothing = { status: null, requestId: null, tries: 0 };
  return new GatewayError({ failure: 'invalid', ...nothing, operation: name, target: path, detail });
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origin of a base URL. Throws, with what to set instead, where it is not an https origin
 * (http is for loopback only: credentials and money do not travel in the clear).
 */
export const originOf = (baseUrl: string): string => {
  if (!URL.canParse(baseUrl))
    throw new Error('the gateway base URL is not a URL; give one like https://host');
  const url = new URL(baseUrl);
  const loopback = url.protocol === 'http:' && LOOPBACK.test(url.hostname);
  if (url.protocol !== 'https:' && !loopback) {
    throw new Error(
      `the gateway base URL must be https (http is for loopback only): ${url.protocol}//${url.host}`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new Error('the gateway base URL must not hold credentials');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    throw new Error(`the gateway base URL must be an origin, without path or query: ${url.origin}`);
  }
  return url.origin;
};
