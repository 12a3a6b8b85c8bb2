// What the job queue's package logs, as events of ours.
import { format } from 'node:util';
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

const PRINTING = ['trace', 'error', 'warn'] as const;

/** What the package prints beside its logger, stacks among it, as events too: a line that is no JSON breaks a log. Returns what ends that. */
export const printedOf = (tell: Tell): (() => void) => {
  const { console: printer } = globalThis;
  const before = PRINTING.map((name) => [name, printer[name]] as const);
  for (const name of PRINTING)
    printer[name] = (...words: unknown[]) => {
      const [line = ''] = format(...words).split('\n');
      tell({ event: 'queue', message: line.slice(0, 1_000) });
    };
  return () => {
    for (const [name, print] of before) printer[name] = print;
  };
};
