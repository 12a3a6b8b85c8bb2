// What every command shares: --json, --demo, an example in its help, and the books that it works on.
import { join } from 'node:path';
import { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import { givenText } from '../base/given-text.ts';
import { refuseUnclearName } from '../base/names.ts';
import { isOneLine } from '../base/unseen.ts';
import { environment, readConfig, readGatewayConfig } from '../config/config.ts';
import type { Config, GatewayConfig } from '../config/environment.ts';

/** `signal` is not an option of the command line: the program sets it on every command. */
export type Shared = {
  readonly json?: boolean;
  readonly demo?: boolean;
  readonly signal?: AbortSignal;
};

/** A command with the shared options. `example` is shown under its help. */
export const command = (name: string, summary: string, example: string): Command =>
  new Command(name)
    .description(summary)
    .option('--json', 'print one JSON value instead of text')
    .addHelpText('after', `\nExample:\n  ${example}\n`);

/** A command on books; --demo selects those of the demo. */
export const bookCommand = (name: string, summary: string, example: string): Command =>
  command(name, summary, example).option('--demo', 'use the books of the demo');

/** The settings of the books that a command works on. */
export const settings = ({ demo, signal }: Shared): Config => {
  const config = { ...readConfig(), signal };
  return demo ? demoOf(config) : config;
};

/** The settings of a command that reaches the gateway. */
export const gatewaySettings = ({ demo, signal }: Shared): GatewayConfig => {
  const config = { ...readGatewayConfig(environment()), signal };
  return demo ? { ...config, ...demoOf(config) } : config;
};

/** The demo always uses its own embedded server, separate from all other books. */
export const demoOf = ({ replica: _, ...config }: Config): Config => ({
  ...config,
  home: join(config.home, 'demo'),
  databaseUrl: null,
  roleUrls: {},
  isDemo: true,
  entity: 'main',
});

/** A command that requires the name of a person. */
export const signed = (command: Command): Command =>
  command.requiredOption('--by <name>', 'your name, kept in the audit trail', personName);

const NAME_LENGTH_MAX = 120;

/** A person's name in a form fit for logs, seals and files. Throws UsageError if it is not one line of text. */
export const personName = (text: string): string => {
  const { length } = text.trim();
  if (length > NAME_LENGTH_MAX)
    throw new UsageError(`--by has ${length} characters: a name has at most ${NAME_LENGTH_MAX}`);
  const name = filled('by', text);
  if (!isOneLine(name))
    throw new UsageError('--by contains invisible characters: write the name on one line');
  refuseUnclearName(name);
  return name;
};

/** The trimmed value of an option. Throws UsageError if it is empty or too long. */
export const filled = (option: string, value: string): string => {
  if (value.trim() === '') throw new UsageError(`--${option} is empty: write a value`);
  return givenText(`--${option}`, value.trim());
};

/** The whole number of an option, within its bounds. */
export const whole = (option: string, text: string, [min, max]: readonly [number, number]): number => {
  const number = /^\d{1,9}$/.test(text) ? Number.parseInt(text, 10) : -1;
  if (number < min || number > max)
    throw new UsageError(`--${option} is "${text}": write a whole number from ${min} to ${max}`);
  return number;
};
