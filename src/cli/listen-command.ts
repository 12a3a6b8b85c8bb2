// listen: keeps the notification socket until a signal ends it.
import type { Command } from 'commander';
import { counted } from '../base/counted.ts';
import { untilSignal } from '../base/signal.ts';
import type { Event } from '../run/events.ts';
import { withBooks } from '../run/run.ts';
import { isJsonLog, logText, writeLog } from './log.ts';
import { bookCommand, gatewaySettings, type Shared } from './options.ts';
import { warn } from './print.ts';
import { jobs } from './run-job.ts';
import { oneLine } from './table-layout.ts';

/** One line per event: JSON on standard output with --json, otherwise the log on standard error. */
const show = (isJson: boolean) => (event: Event) => {
  if (isJson) process.stdout.write(logText(event));
  else if (isJsonLog()) writeLog(event);
  else warn(oneLine(sentenceOf(event)));
};

const sentenceOf = ({ event, url, reason, wait_ms: waitMs, name, entity, entities }: Event): string => {
  if (event === 'connected') return `connected to ${url}`;
  if (event === 'disconnected')
    return `disconnected from ${url} (${reason}); connecting again in ${waitMs} ms`;
  const more =
    typeof entities === 'number' && entities > 1
      ? ` and ${counted(entities - 1, 'other entity', 'other entities')}`
      : '';
  return `${name}: ${entity ?? 'no entity'}${more}`;
};

/** The last note is written after the signal, if the database answers. */
const LAST_NOTE_MS = 1_000;

export const listenCommand = (): Command =>
  bookCommand(
    'listen',
    'keep the notification socket and note which entities moved, until interrupted; run it beside nightly',
    'npx tieout listen --json',
  ).action(async (options: Shared) => {
    const { signal = new AbortController().signal } = options;
    const settings = gatewaySettings(options);
    const { listen } = await jobs();
    const tell = show(options.json ?? false);
    await untilSignal(signal, LAST_NOTE_MS, (serving) => {
      const config = { ...settings, signal: serving.signal };
      return withBooks(config, ({ db }) => {
        serving.begin();
        return listen({ config, db, tell, signal });
      });
    });
  });
