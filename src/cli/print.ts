// Printing: tables for people, one JSON value with --json, progress on a terminal and one line per event elsewhere.
import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import { visible } from '../base/json.ts';
import { STREAM_NAMES, STREAMS } from '../base/streams.ts';
import type { Event, Tell } from '../run/events.ts';
import { isJsonLog, logOf, writeLog } from './log.ts';
import { type Cell, layTable, type Rows } from './table-layout.ts';
import { shownOnly, showPaged, tableWidth } from './terminal.ts';
import { typedNext } from './typed-commands.ts';

/** A table without borders, fitted to the terminal or as wide as its cells. */
export const table = (head: readonly string[], rows: Rows): string => layTable(head, rows, tableWidth());

/** The rows of a query under their title, with every column; ends with a blank line. */
export const titledTable = (title: string, rows: readonly Readonly<Record<string, Cell>>[]): string => {
  const heading = title.toUpperCase();
  if (rows.length === 0) return `${heading}: none\n`;
  return `${heading}\n${table(Object.keys(rows[0] ?? {}), rows.map(Object.values))}\n`;
};

export const printJson = (value: unknown): void => {
  process.stdout.write(`${typedNext(visible(JSON.stringify(value, null, 2)))}\n`);
};

/** Prints what the program itself computed, with its names as those of columns: `exit_code`, not `exitCode`. */
export const printResult = (value: unknown): void => printJson(columnNamed(value));

const columnNamed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(columnNamed);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      columnNamed(inner),
    ]),
  );
};

export const print = (text: string): void => {
  process.stdout.write(`${shownOnly(typedNext(text))}\n`);
};

/** Something a person should know, on standard error: standard output is for the result. */
export const warn = (text: string): void => {
  if (isJsonLog()) writeLog({ event: 'warning', message: typedNext(text) });
  else process.stderr.write(`tieout: ${shownOnly(typedNext(text))}\n`);
};

/** Prints text that may exceed the terminal, through the pager if there is one. */
export const printLong = (text: string): void => printRows(typedNext(text));

/** Prints the same way what a query answered, as it is: a command in it is data. */
export const printRows = (text: string): void => {
  const shown = `${shownOnly(text)}\n`;
  if (!showPaged(shown)) process.stdout.write(shown);
};

/** What to do next, one step per line. */
export const nextText = (steps: readonly string[]): string =>
  ['Next:', ...steps.map((step) => `  ${step}`)].join('\n');

/** Prints a piece of a long result when the stream has room for it; false if the reader has closed the stream. */
export const printPiece = (text: string): Promise<boolean> =>
  new Promise((done) => {
    process.stdout.write(text, (error) => done(!error));
  });

/** Shows the events of a job until `stop`, on standard error: standard output is for the result. */
type Progress = { readonly tell: Tell; readonly stop: () => void };

/** Bars on a terminal, one structured line per event otherwise. `mainEntity`: the name of the main account's books. */
export const progress = (isJson: boolean, mainEntity: string): Progress => {
  if (process.stderr.isTTY && !isJson) return bars();
  return { tell: logOf(mainEntity), stop: () => {} };
};

/** The progress of one entity: lists read out of those started, then booking and comparing. */
type Steps = { readonly begun: Set<string>; readonly done: Set<string>; isOver: boolean };

/** Every entity has these lists; the list of one item, such as an Earn wallet, counts once it has started. */
const LISTS_MIN = STREAM_NAMES.filter((stream) => !STREAMS[stream].isPerItem).length;

const step = (steps: Steps, { event, stream, scope }: Event): void => {
  if (steps.isOver && event === 'page') {
    for (const list of [steps.begun, steps.done]) list.clear(); // the entity is read again, or the next night starts
    steps.isOver = false;
  }
  const list = `${stream} ${scope}`;
  if (event === 'page' || event === 'stream') steps.begun.add(list);
  if (event === 'stream') steps.done.add(list);
  if (event === 'booked' || event === 'reconciled') steps.done.add(event);
  steps.isOver ||= event === 'reconciled';
};

const bars = (): Progress => {
  const all = new MultiBar(
    { format: '  {entity} {bar} {doing}', barsize: 18, clearOnComplete: true, stream: process.stderr },
    Presets.shades_classic,
  );
  const byEntity = new Map<string, { bar: SingleBar; steps: Steps }>();
  const say = (text: string) => {
    if (byEntity.size === 0) return warn(text);
    all.log(`tieout: ${shownOnly(typedNext(text))}\n`);
    all.update();
  };
  const tell = (event: Event) => {
    const sentence = sentenceOf(event);
    if (sentence !== null) say(sentence);
    const entity = event.entity;
    if (typeof entity !== 'string') return;
    const shown = byEntity.get(entity) ?? {
      bar: all.create(LISTS_MIN + 2, 0, { entity: entity.slice(0, 12).padEnd(12), doing: '' }),
      steps: { begun: new Set(), done: new Set(), isOver: false },
    };
    byEntity.set(entity, shown);
    step(shown.steps, event);
    shown.bar.setTotal(Math.max(LISTS_MIN, shown.steps.begun.size) + 2);
    shown.bar.update(shown.steps.done.size, { doing: doing(event) });
  };
  return { tell, stop: () => all.stop() };
};

/** What bars do not show, and a person must know. */
const sentenceOf = ({ event, message, holder, period, dir }: Event): string | null => {
  if (event === 'warning') return `${message}`;
  if (event === 'night waits') return `waiting for another run (${holder})`;
  if (event === 'export stays')
    return `${dir} stays, although TIEOUT_EXPORT_MONTHS leaves out ${period}: somebody changed it`;
  return null;
};

const doing = (event: Event): string => {
  if (event.event === 'page' || event.event === 'stream')
    return `${event.stream}: ${event.rows} rows, ${event.fresh} new`;
  if (event.event === 'booking' || event.event === 'booked')
    return `booked ${event.entries} entries of ${event.records} records`;
  return event.event;
};
