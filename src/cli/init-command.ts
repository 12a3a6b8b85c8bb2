// The command init: writes an .env, from options, and in a terminal from questions.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import { readGatewayConfig } from '../config/config.ts';
import { envText, refuseExisting, type Variables, writeEnv } from './env-file.ts';
import { command, type Shared } from './options.ts';
import { nextText, print, printJson } from './print.ts';
import { askAll, type Prompt } from './prompts.ts';

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

/** The variables that options name. */
const optionVariables = ({ baseUrl, key, secretFile, timezone, currency }: InitOptions): Variables => ({
  ...(baseUrl === undefined ? {} : { GATEWAY_BASE_URL: baseUrl }),
  ...(key === undefined ? {} : { GATEWAY_API_KEY: key }),
  ...(secretFile === undefined ? {} : { GATEWAY_API_SECRET_FILE: secretFile }),
  ...(timezone === undefined ? {} : { TIEOUT_TIMEZONE: timezone }),
  ...(currency === undefined ? {} : { TIEOUT_CURRENCY: currency }),
});

/** From the options alone. Throws UsageError that lists what is missing. */
const fromOptions = (options: InitOptions): Variables => {
  const missing = [
    ...(options.baseUrl === undefined ? ['--base-url'] : []),
    ...(options.key === undefined ? ['--key'] : []),
    ...(options.secretFile === undefined ? ['--secret-file'] : []),
  ];
  if (missing.length > 0)
    throw new UsageError(`init cannot ask questions without a terminal: add ${missing.join(', ')}`);
  return { TIEOUT_TIMEZONE: 'UTC', TIEOUT_CURRENCY: 'EUR', ...optionVariables(options) };
};

/** The questions by the variable that each answers, less those that an option answered. */
const questionsFor = (answered: Variables): readonly (readonly [name: string, Prompt])[] => {
  const all: readonly (readonly [string, Prompt])[] = [
    ['GATEWAY_BASE_URL', { text: 'Address of the gateway (https://host)' }],
    ['GATEWAY_API_KEY', { text: 'API key (scope Read)' }],
    ['GATEWAY_API_SECRET', { text: 'API secret (not shown)', isSecret: true }],
    ['TIEOUT_TIMEZONE', { text: 'Timezone of the books', byDefault: systemTimezone() }],
    ['TIEOUT_CURRENCY', { text: 'Reporting currency', byDefault: 'EUR' }],
  ];
  return all.filter(([name]) => !(name in answered || `${name}_FILE` in answered));
};

const fromQuestions = async (options: InitOptions): Promise<Variables> => {
  const answered = optionVariables(options);
  const questions = questionsFor(answered);
  const answers = await askAll(
    questions.map(([, question]) => question),
    options.signal,
  );
  return {
    ...answered,
    ...Object.fromEntries(questions.map(([name], index) => [name, answers[index] ?? ''])),
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
      const file = resolve('.env');
      if (!options.force) await refuseExisting(file); // before the first question
      const variables = isTerminal() ? await fromQuestions(options) : fromOptions(options);
      readGatewayConfig(variables); // every mistake at once, before anything is written
      await writeEnv(file, envText(variables), options.force ?? false);
      if (options.json) return printJson({ file, variables: Object.keys(variables) });
      print(`wrote ${file} (mode 0600)\n\n${nextText(NEXT)}`);
    });
