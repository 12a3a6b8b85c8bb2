// The operations of the contract: complete, named once, and strict. Each accepts a good request with all its fields, and
// refuses one with any field wrong, missing or unknown.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONTRACT, NOTIFICATIONS, OPERATIONS } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import { EXAMPLES } from './examples.ts';

/** Every path that the gateway's specification writes out, copied from it. */
const WRITTEN = `
POST /v1/signin/apikey
POST /v1/signin/embed
GET /v3/signin/sfa
POST /v1/account/settings/sfa
PUT /v1/account/settings/sfa
POST /v1/account/subaccount/sfa
PUT /v1/account/subaccount/sfa
DELETE /v1/account
DELETE /v1/account/address
PUT /v1/account/address
GET /v1/account/deposit-estimation
GET /v1/account/employment-status
GET /v2/account/employment-status
GET /v1/account/funds-origin
GET /v2/account/funds-origin
GET /v1/trading/movement
GET /v1/trading/wallet/balance
POST /v1/trading/wallet/deposit
POST /v1/trading/wallet/withdraw
GET /v1/trading/working-capital
POST /v1/trading/order
GET /v2/trading/tickers
GET /v2/trading/market-config
POST /v1/blockchain-manager/address-book
GET /v1/blockchain-manager/address-book
POST /v1/compliance/address-book/{addressBookId}/confirm
POST /v1/blockchain-manager/address
GET /v1/blockchain-manager/address
GET /v1/teller/pocket/reference
POST /v1/teller/order/proforma
POST /v1/teller/order
POST /v1/teller/order/cancel
POST /v1/blockchain-manager/travel-rule-order/{orderId}
POST /v2/blockchain-manager/travel-rule-order/{orderId}
POST /v1/teller/iban/validate
POST /v1/social-pay/order/claim
GET /v1/social-pay/order
POST /v2/social-pay/order
GET /v1/currency/catalog
GET /v1/type
GET /v2/currency/assets
GET /v2/currency/assets/{symbol}
GET /v1/currency/rate
GET /v1/currency/prices
POST /v1/wallet/transaction
GET /v3/wallet/transaction
GET /v1/earn/movements/reward/summary
GET /v2/account/professions
GET /v2/account/purposes
GET /v3/account/address
GET /v1/verifier/verify/identity/verification/retry
POST /v3/verifier/identity-verification/init
POST /v1/{vendor}/transaction/authorize
`
  .trim()
  .split('\n');

const lineOf = ({ method, path }: Operation): string => `${method} ${path}`;
const described = [...OPERATIONS, NOTIFICATIONS.authorization];

test('every path of the specification is in the contract', () => {
  expect(WRITTEN).toHaveLength(53);
  expect(WRITTEN.filter((line) => !described.map(lineOf).includes(line))).toEqual([]);
});

test('what is outside the specification is marked as such, and is nothing that it writes out', () => {
  const outside = OPERATIONS.filter(({ section }) => section === 'Outside the specification');
  expect(outside.map(lineOf)).toEqual(['GET /v1/loan/orders']);
  expect(outside.filter((operation) => WRITTEN.includes(lineOf(operation)))).toEqual([]);
  expect(outside.every(({ assumes }) => assumes.includes('A-LOANS'))).toBe(true);
});

