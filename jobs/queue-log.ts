// What the job queue's package logs, as events of ours.
import { Logger } from 'graphile-worker';
import { showsStack } from '../src/config/config.ts';
import type { Tell } from '../src/run/events.ts';

/** The package writes the stack of an error below its message. */
const STACK = /':\n {2}.*$/s;

/** Warnings and errors of the queue, as events. */
export const loggerOf = (tell: Tell): Logger =>
  new Logger(() => (level, message) => {
    const shown = showsStack() ? message : message.replace(STACK, "'");
    if (['warning', 'error'].includes(level)) tell({ event: 'queue', message: shown.slice(0, 1_000) });
  });
