import { expect, test } from 'vitest';
import { parseExact } from '../../src/base/json.ts';
import { CONTRACT, OPERATIONS } from '../../src/gateway/contract/contract.ts';
import type { ReadOperation } from '../../src/gateway/contract/operation.ts';

const { movements, trades } = CONTRACT.trading;
const { transaction, transactions } = CONTRACT.wallet;
const { chart, rates } = CONTRACT.currency;

const read = (operation: ReadOperation, text: string) => operation.page.safeParse(parseExact(text));

test.each([
  '{"total":2,"data":[{"id":"a"}]}',
  '{"count":2,"data":[{"id":"a"}]}',
  '{"total":2,"count":2,"data":[{"id":"a"}]}',
  '{"total":null,"count":2,"data":[{"id":"a"}]}',
  '{"total":2.0,"count":1,"data":[{"id":"a"}]}', // the page's own count
  '{"total":1,"count":2e0,"data":[{"id":"a"}]}',
  '{"total":"2","data":[{"id":"a"}]}',
])('a count is read from total or count: %s', (text) => {
  expect(read(trades, text).data).toEqual({ rows: [{ id: 'a' }], total: 2 });
});

test.each([
  [trades, '{"data":[]}', 'neither total nor count'],
  [trades, '{"total":null,"data":[]}', 'neither total nor count'],
  [trades, '{"total":-1,"data":[]}', 'total'],
  [trades, '{"total":1.5,"data":[]}', 'total Invalid input: expected a count of records'],
  [trades, '{"total":1e9,"data":[]}', 'total Invalid input: expected a count of records'],
  [trades, '{"total":2,"count":-1,"data":[]}', 'count Invalid input: expected a count of records'],
  [trades, '{"total":0,"rows":[]}', 'data'],
  [trades, '{"total":1,"data":[{"symbol":"BTC/EUR"}]}', 'data.0.id'],
  [movements, '{"data":[]}', 'array'],
  [movements, '[{"id":"a"},{"id":""}]', '1.id'],
  [movements, '[null]', '0'],
  [CONTRACT.earn.walletMovements, '{"total":1,"data":[{"id":"a"}]}', 'data.0.movementId'],
  [transactions, '{"data":[]}', 'pageInfo'],
  [transaction, '[]', 'object'],
])('%o refuses %s', (operation, text, word) => {
  const issues = read(operation, text).error?.issues ?? [];
  expect(issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join()).toContain(word);
});

test.each([
  ['{"total":2,"data":[{"id":"a"}]}', 2],
  ['{"count":2,"data":[{"id":"a"}]}', 2],
  ['[{"id":"a"}]', null],
])('loans come in any envelope: %s', (text, total) => {
  expect(read(CONTRACT.loan.orders, text).data).toEqual({ rows: [{ id: 'a' }], total });
  expect(read(CONTRACT.loan.orders, '{"rows":[]}').success).toBe(false);
});

test('unknown fields and words are preserved, numbers are text', () => {
  const row = '{"id":"a","amount":0.10,"status":"of-tomorrow","extra":{"deep":[1e-7]}}';
  expect(read(movements, `[${row}]`).data).toEqual({ rows: [parseExact(row)] });
});

test.each([
  ['{"hasNextPage":true,"endCursor":"c="}', 'c='],
  ['{"hasNextPage":false,"endCursor":"c="}', null],
  ['{"hasNextPage":true,"endCursor":null}', null],
  ['{"hasNextPage":false}', null],
])('a cursor page %s goes on with %s', (pageInfo, next) => {
  const page = read(transactions, `{"data":[],"pageInfo":${pageInfo}}`).data;
  expect(page).toMatchObject({ rows: [], next });
});

test('rates and charts are read as sent, including nulls', () => {
  const body = '[{"fiat":{"EUR":0.9},"crypto":{"BTC":1.5e-5}},{"crypto":null}]';
  expect(read(rates, body).data).toEqual({
    entries: [{ fiat: { EUR: '0.9' }, crypto: { BTC: '1.5e-5' } }, { crypto: null }],
  });
  expect(read(chart, '[[1790000000000,null,0.9],[1790003600000,1e-5,0.9,"more"]]').data).toEqual({
    rows: [
      ['1790000000000', null, '0.9'],
      ['1790003600000', '1e-5', '0.9'],
    ],
  });
  expect(read(chart, '[[1790000000000]]').data).toEqual({ rows: [['1790000000000', undefined, undefined]] }); // no rate
  expect(read(chart, '[{"time":1790000000000}]').success).toBe(false);
  expect(read(rates, '{"EUR":0.9}').success).toBe(false);
});

test('no page is read by an operation that changes anything, and each names its section of the specification', () => {
  for (const operation of OPERATIONS) {
    if ('page' in operation) expect(operation.method).toBe('GET');
    expect(operation.path).toMatch(/^\/v\d\//);
    expect(operation.section).not.toBe('');
  }
});
