// Answers of the whole contract: the client reads them as leniently as the specification leaves them open.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseExact } from '../../src/base/json.ts';
import { CONTRACT, NOTIFICATIONS, OPERATIONS } from '../../src/gateway/contract/contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into the schema as a reader would
type Loose = any;

const schemaOf = (answer: z.ZodType): Loose =>
  z.toJSONSchema(answer, { io: 'input', unrepresentable: 'any' });

/** The fields that may be absent and yet may not be null, by their paths. */
const notNull = (schema: Loose, path: string): string[] => {
  const { properties = {}, required = [], items, anyOf = [], additionalProperties } = schema;
  const fields = Object.entries<Loose>(properties);
  return [
    ...fields
      .filter(([name, field]) => !required.includes(name) && !takesNull(field))
      .map(([name]) => `${path}.${name}`),
    ...fields.flatMap(([name, field]) => notNull(field, `${path}.${name}`)),
    ...[items, additionalProperties, ...anyOf].filter(Boolean).flatMap((part) => notNull(part, path)),
  ];
};

const takesNull = ({ type, anyOf = [] }: Loose): boolean =>
  [type].flat().includes('null') || (type === undefined && anyOf.length === 0) || anyOf.some(takesNull);

test('a field that an answer or an event may lack may be null too', () => {
  expect(OPERATIONS.flatMap(({ name, answer }) => notNull(schemaOf(answer), name))).toEqual([]);
  const events = Object.entries<z.ZodType>(NOTIFICATIONS.socket.events);
  expect(events.flatMap(([name, event]) => notNull(schemaOf(event), name))).toEqual([]);
  expect(
    notNull(schemaOf(z.looseObject({ a: z.array(z.object({ b: z.string().optional() })) })), 'x'),
  ).toEqual(['x.a.b']);
});

const order = {
  id: 'o',
  symbol: 'BTC/EUR',
  side: 'buy',
  orderType: 'limit',
  status: 'open',
  createdAt: 'now',
};
const earned =
  '"movementId":"e","type":"reward","createdAt":"now","walletId":"w","amount":{"value":"1","currency":"BTC"}';

test.each<[string, z.ZodType, string]>([
  [
    'an order that was never updated',
    CONTRACT.trading.createOrder.answer,
    JSON.stringify({ ...order, updatedAt: null }),
  ],
  ['a cancelled order of nulls', CONTRACT.trading.cancelOrder.answer, '{"id":null,"status":null}'],
  [
    'a teller order whose provider configures nothing',
    CONTRACT.teller.executeOrder.answer,
    '{"orderId":"o","status":"accepted","provider":{}}',
  ],
  [
    'a transaction without its date',
    CONTRACT.wallet.transactions.answer,
    '{"data":[{"id":"w","date":null,"type":"deposit"}],"pageInfo":{"hasNextPage":false}}',
  ],
  [
    'Earn amounts without a currency',
    CONTRACT.earn.movements.answer,
    `{"total":1,"data":[{${earned},"netAmount":"0.9","withholdingAmount":0.1}]}`,
  ],
  [
    'an Earn wallet valued by a bare number',
    CONTRACT.earn.wallets.answer,
    '{"total":1,"data":[{"walletId":"w","currency":"BTC","balance":"1","convertedBalance":5.5}]}',
  ],
  [
    'an asset whose ticker is a yes',
    CONTRACT.currency.asset.answer,
    '{"symbol":"BTC","name":"Bitcoin","ticker":true}',
  ],
  [
    'a rate that is not known',
    CONTRACT.currency.rates.answer,
    '[{"fiat":{"EUR":0.9},"crypto":{"OLD":null}}]',
  ],
  [
    'an event of a withdrawal',
    NOTIFICATIONS.socket.events['wallet-transaction-v1'],
    '{"userId":"u","pocketId":"p","amount":"1","currency":"BTC","status":"completed"}',
  ],
])('%s is read', (_what, schema, text) => {
  expect(schema.safeParse(parseExact(text)).error?.issues ?? []).toEqual([]);
});
