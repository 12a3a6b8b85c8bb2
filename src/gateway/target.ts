// Targets: path and query of a call. The text made here is both signed and sent.
import { storable } from '../base/json.ts';
import type { Operation } from './contract/operation.ts';
import { GatewayError } from './errors.ts';

export type TargetRequest = {
  /** The subaccount's user id; absent for the main account. */
  readonly subaccount?: string | undefined;
  /** The `{name}` parts of the operation's path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** How many requests the list still needs, with this one, if that is known: the budget shares a minute by it. */
  readonly left?: number | undefined;
};

/**
 * The request target: path and percent-encoded query (Signature rule: the path includes the query string).
 * Throws `invalid` if a header cannot hold the subaccount, or if a part of the path is missing or a server would resolve it
 * to another path.
 */
export const targetOf = (
  operation: Operation,
  { path = {}, query = {}, subaccount }: TargetRequest,
): string => {
  if (subaccount !== undefined && !/^[!-~]{1,200}$/.test(subaccount))
    throw unsendable(operation, 'the id of the subaccount is none that a header can hold');
  const filled = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = path[name] ?? '';
    if (!isPathPart(part))
      throw unsendable(operation, `the path needs a ${name}, not ${JSON.stringify(part.slice(0, 80))}`);
    return encodeURIComponent(part);
  });
  const present = Object.entries(query).filter(([, value]) => value !== undefined);
  const encoded = new URLSearchParams(
    present.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return encoded === '' ? filled : `${filled}?${encoded}`;
};

/** A longer part of a target is refused. */
const PART_MAX = 2_000;

/** Whether a text from outside survives encoding in a target: no control character, no lone surrogate. */
export const isSendable = (text: string): boolean =>
  text.length <= PART_MAX && storable(text) === text && !/\p{Cc}/u.test(text);

/** Whether a text from outside can be one part of a path: sendable, and not resolved to another path by a server. */
export const isPathPart = (text: string): boolean => isSendable(text) && !/^\.{0,2}$/.test(text);

/** The error of a request that is not sent: what is wrong with it. */
export const unsendable = (operation: Operation, detail: string): GatewayError => {
  const nothing = { status: null, requestId: null, tries: 0 };
  return new GatewayError({ failure: 'invalid', ...nothing, operation, target: operation.path, detail });
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origin of a base URL. Throws, with what to set instead, if it is not an https origin (http only on loopback:
 * credentials and money never travel unencrypted).
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

/** The URL of a WebSocket. Throws, with what to set instead, if it is neither wss nor ws on loopback, or holds credentials. */
export const socketUrlOf = (text: string): string => {
  if (!URL.canParse(text))
    throw new Error('the URL of the notification socket is not a URL; give one like wss://host/v1');
  const url = new URL(text);
  const loopback = url.protocol === 'ws:' && LOOPBACK.test(url.hostname);
  if (url.protocol !== 'wss:' && !loopback) {
    throw new Error(
      `the URL of the notification socket must be wss (ws is for loopback only): ${url.protocol}//${url.host}`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new Error('the URL of the notification socket must not hold credentials');
  return url.href;
};
