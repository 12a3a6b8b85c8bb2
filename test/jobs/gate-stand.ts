// A shared gate for tests: a database of its own, empty before each test, and clients of its one budget.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { withGate } from '../../jobs/request-gate.ts';
import { nowMs } from '../../src/base/time.ts';
import type { Gate, GateAnswer } from '../../src/gateway/gateway.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

export const GATEWAY = 'https://gateway.example.com';

const SETTINGS = {
  run: randomUUID(),
  apiKey: 'key',
  gateway: GATEWAY,
  tell: () => {},
  signal: new AbortController().signal,
};

/** Lends `books`, and a gate in them. */
export const openGates = () => {
  let books: TestDatabase;
  beforeAll(async () => {
    books = await freshDatabase();
  });
  beforeEach(() => books.pool.query('truncate run.budgets cascade'));
  afterAll(() => books.close());
  const gated = <T>(
    rpm: number,
    use: (gate: Gate) => Promise<T>,
    other: Partial<Parameters<typeof withGate>[0]> = {},
  ) => withGate({ ...SETTINGS, url: books.url, rpm, ...other }, use);
  return { books: () => books, gated };
};

export const take = (gate: Gate, more: Partial<Parameters<Gate['take']>[0]> = {}): Promise<GateAnswer> =>
  gate.take({ account: '', gatewayMs: nowMs(), ended: [], ...more });

export const wait = (answer: GateAnswer): number | null =>
  typeof answer === 'object' && 'waitMs' in answer ? answer.waitMs : null;
export const sendOf = (answer: GateAnswer): string =>
  typeof answer === 'object' && 'send' in answer ? answer.send : 'none';
export const nonce = (answer: GateAnswer): number =>
  typeof answer === 'object' && 'nonce' in answer ? answer.nonce : Number.NaN;
