// The log: its events with their levels, and the schema of a line. jobs/OPERATIONS.md says what each event means.
import { z } from 'zod';
import { isoOf, nowMs, stopwatch } from '../base/time.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

/** Every event. Lines of level debug are not written: they are too frequent for a log. */
export const EVENTS = {
  'run started': 'info',
  'run ended': 'info', // a warning if the exit code is 1, an error if it is more
  request: 'debug', // a warning if it failed, information if the gateway has no such thing (404)
  page: 'debug',
  stream: 'info',
  booking: 'debug',
  booked: 'info',
  returned: 'info',
  reconciled: 'info',
  read: 'info',
  skipped: 'info',
  'compared across': 'info',
  checked: 'info',
  rates: 'info',
  chart: 'info',
  valuing: 'debug',
  valued: 'info',
  drafted: 'info',
  exported: 'info',
  'export removed': 'info',
  'export stays': 'warn',
  'rebuilt differently': 'warn',
  connected: 'info',
  disconnected: 'warn',
  hint: 'info',
  answered: 'info',
  'turned away': 'warn',
  'worker started': 'info',
  metrics: 'info',
  'night waits': 'info',
  queued: 'info',
  freed: 'warn',
  'files moved': 'warn',
  queue: 'warn',
  warning: 'warn',
  failed: 'error',
} as const satisfies Readonly<Record<string, Level>>;

type EventName = keyof typeof EVENTS;

type Fact = string | number | boolean | null;

/** One event for a progress bar or a log line: a word and its facts. */
export type Event = { readonly event: EventName; readonly [fact: string]: Fact };
export type Tell = (event: Event) => void;

/** A line of the log. Further facts depend on the event. */
export const LOG_LINE = z
  .object({
    time: z.iso.datetime({ precision: 3 }),
    level: z.enum(LEVELS),
    event: z.enum(Object.keys(EVENTS) as [EventName, ...EventName[]]),
    /** As in books.runs; absent before a run begins and in commands without one. */
    run: z.uuid().optional(),
    /** Absent if the event is about no entity, or about all. */
    entity: z.string().optional(),
    /** How long the finished step took, in milliseconds. */
    duration_ms: z.number().nonnegative().optional(),
  })
  .catchall(z.union([z.string(), z.number(), z.boolean(), z.null()]));

type LogLine = z.infer<typeof LOG_LINE>;

const levelOf = ({ event, failure = null, exit_code: exitCode }: Event): Level => {
  if (event === 'request' && failure !== null) return failure === 'missing' ? 'info' : 'warn';
  if (event === 'run ended' && exitCode !== 0) return exitCode === 1 ? 'warn' : 'error';
  return EVENTS[event];
};

/** A fact's name in a log: `requestId` and `in-flight` become request_id and in_flight. */
const factName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replaceAll(/[^a-z0-9]+/g, '_');

/** The line of an event that happens now. */
export const logLineOf = (event: Event): LogLine => {
  const { event: name, run, entity, duration_ms: durationMs, ...facts } = event;
  return {
    time: isoOf(nowMs()),
    level: levelOf(event),
    event: name,
    ...(typeof run === 'string' && { run }),
    ...(typeof entity === 'string' && { entity }),
    ...(typeof durationMs === 'number' && { duration_ms: Math.round(durationMs) }),
    ...Object.fromEntries(Object.entries(facts).map(([fact, value]) => [factName(fact), value])),
  };
};

/** Does a step and tells its result with how long it took. */
export const timedStep = async <T extends object>(
  tell: Tell,
  event: Event,
  step: () => Promise<T>,
): Promise<T> => {
  const tookMs = stopwatch();
  const result = await step();
  tell({ ...event, ...(result as Readonly<Record<string, Fact>>), duration_ms: tookMs() });
  return result;
};