test('no operation is described twice', () => {
  const names = OPERATIONS.map(({ name }) => name);
  expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([]);
  const lines = OPERATIONS.map(lineOf);
  expect(lines.filter((line, position) => lines.indexOf(line) !== position)).toEqual([]);
  expect(names.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
});

test('a replacement exists, and is not replaced by what it replaces', () => {
  for (const { name, replacedBy } of OPERATIONS.filter(({ replacedBy }) => replacedBy !== undefined)) {
    const next = OPERATIONS.find((operation) => operation.name === replacedBy);
    expect(next, name).toBeDefined();
    expect(next?.replacedBy, name).not.toBe(name);
  }
});

/** The replacements of the table of deprecated operations (Versioning). */
const REPLACEMENTS = [
  'GET /v3/wallet/transaction',
  'GET /v1/earn/movements/reward/summary',
  'GET /v2/account/employment-status',
  'GET /v2/account/funds-origin',
  'GET /v2/account/professions',
  'GET /v2/account/purposes',
  'GET /v3/account/address',
  'GET /v1/verifier/verify/identity/verification/retry',
  'POST /v3/verifier/identity-verification/init',
  'POST /v2/blockchain-manager/travel-rule-order/{orderId}',
  'POST /v1/teller/iban/validate',
  'POST /v1/compliance/address-book/{addressBookId}/confirm',
  'POST /v2/social-pay/order',
  'GET /v1/currency/rate',
  'GET /v1/currency/catalog',
];

test('every replacement of the specification replaces a deprecated operation', () => {
  const replacing = OPERATIONS.filter(({ name }) => OPERATIONS.some(({ replacedBy }) => replacedBy === name));
  expect(REPLACEMENTS.filter((line) => !replacing.map(lineOf).includes(line))).toEqual([]);
});

test.each(described.map((operation) => [operation.name, operation] as const))(
  '%s says what it is',
  (_name, operation) => {
    expect(operation.title).toMatch(/^[A-Z].*\.$/);
    expect(operation.path).toMatch(/^\/v\d\//);
    expect(operation.section).not.toBe('');
    const marked = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
    expect(Object.keys(operation.pathParts?.shape ?? {})).toEqual(marked);
    if (operation.method === 'GET') expect(operation.body).toBeUndefined();
    if (operation.status === 204) expect(operation.answer.safeParse(undefined).success).toBe(true);
    if ('page' in operation) expect(operation.method).toBe('GET');
  },
);

test('orders need Trade, every other change needs Withdraw, and only what changes nothing needs Read', () => {
  const scoped = (scope: string | null) =>
    OPERATIONS.filter((operation) => operation.scope === scope).map(({ name }) => name);
  expect(scoped('trade')).toEqual([
    'trading-deposit',
    'trading-withdraw',
    'order-create',
    'order-cancel',
    'teller-order',
    'teller-order-cancel',
  ]);
  const reading = OPERATIONS.filter(({ scope, method }) => scope === 'read' && method !== 'GET');
  expect(reading.map(({ name }) => name)).toEqual(['wallet-proforma', 'teller-proforma', 'iban-validate']);
  for (const { name, method, scope } of OPERATIONS)
    if (method === 'GET') expect([null, 'read'], name).toContain(scope);
  for (const { name, auth, scope } of OPERATIONS)
    expect(scope === null, name).toBe(!['private', 'basic', 'custom-key'].includes(auth));
});

/** A part of a request: what is sent there, and its schema. */
type Part = {
  readonly place: string;
  readonly schema: z.ZodType;
  readonly good: Readonly<Record<string, unknown>>;
};

const partsOf = ({ name, pathParts, query, body }: Operation): Part[] => {
  const { path = {}, query: sent = {}, body: content = {} } = EXAMPLES[name] ?? {};
  const [item] = Array.isArray(content) ? content : [];
  return [
    ...(pathParts ? [{ place: 'path', schema: pathParts, good: path }] : []),
    { place: 'query', schema: query, good: sent },
    ...(body
      ? [
          {
            place: 'body',
            schema: item ? ((body as z.ZodArray).element as z.ZodType) : body,
            good: item ?? content,
          },
        ]
      : []),
  ];
};

type Field = {
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly type?: string;
  readonly minimum?: number;
};

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input' }) as {
    readonly properties?: Readonly<Record<string, Field>>;
    readonly required?: readonly string[];
  };

/** A value that a field of this kind never takes. */
const wrong = ({ type }: Field): unknown => (type === 'string' || type === 'integer' ? '' : '?');

const missing = (good: object, field: string) =>
  Object.fromEntries(Object.entries(good).filter(([name]) => name !== field));

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  '%s accepts a good request and refuses each bad field',
  (name, operation) => {
    expect(EXAMPLES[name], 'an example in examples.ts').toBeDefined();
    for (const { place, schema, good } of partsOf(operation)) {
      const { properties = {}, required = [] } = schemaOf(schema);
      const accepts = (sent: unknown) => schema.safeParse(sent).success;
      expect(schema.safeParse(good).error?.issues, place).toBeUndefined();
      expect(Object.keys(good).sort(), `${place}: every field is in the example`).toEqual(
        Object.keys(properties).sort(),
      );
      expect(accepts({ ...good, unknown: 'field' }), `${place}: an unknown field`).toBe(false);
      for (const [field, kind] of Object.entries(properties))
        expect(accepts({ ...good, [field]: mayBeEmpty(kind) ? 7 : wrong(kind) }), `${place}.${field}`).toBe(
          false,
        );
      for (const field of required)
        expect(accepts(missing(good, field)), `${place} without ${field}`).toBe(false);
    }
  },
);

/** A text without a rule takes any text, so only another type is wrong. */
const mayBeEmpty = (kind: Field): boolean =>
  kind.type === 'string' && !('pattern' in kind || 'minLength' in kind || 'enum' in kind || 'format' in kind);

