// The forms of settings: what a name, an address or a list in the environment must look like. src/config/config.ts reads them.
import { UsageError } from '../base/errors.ts';
import { STREAM_NAMES, type StreamName } from '../base/streams.ts';

export const ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** Whether a subaccount's id can name books of its own, beside those of the main account. */
export const isSubaccountId = (id: string, mainEntity: string): boolean =>
  ID.test(id) && !['main', 'all', mainEntity].includes(id);

export const isTimezone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return /^[A-Za-z]/.test(name); // an offset such as +01:00 has no summer time: not what a cut-off means
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

export const isPostgresUrl = (text: string): boolean =>
  URL.canParse(text) && /^postgres(ql)?:/.test(new URL(text).protocol);

export const isEntityList = (text: string): boolean => {
  const ids = text.split(',').map((id) => id.trim());
  return ids.every((id) => ID.test(id) && id !== 'all') && new Set(ids).size === ids.length;
};

/** What to write instead. */
export const LAG_HINT = `write hours from 1 to 8760, and others for a stream after commas, such as 48,movements=72 (${STREAM_NAMES.join(', ')})`;

/** `48` or `48,movements=72`: hours for every stream, and for those named; null where it says something else. */
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

/** Every mistake at once, as one UsageError. */
export const refuseMistakes = (mistakes: string[]): never => {
  const head = mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`;
  throw new UsageError(
    `${head} in the environment (or .env):\n${mistakes.map((line) => `  ${line}`).join('\n')}`,
  );
};

/** An address for a role says who connects, not to where: that is DATABASE_URL. */
export const homeless = (
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): string[] =>
  env.DATABASE_URL === undefined
    ? names
        .filter((name) => env[name] !== undefined)
        .map((name) => `${name} is set without DATABASE_URL: set that too, the address of the owner`)
    : [];
