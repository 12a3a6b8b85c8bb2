// The log: its events with their levels and meanings, and the schema of a line. jobs/README.md lists the same table.
import { z } from 'zod';
import { isoOf, nowMs } from '../base/time.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
type Level = (typeof LEVELS)[number];

type Meaning = { readonly level: Level; readonly meaning: string };

/** Every event. Lines of level debug are not written: they are too frequent for a log. */
export const EVENTS = {
  'run started': { level: 'info', meaning: 'a run holds the lock of the books and begins' },
  'run ended': {
    level: 'info',
    meaning: 'the result of a run, with its exit code: a warning if that is 1, an error if it is more',
  },
  request: {
    level: 'debug',
    meaning:
      'a try of a request; one that failed is a warning, with its failure; what the gateway does not have (404) is information',
  },
  page: { level: 'debug', meaning: 'a page of a list is stored' },
  stream: { level: 'info', meaning: 'a list of an entity is read and stored' },
  booking: { level: 'debug', meaning: 'a batch of records is booked' },
  booked: { level: 'info', meaning: "an entity's stored records are booked" },
  returned: { level: 'info', meaning: 'entries moved to another month because one was reopened' },
  reconciled: { level: 'info', meaning: 'an entity is compared with its balances: comparisons by result' },
  read: { level: 'info', meaning: 'the night of an entity is complete; reason says why its lists were read' },
  skipped: { level: 'info', meaning: 'the lists of an entity were skipped because nothing had changed' },
  'compared across': { level: 'info', meaning: 'transfers between entities are paired' },
  checked: { level: 'info', meaning: "an entity's checks are done: rows by severity" },
  rates: { level: 'info', meaning: 'rates are stored' },
  chart: { level: 'info', meaning: 'a price chart is stored' },
  valuing: { level: 'debug', meaning: 'a batch of entries is valued' },
  valued: { level: 'info', meaning: "a taxpayer's entries are valued" },
  drafted: { level: 'info', meaning: 'files of a month are written ahead of the end of a long night' },
  exported: { level: 'info', meaning: 'the files of a month are written' },
  'export removed': {
    level: 'info',
    meaning: 'the folder of a month before TIEOUT_EXPORT_MONTHS is removed',
  },
  'export stays': { level: 'warn', meaning: 'such a folder stays, because somebody changed it' },
  'rebuilt differently': { level: 'warn', meaning: 'a rebuild gave other books' },
  connected: { level: 'info', meaning: 'listen: the notification socket is open' },
  disconnected: { level: 'warn', meaning: 'listen: the notification socket is closed; it connects again' },
  hint: { level: 'info', meaning: 'listen: events are noted' },
  answered: { level: 'info', meaning: 'serve: an authorization request is stored and answered' },
  'turned away': { level: 'warn', meaning: 'serve: a request is refused; nothing is stored' },
  'worker started': { level: 'info', meaning: 'worker: a process takes jobs' },
  metrics: { level: 'info', meaning: 'worker: metrics are served at url' },
  'night waits': {
    level: 'info',
    meaning: 'worker: none begins, because the last night or another run has not ended',
  },
  queued: { level: 'info', meaning: 'worker: the entities of a night are queued' },
  freed: { level: 'warn', meaning: 'worker: the jobs of processes that are gone are free again' },
  'files moved': {
    level: 'warn',
    meaning:
      'worker: another host writes the files of a night, because from has no worker any more; host is null for none',
  },
  queue: { level: 'warn', meaning: 'worker: a warning or an error of the job queue, which tries again' },
  warning: { level: 'warn', meaning: 'something to look at that stops nothing: message says what' },
  failed: {
    level: 'error',
    meaning: 'the last line of a command that failed: message says why and what to do',
  },
} as const satisfies Readonly<Record<string, Meaning>>;

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
  return EVENTS[event].level;
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
  const begunMs = nowMs();
  const result = await step();
  tell({ ...event, ...(result as Readonly<Record<string, Fact>>), duration_ms: nowMs() - begunMs });
  return result;
};
