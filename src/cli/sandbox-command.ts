// The stand-in gateway as a program of its own, for anyone who integrates with the gateway.
import { AssertionError } from 'node:assert';
import type { Command } from 'commander';
import { FailedError, UsageError } from '../base/errors.ts';
import { aborted } from '../base/signal.ts';
import { meantText } from '../base/similar.ts';
import { readInstant } from '../base/time.ts';
import {
  DEFECTS,
  FAULTS,
  type Sandbox,
  type SandboxOptions,
  SCOPES,
  sandboxLines,
  startSandbox,
} from '../sandbox/sandbox.ts';
import { command, whole } from './options.ts';
import { nextText, print, printJson } from './print.ts';

type SandboxCommandOptions = {
  readonly seed: string;
  readonly port: string;
  readonly days: string;
  readonly entities: string;
  readonly perDay?: string;
  readonly until?: string;
  readonly faults?: string;
  readonly defects?: string;
  readonly scopes?: string;
  readonly addresses?: string;
  readonly strictNonce?: boolean;
  readonly tokenSeconds: string;
  readonly webhook?: string;
  readonly webhookVendor: string;
  readonly webhookKey: string;
  readonly openapi?: boolean;
  readonly json?: boolean;
  readonly signal?: AbortSignal;
};

const NEXT = [
  'copy the lines above to .env, then run in another terminal:',
  'chmod 600 .env',
  'npx tieout nightly',
];

export const sandboxCommand = (): Command =>
  command(
    'sandbox',
    'serve the stand-in gateway on loopback until interrupted',
    'npx tieout sandbox --seed 7 --port 8787 --defects all',
  )
    .option('--seed <n>', 'seed of the generated world and its API key', '1')
    .option('--port <n>', 'port to listen on; 0 picks a free one', '0')
    .option(
      '--until <instant>',
      'current time of the world: 2026-11-01 or an ISO instant (default: today 00:00 UTC)',
    )
    .option('--days <n>', 'days of history', '30')
    .option('--entities <n>', 'number of entities: the main account plus N−1 subaccounts', '2')
    .option('--per-day <n>', 'approximate number of records per day')
    .option('--faults <list>', `faults to simulate, comma-separated: ${FAULTS.join(', ')}`)
    .option('--defects <list>', `defects to plant, comma-separated, or all: ${DEFECTS.join(', ')}`)
    .option('--scopes <list>', `scopes of the API key, comma-separated: ${SCOPES.join(', ')} (default: all)`)
    .option('--addresses <list>', 'IP addresses that the API key may be used from (default: any)')
    .option('--strict-nonce', 'refuse a nonce that is not greater than the last')
    .option('--token-seconds <n>', 'life of an access token', '3600')
    .option(
      '--webhook <url>',
      'backend that authorizes transactions, called under URL/v1/VENDOR/transaction/authorize',
    )
    .option('--webhook-vendor <name>', 'VENDOR in the path of the webhook', 'platform')
    .option('--webhook-key <text>', 'Authorization header that the webhook receives', 'sandbox')
    .option('--openapi', 'print the contract as an OpenAPI 3.1 document and exit')
    .action(async (options: SandboxCommandOptions) => {
      if (options.openapi) return printJson((await import('../gateway/contract/contract.ts')).openapi());
      const sandbox = await start(worldOptions(options));
      if (options.signal?.aborted) return sandbox.close(); // it has served nobody, so there is nothing to copy
      if (options.json)
        printJson({
          url: sandbox.url,
          api_key: sandbox.apiKey,
          api_secret: sandbox.apiSecret,
          socket_url: sandbox.socketUrl,
          totp_secret: sandbox.totpSecret,
        });
      else {
        print(sandboxLines(sandbox).join('\n'));
        process.stderr.write(`\n${[...surroundings(sandbox), '', nextText(NEXT)].join('\n')}\n`); // standard output only contains the lines for .env
      }
      await aborted(options.signal); // the only end of a stand-in: it has no work to finish
      await sandbox.close();
    });

const surroundings = ({ url, socketUrl, totpSecret }: Sandbox): string[] => [
  `notification socket: ${socketUrl}`,
  `authenticator secret of the main account: ${totpSecret}`,
  `the world's own routes: ${url}/__world/now`,
];

/** An unknown fault or value is a usage error; a port in use is a failure. */
const start = async (options: SandboxOptions): Promise<Sandbox> => {
  try {
    return await startSandbox(options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof AssertionError) throw new UsageError(message);
    if (code === 'EADDRINUSE' || code === 'EACCES')
      throw new FailedError(
        `port ${options.port} cannot be used (${code}): choose another port, or 0 for a free one`,
      );
    throw error;
  }
};

const worldOptions = (options: SandboxCommandOptions): SandboxOptions => ({
  seed: whole('seed', options.seed, [0, 999_999_999]),
  port: whole('port', options.port, [0, 65_535]),
  days: whole('days', options.days, [1, 3_650]),
  entities: whole('entities', options.entities, [1, 1_000]),
  faults: list(options.faults),
  defects: options.defects === 'all' ? DEFECTS : known('defects', list(options.defects), DEFECTS),
  tokenSeconds: whole('token-seconds', options.tokenSeconds, [1, 999_999_999]),
  strictNonce: options.strictNonce ?? false,
  references: true,
  ...(options.scopes !== undefined && { scopes: scopes(list(options.scopes)) }),
  ...(options.addresses !== undefined && { addresses: list(options.addresses) }),
  ...(options.webhook !== undefined && { webhook: webhook(options.webhook, options) }),
  ...(options.perDay !== undefined && { perDay: whole('per-day', options.perDay, [1, 100_000]) }),
  ...(options.until !== undefined && { until: instant(options.until) }),
});

const scopes = (words: string[]): (typeof SCOPES)[number][] => {
  known('scopes', words, SCOPES);
  return SCOPES.filter((scope) => words.includes(scope));
};

type WebhookOption = Pick<SandboxCommandOptions, 'webhookVendor' | 'webhookKey'>;

const webhook = (url: string, { webhookVendor, webhookKey }: WebhookOption) => {
  if (!URL.canParse(url) || !/^https?:/.test(url))
    throw new UsageError(`--webhook ${url}: write a URL like http://127.0.0.1:8080`);
  return { url, vendor: webhookVendor, key: webhookKey };
};

const list = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(',').map((word) => word.trim());

const known = (option: string, words: string[], from: readonly string[]): string[] => {
  const unknown = words.filter((word) => !from.includes(word));
  if (unknown.length > 0)
    throw new UsageError(
      `--${option} ${unknown.join(',')}: choose from ${from.join(', ')}.${meantText(unknown.join(','), from)}`,
    );
  return words;
};

const instant = (text: string): string => {
  const moment = readInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (moment === null) throw new UsageError(`--until ${text}: write 2026-11-01 or 2026-11-01T00:00:00Z`);
  return moment;
};
