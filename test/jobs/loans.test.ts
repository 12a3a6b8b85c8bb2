// The undocumented list of loans: read when a record names a loan, and never a reason for a finding or a failed night.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readOrders, readReferences } from '../../jobs/references.ts';
import type { WireRecord } from '../../src/base/streams.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import type { Failure } from '../../src/gateway/errors.ts';
import { failureOf } from '../gateway-failure.ts';
import { instantAt, openStage, receipt, type Stage } from '../land/stage.ts';
import { readingContext } from './reading-context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

/** Reads what the landed records name; every other operation is missing. Returns the requests for loans. */
const read = async (list: {
  rows?: readonly WireRecord[];
  failure?: Failure;
  total?: number;
  most?: number;
}): Promise<string[]> => {
  stage = await stage.nextRun();
  const requests: string[] = [];
  const call = async (
    operation: Operation,
    { query = {} }: { query?: { offset?: number; limit?: number } },
  ) => {
    if (operation.name !== CONTRACT.loan.orders.name) throw failureOf('missing', operation);
    const { offset = 0, limit = 20 } = query;
    requests.push(`${offset}`);
    if (list.failure) throw failureOf(list.failure, operation);
    const rows = (list.rows ?? []).slice(offset, offset + Math.min(limit, list.most ?? limit));
    return {
      page: { rows, total: list.total ?? null },
      receipt: receipt(`/v1/loan/orders?offset=${offset}`),
    };
  };
  const context = readingContext(stage, call);
  await readOrders(context, await readReferences(context));
  return requests;
};

const row = (id: string, subtype: string, originClass: string): WireRecord => ({
  id,
  date: instantAt(1),
  status: 'completed',
  type: 'deposit',
  subtype,
  origin: { class: originClass, amount: '100', currency: 'EUR' },
  destination: { class: 'pocket', pocketId: 'p1', amount: '100', currency: 'EUR' },
});

const loans = (many: number): WireRecord[] =>
  Array.from({ length: many }, (_, nth) => ({
    id: `l${nth}`,
    status: 'active',
    loanAmount: '100',
    loanSymbol: 'EUR',
    guaranteeAmount: '0.01',
    guaranteeSymbol: 'BTC',
    createdAt: instantAt(nth),
  }));

const severities = () =>
  stage.rows("select distinct severity from run.findings where subject = 'loan-orders'");

test('no record names a loan: nothing is requested', async () => {
  await stage.land([{ rows: [row('w1', 'funding', 'card')] }], { stream: 'wallet-transactions' });
  expect(await read({ rows: loans(1) })).toEqual([]);
});

test('a record that names a loan or a guarantee has every page read, once', async () => {
  await stage.land([{ rows: [row('w1', 'funding', 'guarantee')] }], { stream: 'wallet-transactions' });
  expect(await read({ rows: loans(150) })).toEqual(['0', '100', '150']);
  const [all] = await stage.rows(
    'select count(*)::int as orders, min(loan_amount)::text as least, min(guarantee_currency) as pledged from books.loan_orders',
  );
  expect(all).toEqual({ orders: 150, least: '100', pledged: 'BTC' });
  expect(await read({ rows: loans(150) })).toEqual([]);
  await stage.land([{ rows: [row('w2', 'loan-payback', 'pocket')] }], { stream: 'wallet-transactions' });
  expect(await read({ rows: loans(45), most: 20 })).toEqual(['0', '20', '40', '45']); // a short page may not be the last
});

test('a list with a total is read to it, although its pages are shorter than requested', async () => {
  await stage.land([{ rows: [row('w1', 'funding', 'guarantee')] }], { stream: 'wallet-transactions' });
  expect(await read({ rows: loans(45), total: 45, most: 20 })).toEqual(['0', '20', '40']);
  expect(await stage.rows('select count(*)::int as orders from books.loan_orders')).toEqual([{ orders: 45 }]);
});

test.each(['missing', 'refused', 'invalid', 'badPage'] as const)('%s is a note', async (failure) => {
  await stage.land([{ rows: [row('w1', 'loan', 'loan')] }], { stream: 'wallet-transactions' });
  expect(await read({ failure })).toEqual(['0']);
  expect(await severities()).toEqual([{ severity: 'note' }]);
});

test('an outage is a note, and the next reading tries again', async () => {
  await stage.land([{ rows: [row('w1', 'loan', 'loan')] }], { stream: 'wallet-transactions' });
  expect(await read({ failure: 'unavailable' })).toEqual(['0']);
  expect(await severities()).toEqual([{ severity: 'note' }]);
  expect(await read({ rows: loans(1) })).toEqual(['0', '1']);
});
