// Whatever the stand-in answers to a reading request has the shape that the contract gives.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATIONS } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import { ANSWERS } from '../../src/sandbox/answers.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ask } from './asker.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 7, days: 10, until: '2026-11-03T00:00:00.000Z' });
});
afterAll(() => sandbox.close());

/** The queries that operations need, and the parts of their paths, from the world. */
const queryOf = (): Readonly<Record<string, string>> => ({
  catalog: 'type=all',
  'catalog-old': 'type=crypto',
  chart: 'ticker=BTC/EUR',
  convert: 'from=BTC&to=EUR&value=1&time=1790000000000',
  'employment-statuses-v1': 'langCode=es',
  'teller-order-status': 'id=11111111-2222-4333-8444-555555555555',
  'iban-validate-old': 'iban=ES9121000418450200051332',
  'pocket-reference': `pocketId=${pocketOf('EUR')}`,
  'deposit-addresses': `network=bitcoin&walletPocketId=${pocketOf('BTC')}`,
});

const pocketOf = (currency: string): string =>
  sandbox.world.pockets('main').find((pocket) => pocket.currency === currency)?.id ?? 'none';

const partOf = (name: string): string => {
  if (name === 'asset') return 'BTC';
  if (name === 'earn-movement-summary') return 'reward';
  if (name === 'earn-movements') return sandbox.world.earn('main')?.[0]?.id ?? 'none';
  if (name === 'wallet-transaction')
    return sandbox.world.rows('main', 'wallet-transactions')[0]?.id ?? 'none';
  return String(sandbox.world.rows('main', 'trades')[0]?.body.orderId ?? 'none');
};

/** These need something that an operation creates, or answer a file; tests of their own cover them. */
const ELSEWHERE = ['order', 'destination-confirmation-status', 'subaccount-identity-file'];

const reads = OPERATIONS.filter(
  ({ name, method }) => method === 'GET' && Object.hasOwn(ANSWERS, name) && !ELSEWHERE.includes(name),
);

test.each(reads.map((operation) => [operation.name, operation] as const))(
  '%s answers as the contract says',
  async (name, operation: Operation) => {
    const query = queryOf()[name] ?? '';
    const target = operation.path.replaceAll(/\{\w+\}/g, () => partOf(name));
    const { status, body } = await ask(sandbox, query === '' ? target : `${target}?${query}`);
    expect(status, JSON.stringify(body)).toBe(operation.status);
    expect(operation.answer.safeParse(body).error?.issues).toBeUndefined();
    if ('page' in operation)
      expect((operation as { page: Operation['answer'] }).page.safeParse(body).success).toBe(true);
  },
);

test('the reads of the pipeline are among them', () => {
  expect(reads.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'movements',
      'trades',
      'wallet-transactions',
      'pockets',
      'trading-balance',
      'rates',
    ]),
  );
});