test('the examples are of operations', () => {
  const names = OPERATIONS.map(({ name }) => name);
  expect(Object.keys(EXAMPLES).filter((name) => !names.includes(name))).toEqual([]);
});

const { trading, account, currency, funding, socialPay, access } = CONTRACT;
const long = 'x'.repeat(51);
const { body: entry } = EXAMPLES['address-book-create'] ?? {};
const { body: order } = EXAMPLES['order-create'] ?? {};
const { body: rule } = EXAMPLES['travel-rule'] ?? {};
const { body: address } = EXAMPLES['address-update'] ?? {};
const { body: pay } = EXAMPLES['social-pay-create'] ?? {};

test.each([
  ['a limit of 0', trading.movements.query, { limit: '0' }, 'limit'],
  ['a limit above 100', trading.movements.query, { limit: '101' }, 'limit'],
  ['a limit in words', trading.movements.query, { limit: 'all' }, 'limit'],
  ['a day without a time', trading.movements.query, { from: '2026-10-01' }, 'from'],
  [
    'an origin that does not exist',
    trading.movements.query,
    { serviceOrderName: 'card' },
    'serviceOrderName',
  ],
  ['a currency in lower case', trading.movements.query, { currency: 'btc' }, 'currency'],
  ['a list of symbols that ends with a comma', trading.balance.query, { symbols: 'BTC,' }, 'symbols'],
  ['a symbol without a slash', trading.tickers.query, { symbol: 'BTC-EUR' }, 'symbol'],
  ['a catalogue without a type', currency.catalog.query, {}, 'type'],
  ['a symbol that is none', currency.asset.pathParts, { symbol: 'b-c' }, 'symbol'],
  ['a symbol of 13 letters', currency.asset.pathParts, { symbol: 'ABCDEFGHIJKLM' }, 'symbol'],
  ['a language in capitals', account.employmentStatusesV1.query, { langCode: 'ES' }, 'langCode'],
  ['no language', account.employmentStatusesV1.query, {}, 'langCode'],
  [
    'a country in lower case',
    account.updateAddress.body,
    { ...(address as object), countryCode: 'es' },
    'countryCode',
  ],
  ['an alias of 51 letters', account.updateAddress.body, { ...(address as object), alias: long }, 'alias'],
  [
    'an id in capitals',
    funding.depositAddresses.query,
    { network: 'bitcoin', walletPocketId: 'A'.repeat(36) },
    'walletPocketId',
  ],
  [
    'a person without a surname',
    funding.createAddressBookEntry.body,
    { ...(entry as object), surname: undefined },
    'surname',
  ],
  ['an order without a price', trading.createOrder.body, { ...(order as object), price: undefined }, 'price'],
  [
    'a stop order without a stop price',
    trading.createOrder.body,
    { ...(order as object), stopPrice: undefined },
    'stopPrice',
  ],
  ['a negative amount', trading.createOrder.body, { ...(order as object), amount: '-1' }, 'amount'],
  ['an amount as a number', trading.createOrder.body, { ...(order as object), amount: 1 }, 'amount'],
  [
    'somebody else without a name',
    funding.completeTravelRule.body,
    { ...(rule as object), name: undefined },
    'name',
  ],
  [
    'somebody else without an address',
    funding.completeTravelRule.body,
    { ...(rule as object), address: undefined },
    'address',
  ],
  [
    'an order by e-mail without one',
    socialPay.create.body,
    { ...(pay as object), email: undefined },
    'email',
  ],
  [
    'an operation without a second factor',
    access.checkSecondFactor.query,
    { operation: 'sfa.trade' },
    'operation',
  ],
] as const)('%s is refused by its field', (_what, schema, sent, field) => {
  const issues = schema.safeParse(sent).error?.issues ?? [];
  expect(issues.map(({ path }) => path[0])).toEqual([field]);
});

test.each([
  [
    'a company without a surname',
    funding.createAddressBookEntry.body,
    { ...(entry as object), personType: 'company', surname: undefined },
  ],
  [
    'a market order without a price',
    trading.createOrder.body,
    { side: 'buy', symbol: 'BTC/EUR', orderType: 'market', amount: '1' },
  ],
  ['a wallet of one’s own without a name', funding.completeTravelRule.body, { walletOwnership: 'own' }],
  ['a sign-in without a body', access.signInByKey.body, undefined],
  ['a deposit without a pocket, an order error', trading.deposit.body, { amount: '1', currency: 'BTC' }],
  ['a chart without a temporality', currency.chart.query, { ticker: 'BTC/EUR' }],
] as const)('%s is accepted', (_what, schema, sent) => {
  expect(schema.safeParse(sent).error?.issues).toBeUndefined();
});
