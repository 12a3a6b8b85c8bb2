// The log on standard error: lines of JSON if standard error is not a terminal, or with --json; otherwise sentences.
import { visible } from '../base/json.ts';
import type { Event, Tell } from '../run/events.ts';
import { logLineOf } from '../run/run.ts';

let isJson = false;

/** The commands that write a log. The errors of others are sentences, unless they are called with --json. */
const LOGGING = new Set([
  'demo',
  'nightly',
  'extract',
  'normalize',
  'reconcile',
  'export',
  'rebuild',
  'listen',
  'serve',
  'worker',
]);

type Logger = { readonly command: string; readonly json: boolean };

/** Chooses the form of the log for a command. */
export const chooseLog = ({ command, json }: Logger): void => {
  isJson = json || (LOGGING.has(command) && !process.stderr.isTTY);
};

/** Whether errors and warnings are lines of JSON. */
export const isJsonLog = (): boolean => isJson;

/** An event as a line of JSON. */
export const logText = (event: Event): string => `${visible(JSON.stringify(logLineOf(event)))}\n`;

/** Writes an event to the log, unless it is too frequent for one. */
export const writeLog = (event: Event): void => {
  const line = logLineOf(event);
  if (line.level !== 'debug') process.stderr.write(`${visible(JSON.stringify(line))}\n`);
};

/**
 * Writes the events of books to the log. A request belongs to the entity whose account sends it: the gateway knows its subaccount,
 * and none for the main account.
 */
export const logOf =
  (mainEntity: string): Tell =>
  (event) =>
    writeLog(event.event === 'request' ? { entity: event.subaccount ?? mainEntity, ...event } : event);
