// The names of the switches: the moods of the service that the world's own routes turn on and off.
import { OPERATIONS } from '../gateway/contract/contract.ts';
import { MOOD_CODES } from './answers/order-code.ts';

const SWITCHES: ReadonlySet<string> = new Set([
  'force-second-factor',
  'email-not-verified',
  ...MOOD_CODES,
  ...OPERATIONS.map(({ name }) => `blocked:${name}`),
]);

/** Whether something depends on a switch of this name: with another one, a test would pass in a mood that it never had. */
export const isSwitch = (name: string): boolean => SWITCHES.has(name);
