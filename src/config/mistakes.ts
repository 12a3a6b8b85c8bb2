// Mistakes in the environment: each by its variable, with what to write instead.
import { resolve } from 'node:path';
import type { ZodType } from 'zod';
import { readNamedFile } from '../base/named-file.ts';
import { type Env, homeless, refuseMistakes } from './setting-forms.ts';
import { roleUrls } from './variables.ts';

const SECRET = new Set([
  'TIEOUT_WEBHOOK_KEY',
  'GATEWAY_API_KEY',
  'GATEWAY_API_SECRET',
  'GATEWAY_BASE_URL',
  'GATEWAY_SOCKET_URL',
  'DATABASE_URL', // may contain a password
  'TIEOUT_ON_FINISH', // may contain a token
  'TIEOUT_GATE_URL',
  'TIEOUT_REPLICA_URL',
  ...Object.keys(roleUrls),
]);

const mistake = (name: string, instruction: string, env: Env): string => {
  const value = env[name];
  if (value === undefined) return `${name} is not set: ${instruction}`;
  return SECRET.has(name)
    ? `${name} is not valid: ${instruction}`
    : `${name} is ${JSON.stringify(value)}: ${instruction}`;
};

/** The variables in their forms. Throws one UsageError that lists every mistake; `others` are mistakes found before. */
export const check = <T>(shape: ZodType<T>, env: Env, others: string[] = []): T => {
  const known = [...others, ...homeless(Object.keys(roleUrls), env)];
  const read = shape.safeParse(env);
  if (read.success && known.length === 0) return read.data;
  // If the secret's file cannot be read, only the file's variable is reported.
  const reported = others.join('\n');
  const issues = read.error?.issues.filter((i) => !reported.includes(`${String(i.path[0])}_FILE `)) ?? [];
  return refuseMistakes([
    ...issues.map((issue) => mistake(String(issue.path[0]), issue.message, env)),
    ...known,
  ]);
};

/** Settings and secrets are only a few lines long. */
export const BYTES_MAX = 100_000;

/** A secret, from the variable `name` or from the file that the variable `name`_FILE names. */
export const secretOf = (env: Env, name: string, what: string): { secret?: string; mistakes: string[] } => {
  const secret = env[name];
  const file = env[`${name}_FILE`];
  if (file === undefined) return { ...(secret === undefined ? {} : { secret }), mistakes: [] };
  const wrong = (why: string) => ({ mistakes: [`${name}_FILE is ${JSON.stringify(file)}: ${why}`] });
  if (secret !== undefined) return wrong(`${name} is set too, and only one can be meant: remove one`);
  const read = readNamedFile(resolve(file), { bytesMax: BYTES_MAX, isSecret: true });
  if ('refusal' in read) return wrong(`the file ${read.refusal}`);
  const text = read.bytes.toString('utf8').trim();
  return text === '' ? wrong(`the file is empty: put ${what} in it`) : { secret: text, mistakes: [] };
};

/** A file of limits belongs to the answer `limits`, and to no other. */
export const limitsMistakes = ({
  TIEOUT_WEBHOOK_ANSWER: answer,
  TIEOUT_WEBHOOK_LIMITS: limits,
}: Env): string[] => {
  if (answer === 'limits' && limits === undefined)
    return [
      'TIEOUT_WEBHOOK_LIMITS is not set: write the path of a CSV file with the columns currency,type,max',
    ];
  if (answer !== 'limits' && answer !== undefined && limits !== undefined)
    return [`TIEOUT_WEBHOOK_LIMITS is set, and the answer is ${answer}: remove it, or answer by limits`];
  return [];
};
