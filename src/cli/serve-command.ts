// The command serve: receives the authorization webhook until interrupted.
import type { Command } from 'commander';
import { readWebhookConfig } from '../config/config.ts';
import type { WebhookConfig } from '../config/environment.ts';
import type { Event } from '../run/events.ts';
import type { WebhookEvent } from '../webhook/server.ts';
import { isJsonLog, logText } from './log.ts';
import { bookCommand, demoOf, type Shared, whole } from './options.ts';
import { print, printJson, warn } from './print.ts';
import { oneLine } from './table-layout.ts';

type ServeCommandOptions = Shared & { readonly host: string; readonly port: string; readonly path: string };

const PATH = '/v1/{vendor}/transaction/authorize';

export const serveCommand = (): Command =>
  bookCommand(
    'serve',
    'receive the authorization webhook until interrupted: store each request, answer as configured',
    'TIEOUT_WEBHOOK_KEY_FILE=key.txt TIEOUT_WEBHOOK_ANSWER=authorize npx tieout serve --port 8788',
  )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--port <n>', 'port to listen on; 0 picks a free one', '0')
    .option('--path <path>', 'path of the webhook; {name} stands for any one part', PATH)
    .action(async (options: ServeCommandOptions) => {
      const config = webhookSettings(options);
      const port = whole('port', options.port, [0, 65_535]);
      const { serveWebhook } = await import('../webhook/webhook.ts');
      const count = { authorized: 0, refused: 0, turnedAway: 0 };
      await serveWebhook(config, {
        host: options.host,
        port,
        path: options.path,
        signal: options.signal,
        onListening: (url) => greet(url, config, options),
        onEvent: (event) => show(event, { count, isJson: isJsonLog() }),
      });
      const { authorized, refused, turnedAway } = count;
      if (!options.json)
        print(`serve: ${authorized} authorized, ${refused} refused, ${turnedAway} turned away`);
    });

const webhookSettings = ({ demo }: ServeCommandOptions): WebhookConfig => {
  const config = readWebhookConfig();
  return demo ? { ...config, ...demoOf(config) } : config;
};

const TLS = 'this is HTTP without encryption: put a reverse proxy with TLS in front of it';

const greet = (url: string, { webhook }: WebhookConfig, { json }: ServeCommandOptions): void => {
  const { answer, limits } = webhook;
  if (json) printJson({ url, answer, limits });
  else print(`listening on POST ${url}\nanswer: ${answer}${limits === null ? '' : ` (${limits})`}`);
  warn(TLS);
};

type Count = { authorized: number; refused: number; turnedAway: number };
type Shown = { readonly count: Count; readonly isJson: boolean };

/** One line per delivery on standard error. Requests without the key are only counted, so that nobody can fill the log. */
const show = (event: WebhookEvent, { count, isJson }: Shown): void => {
  if (event.event === 'turned away') {
    count.turnedAway += 1;
    if (event.status < 500 && event.status !== 400) return;
  } else if (event.delivery.isAuthorized) count.authorized += 1;
  else count.refused += 1;
  process.stderr.write(isJson ? logText(factsOf(event)) : `${lineOf(event)}\n`);
};

const factsOf = (event: WebhookEvent): Event => {
  if (event.event === 'turned away') return event;
  const { entity, number, isAuthorized, reason, terms } = event.delivery;
  const { transactionId, type, amount, currency } = terms;
  return {
    event: event.event,
    entity,
    delivery: number,
    transaction_id: transactionId,
    type,
    amount,
    currency,
    authorized: isAuthorized,
    reason,
  };
};

const lineOf = (event: WebhookEvent): string => {
  if (event.event === 'turned away') return `turned away (${event.status}): ${event.error}`;
  const { entity, number, isAuthorized, reason, terms } = event.delivery;
  const { transactionId, type, amount, currency } = terms;
  const what = [type, amount, currency, transactionId].filter((part) => part !== null).join(' ');
  return oneLine(
    `${isAuthorized ? 'authorized' : 'refused'} ${what || 'a transaction'} (${entity} delivery ${number}): ${reason}`,
  );
};
