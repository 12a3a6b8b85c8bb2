// Faults, enabled by name (`name` or `name:value`): failures of the service, injected by request count.

import { strict as assert } from 'node:assert';
import { ownValue } from '../base/own-value.ts';
import { OPERATIONS } from '../gateway/contract/contract.ts';
import { type Refusal, refusal } from './refusals.ts';

/** All faults, and whether each takes a value. Those with `every` hit each Nth request. */
const KINDS: Readonly<Record<string, 'every' | 'number' | 'operation' | 'plain'>> = {
  throttle: 'every',
  unavailable: 'every',
  'server-error': 'every',
  reset: 'every',
  'not-json': 'every',
  'wrong-envelope': 'every',
  ban: 'number',
  slow: 'number',
  clamp: 'number',
  rpm: 'number',
  burst: 'number',
  'own-transfers': 'number',
  forbid: 'operation',
  missing: 'operation',
  'per-second': 'plain',
  'late-rows': 'plain',
  'shifting-trades': 'plain',
  hostile: 'plain',
  'newer-forms': 'plain',
};

export const FAULTS: readonly string[] = Object.keys(KINDS);

export type Faults = {
  readonly has: (name: string) => boolean;
  /** The value of a fault that takes a number, or the default. */
  readonly number: (name: string, otherwise: number) => number;
  readonly names: (name: string, operation: string) => boolean;
  /** The fault that hits the nth request, or null if the request is served. */
  readonly strike: (nth: number, recent: number) => Strike | null;
};

export type Strike = Refusal | 'reset' | 'not-json' | 'wrong-envelope';

/** Who goes on after 429, up to this many times the limit within a minute, is banned until the minute is over (A-BAN). */
const ABUSE = 2;

/** Parses the faults; throws on an unknown name or an invalid value. */
export const faultsOf = (faults: readonly string[]): Faults => {
  const read = faults.map(faultOf);
  const find = (name: string) => read.find((fault) => fault.name === name);
  const every = (nth: number, name: string) => nth % (find(name)?.value ?? nth + 1) === 0;
  return {
    has: (name) => find(name) !== undefined,
    number: (name, otherwise) => find(name)?.value ?? otherwise,
    names: (name, operation) => read.some((fault) => fault.name === name && fault.text === operation),
    strike: (nth, recent) => {
      if (nth >= (find('ban')?.value ?? Infinity)) return refusal(418, 'Banned for abuse of rate limits');
      const rpm = find('rpm')?.value ?? Infinity;
      if (recent > ABUSE * rpm) return refusal(418, 'Banned for abuse of rate limits');
      if (recent > rpm) return refusal(429, 'Too many requests');
      return STRIKES.find(([name]) => every(nth, name))?.[1] ?? null;
    },
  };
};

const STRIKES: readonly (readonly [string, Strike])[] = [
  ['reset', 'reset'],
  ['throttle', refusal(429, 'Too many requests')],
  ['unavailable', refusal(502, 'Bad gateway')],
  ['server-error', refusal(500, 'Internal error')],
  ['not-json', 'not-json'],
  ['wrong-envelope', 'wrong-envelope'],
];

type Fault = { readonly name: string; readonly text: string; readonly value: number };

const faultOf = (spelled: string): Fault => {
  const [name = '', text = ''] = spelled.split(':');
  const kind = ownValue(KINDS, name);
  assert(kind, `unknown fault ${name}; there are ${FAULTS.join(', ')}`);
  if (kind === 'plain') assert(text === '', `the fault ${name} takes no value`);
  if (kind === 'every' || kind === 'number')
    assert(/^[1-9]\d{0,8}$/.test(text), `the fault ${name} takes a number: ${name}:5`);
  if (kind === 'operation') assert(isOperation(text), `the fault ${name} takes an operation: ${name}:trades`);
  return { name, text, value: /^\d+$/.test(text) ? Number.parseInt(text, 10) : 0 };
};

const isOperation = (text: string): boolean => OPERATIONS.some(({ name }) => name === text);
