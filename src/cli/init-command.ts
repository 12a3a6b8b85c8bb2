// The command init: writes an .env, from options, and in a terminal from questions.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import { readGatewayConfig } from '../config/config.ts';
import { envText, type Variables, writeEnv } from './env-file.ts';
import { command, type Shared } from './options.ts';
import { nextText, print, printJson } from './print.ts';
import { ask } from './prompts.ts';

type InitOptions = Shared & {
  readonly baseUrl?: string;
  readonly key?: string;
  readonly secretFile?: string;
  readonly timezone?: string;
  readonly currency?: string;
  readonly force?: boolean;
};

const isTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

const systemTimezone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** From the options alone. Throws UsageError that lists what is missing. */
const fromOptions = ({ baseUrl, key, secretFile, timezone, currency }: InitOptions): Variables => {
  const missing = [
    ...(baseUrl === undefined ? ['--base-url'] : []),
    ...(key === undefined ? ['--key'] : []),
    ...(secretFile === undefined ? ['--secret-file'] : []),
  ];
  if (missing.length > 0)
    throw new UsageError(`init cannot ask questions without a terminal: add ${missing.join(', ')}`);
  return {
    GATEWAY_BASE_URL: baseUrl ?? '',
    GATEWAY_API_KEY: key ?? '',
    GATEWAY_API_SECRET_FILE: secretFile ?? '',
    TIEOUT_TIMEZONE: timezone ?? 'UTC',
    TIEOUT_CURRENCY: currency ?? 'EUR',
  };
};

const fromQuestions = async (options: InitOptions): Promise<Variables> => {
  const { signal, secretFile } = options;
  const baseUrl = options.baseUrl ?? (await ask('Address of the gateway (https://host)', { signal }));
  const key = options.key ?? (await ask('API key (scope Read)', { signal }));
  const secret: Variables =
    secretFile === undefined
      ? { GATEWAY_API_SECRET: await ask('API secret (not shown)', { isSecret: true, signal }) }
      : { GATEWAY_API_SECRET_FILE: secretFile };
  const timezone =
    options.timezone ?? (await ask('Timezone of the books', { byDefault: systemTimezone(), signal }));
  const currency = options.currency ?? (await ask('Reporting currency', { byDefault: 'EUR', signal }));
  return {
    GATEWAY_BASE_URL: baseUrl,
    GATEWAY_API_KEY: key,
    ...secret,
    TIEOUT_TIMEZONE: timezone,
    TIEOUT_CURRENCY: currency,
  };
};

const NEXT = [
  'npx tieout doctor       # checks the setup',
  'npx tieout nightly      # reads the gateway and keeps the books',
];

export const initCommand = (): Command =>
  command(
    'init',
    'write an .env for your gateway; asks in a terminal',
    'npx tieout init --base-url https://gateway.example.com --key KEY --secret-file secret.txt --timezone Europe/Madrid',
  )
    .option('--base-url <url>', 'address of the gateway')
    .option('--key <key>', 'API key; the scope Read is enough')
    .option(
      '--secret-file <file>',
      'file with the API secret, readable by you alone; in a terminal init can ask for the secret',
    )
    .option('--timezone <name>', 'timezone in which months begin, such as Europe/Madrid (default: UTC)')
    .option('--currency <code>', 'reporting currency (default: EUR)')
    .option('--force', 'replace an existing .env')
    .action(async (options: InitOptions) => {
      const variables = isTerminal() ? await fromQuestions(options) : fromOptions(options);
      readGatewayConfig(variables); // every mistake at once, before anything is written
      const file = resolve('.env');
      await writeEnv(file, envText(variables), options.force ?? false);
      if (options.json) return printJson({ file, variables: Object.keys(variables) });
      print(`wrote ${file} (mode 0600)\n\n${nextText(NEXT)}`);
    });
