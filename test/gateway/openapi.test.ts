// The OpenAPI document: without a fault for a linter that others use, and true to the contract.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { OPERATIONS, openapi } from '../../src/gateway/contract/contract.ts';
import { tieout } from '../cli/tieout.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into the document as a reader would
type Loose = any;

const document: Loose = openapi();

const problemsOf = async (text: string): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer ?? ''}: ${message}`,
  );
};

test('a linter with its strict recommended rules finds only a scheme that the service declares and no operation needs', async () => {
  expect(await problemsOf(JSON.stringify(document))).toEqual([
    'no-unused-components #/components/securitySchemes/BasicAuth: Security scheme: "BasicAuth" is never used.',
  ]);
});

test('the linter finds a reference to nothing and a path without its parameter', async () => {
  const broken = structuredClone(document);
  broken.paths['/v1/wallet/transaction/{id}'].get.parameters = [{ $ref: '#/components/parameters/None' }];
  const problems = await problemsOf(JSON.stringify(broken));
  expect(problems.join('\n')).toMatch(/no-unresolved-refs[\s\S]*path-parameters-defined/);
});

const described = (method: string, path: string): Loose => document.paths[path][method.toLowerCase()];

test('every operation is in the document once, under its area', () => {
  const entries = Object.values<Record<string, Loose>>(document.paths).flatMap((path) => Object.values(path));
  expect(entries).toHaveLength(OPERATIONS.length);
  for (const { name, area, method, path, status, replacedBy } of OPERATIONS) {
    const entry = described(method, path);
    expect(entry).toMatchObject({ operationId: name, tags: [area] });
    expect(Object.keys(entry.responses), name).toContain(String(status));
    expect(entry.deprecated ?? false, name).toBe(replacedBy !== undefined);
  }
});

test('parameters say what they are on the wire', () => {
  const [from, , limit] = described('GET', '/v1/trading/movement').parameters;
  expect(from).toEqual({
    name: 'from',
    in: 'query',
    required: false,
    schema: { type: 'string', format: 'date-time' },
  });
  expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100 });
  const [testnet] = described('GET', '/v2/currency/assets').parameters;
  expect(testnet.schema).toEqual({ type: 'boolean' });
  const [symbol] = described('GET', '/v2/currency/assets/{symbol}').parameters;
  expect(symbol).toMatchObject({ in: 'path', required: true, schema: { pattern: '^[A-Z0-9]{1,12}$' } });
});

test('numbers of an answer are numbers, amounts of a request are text', () => {
  const movement = described('GET', '/v1/trading/movement').responses['200'].content['application/json']
    .schema;
  expect(movement.items.properties.amount).toEqual({ type: 'number' });
  const order = described('POST', '/v1/trading/order').requestBody;
  expect(order.required).toBe(true);
  expect(order.content['application/json'].schema).toMatchObject({
    additionalProperties: false,
    required: ['side', 'symbol', 'orderType', 'amount'],
    properties: { amount: { type: 'string', maxLength: 50 } },
  });
  expect(described('POST', '/v1/signin/apikey').requestBody.required).toBe(false);
});

test('security, second factor and statuses follow from the operation', () => {
  const signed = { ApiKeyAuth: [], Nonce: [], Signature: [] };
  expect(described('GET', '/v1/wallet/pocket').security).toEqual([signed, { JwtAuth: [] }]);
  expect(described('POST', '/v1/signin/apikey').security).toEqual([signed]);
  expect(described('GET', '/v2/trading/tickers').security).toEqual([signed, { JwtAuth: [] }, {}]);
  expect(described('GET', '/v1/currency/rate').security).toEqual([]);
  const statuses = (method: string, path: string) => Object.keys(described(method, path).responses);
  expect(statuses('POST', '/v1/signin/apikey')).toEqual(['200', '400', '403', '418', '429', 'default']);
  expect(statuses('POST', '/v2/social-pay/order')).toEqual([
    '200',
    '400',
    '401',
    '403',
    '404',
    '406',
    '412',
    '418',
    '420',
    '428',
    '429',
    'default',
  ]);
  expect(statuses('POST', '/v1/social-pay/order')).not.toContain('428');
  expect(document.webhooks['transaction-authorization'].post.requestBody.required).toBe(true);
});

test('sandbox --openapi prints the document, and starts nothing', async () => {
  const { exitCode, stdout, stderr } = await tieout(['sandbox', '--openapi']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(document)));
});
