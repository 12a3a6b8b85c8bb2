// The formats of settings: names, addresses and lists in the environment. src/config/config.ts uses them.
import { UsageError } from '../base/errors.ts';
import { STREAM_NAMES, type StreamName } from '../base/streams.ts';

/** Environment variables by name, as the shell passes them. */
export type Env = Readonly<Record<string, string | undefined>>;

export const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a subaccount's id can name its own books without a clash with the main account's. */
export const isSubaccountId = (id: string, mainEntity: string): boolean =>
  ID.test(id) && !['main', 'all', mainEntity].includes(id);

/** Three letters are an offset to Postgres and a place to Node: CET is without summer time there, and IST is Israel's or India's. */
const ABBREVIATION = /^(?!UTC$|GMT$)[A-Z]{3}$/i;

export const isTimezone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // an offset such as +01:00 has no summer time, so it cannot define a cut-off
    return /^[A-Za-z]/.test(name) && !ABBREVIATION.test(name);
  } catch {
    return false;
  }
};

export const isOrigin = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || url.username || url.password || url.pathname !== '/' || /[?#]/.test(text)) return false;
  const loopback =
    url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d+){3}$/.test(url.hostname);
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback);
};

/** wss, or ws on loopback, without credentials: where the notification socket may be. */
export const isSocketUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  return (
    url !== null &&
    /^wss?:/.test(url.protocol) &&
    !url.hash &&
    isOrigin(url.origin.replace(/^ws/, 'http')) &&
    !url.username &&
    !url.password
  );
};

/** The socket beside a base URL: the specification writes {ws_url}/v1. */
export const socketUrlBeside = (baseUrl: string): string =>
  `${new URL(baseUrl).origin.replace(/^http/, 'ws')}/v1`;

/** Whether what connects can decode an address: a percent sign in a password is written %25. */
const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
};

/** An address with a host, or with the folder of a socket as `?host=`: without either it would be whatever server is near. */
export const isPostgresUrl = (text: string): boolean => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol) || !isDecodable(text)) return false;
  return url.hostname !== '' || Boolean(url.searchParams.get('host'));
};

export const isEntityList = (text: string): boolean => {
  const ids = text.split(',').map((id) => id.trim());
  return ids.every((id) => ID.test(id) && id !== 'all') && new Set(ids).size === ids.length;
};

/** The text of an error: what to write instead. */
export const LAG_HINT = `write hours from 1 to 8760, and others for a stream after commas, such as 48,movements=72 (${STREAM_NAMES.join(', ')})`;

/** Reads `48` or `48,movements=72`: hours for every stream, and for the streams that are named. Null for any other text. */
export const lagsOf = (text: string): Record<StreamName, number> | null => {
  const [byDefault = '', ...others] = text.split(',').map((part) => part.trim());
  const perStream = others.map((part) => part.split('='));
  const hours = [byDefault, ...perStream.map(([, value]) => value ?? '')];
  const isHours = (value: string) => /^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= 8760;
  if (!hours.every(isHours) || !perStream.every(([name]) => STREAM_NAMES.includes(name as StreamName)))
    return null;
  const all = STREAM_NAMES.map(
    (name) => [name, Number(perStream.find(([it]) => it === name)?.[1] ?? byDefault)] as const,
  );
  return Object.fromEntries(all) as Record<StreamName, number>;
};

/** Whether a text is an http or https address; any other text without a scheme names a program. */
export const isHttpAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** An address without credentials, or a program with its arguments. */
export const isNoticeTarget = (text: string): boolean => {
  if (!isHttpAddress(text)) return text.trim() !== '' && !/^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && url.username === '' && url.password === '';
};

/** Reports every mistake in one UsageError. */
export const refuseMistakes = (mistakes: string[]): never => {
  const head = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  throw new UsageError(
    `${head} in the environment (or .env):\n${mistakes.map((line) => `  ${line}`).join('\n')}`,
  );
};

/** A role's address only selects the login; DATABASE_URL selects the database, so it is required with it. */
export const homeless = (names: readonly string[], env: Env): string[] =>
  env.DATABASE_URL === undefined
    ? names
        .filter((name) => env[name] !== undefined)
        .map((name) => `${name} is set without DATABASE_URL: set that too, the address of the owner`)
    : [];
