// The contract as an OpenAPI 3.1 document.
import { z } from 'zod';
import { ERROR_SCHEMAS } from './error-schemas.ts';
import type { Operation } from './operation.ts';

type Json = { readonly [name: string]: unknown };
type ErrorName = keyof typeof ERROR_SCHEMAS;

const AREAS: Readonly<Record<Operation['area'], string>> = {
  access: 'Sign in, and check or enrol a second factor.',
  account: 'The account, its addresses, the options of onboarding, the verification of identity.',
  subaccounts: 'The accounts of end users under a main account.',
  trading: 'The trading wallet, orders, trades and markets.',
  wallet: 'Pockets and the transactions between them and the outside.',
  funding: 'Deposit addresses, the address book, bank references and travel-rule data.',
  teller: 'Orders by card and other means of payment, and the validity of bank accounts.',
  'social-pay': 'Orders to a recipient known by e-mail, phone or alias.',
  earn: 'Wallets that earn rewards.',
  loan: 'Loans, outside the specification.',
  currency: 'Prices, rates and names of currencies.',
  notifications: "Calls of the service to the integrator's backend.",
};

const header = (name: string, description: string): Json => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
});

const SECURITY_SCHEMES = {
  ApiKeyAuth: header('X-Api-Key', 'The public API key.'),
  Nonce: header('x-nonce', 'Unix time in milliseconds, within 5 seconds of the server.'),
  Signature: header(
    'api-signature',
    'Base64 of HMAC-SHA512, with the API secret as key, over the SHA-256 digest of {nonce}:{path and query}, or of ' +
      '{nonce}:{path and query}:{compact JSON} if there is a body.',
  ),
  JwtAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a sign-in.',
  },
  BasicAuth: {
    type: 'http',
    scheme: 'basic',
    description: 'Declared by the service; no operation needs it.',
  },
  CustomApiKey: header('Authorization', 'An API key of specific endpoints.'),
} as const;

const SIGNED = { ApiKeyAuth: [], Nonce: [], Signature: [] };
const PRIVATE = [SIGNED, { JwtAuth: [] }];

/** What each way to authenticate requires: one of the entries. */
const SECURITY: Readonly<Record<Operation['auth'], readonly Json[]>> = {
  none: [],
  optional: [...PRIVATE, {}],
  private: PRIVATE,
  signed: [SIGNED],
  'embed-token': [],
  basic: [{ BasicAuth: [] }],
  'custom-key': [{ CustomApiKey: [] }],
};

const textParameter = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

const PARAMETERS = {
  Subaccount: textParameter('X-SUBACCOUNT-ID', 'The user id of the subaccount to act for.', {}),
  Totp: textParameter('x-totp', 'The code of the second factor.', { pattern: '^[0-9]{4,6}$' }),
  TotpType: textParameter('x-totp-type', 'How the code was received; gauth for subaccounts.', {
    enum: ['gauth', 'email', 'sms', 'call', 'whatsapp'],
    default: 'gauth',
  }),
} as const;

/** Zod writes numbers, formats and flags as patterns of text; the document says what they are on the wire. */
const plain = ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void => {
  if (jsonSchema.type !== 'string' || jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.type === 'boolean') delete jsonSchema.enum;
};

const schemaOf = (schema: z.ZodType): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: plain,
  });
  return rest;
};

const parametersOf = (schema: z.ZodObject, place: 'path' | 'query'): Json[] => {
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Json;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: property,
  }));
};

const refTo = (part: string, name: string): Json => ({ $ref: `#/components/${part}/${name}` });

const headersOf = ({ auth, totp }: Operation): Json[] =>
  [
    ...(auth === 'private' || auth === 'optional' ? ['Subaccount'] : []),
    ...(totp === undefined ? [] : ['Totp', 'TotpType']),
  ].map((name) => refTo('parameters', name));

const content = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

const requestOf = ({ body }: Operation): Json =>
  body === undefined
    ? {}
    : { requestBody: { required: !body.safeParse(undefined).success, ...content(schemaOf(body)) } };

type Failure = { readonly status: number; readonly when: string; readonly shape: ErrorName };

const failure = (status: number, when: string, shape: ErrorName = 'DefaultError'): Failure => ({
  status,
  when,
  shape,
});

const sendsNothing = ({ query, pathParts, body }: Operation): boolean =>
  Object.keys(query.shape).length === 0 && pathParts === undefined && body === undefined;

/** The failures that operations share, by what they require, and those of the operation. */
const failuresOf = (operation: Operation): Failure[] => {
  const { auth, scope, totp, badCredentials, failures } = operation;
  const isOpen = auth === 'none' || auth === 'embed-token';
  const withoutTotp = totp === 'legacy' ? 420 : 428;
  return [
    ...(sendsNothing(operation) ? [] : [failure(400, 'the request violates its schema', 'ValidationErrors')]),
    ...(isOpen || badCredentials === 403
      ? []
      : [failure(401, 'the signature, the nonce or the token is refused')]),
    ...(isOpen ? [] : [failure(403, 'the credentials are invalid', 'InvalidCredentials')]),
    ...(scope === null ? [] : [failure(403, `the key lacks the scope ${scope}`)]),
    ...(totp === undefined ? [] : [failure(420, 'the code of the second factor is wrong')]),
    ...(totp === undefined ? [] : [failure(withoutTotp, 'the second factor is missing')]),
    ...failures.map(({ status, when }) => failure(status, when)),
    failure(418, 'banned after abuse of the rate limits'),
    failure(429, 'the rate limit is reached'),
  ];
};

const responsesOf = (operation: Operation): Json => {
  const failures = failuresOf(operation);
  const statuses = [...new Set(failures.map(({ status }) => status))].sort((a, b) => a - b);
  const failed = statuses.map((status) => {
    const same = failures.filter((each) => each.status === status);
    const shapes = [...new Set(same.map(({ shape }) => shape))].map((name) => refTo('schemas', name));
    const schema = shapes.length === 1 ? (shapes[0] as Json) : { anyOf: shapes };
    return [status, { description: same.map(({ when }) => when).join('; '), ...content(schema) }];
  });
  const other = { description: 'any other error', ...content(refTo('schemas', 'DefaultError')) };
  return { ...Object.fromEntries([[operation.status, success(operation)], ...failed]), default: other };
};

const success = ({ status, answer, isFile }: Operation): Json => {
  if (status === 204) return { description: 'done; the answer has no body' };
  if (isFile) return { description: 'the file', content: { 'application/octet-stream': {} } };
  return { description: 'the answer', ...content(schemaOf(answer)) };
};

const descriptionOf = (operation: Operation, replacement: Operation | undefined): string =>
  [
    `Specification: ${operation.section}.`,
    ...(operation.assumes.length > 0 ? [`Assumptions: ${operation.assumes.join(', ')}.`] : []),
    ...(operation.scope ? [`Scope of the key: ${operation.scope}.`] : []),
    ...(operation.perSecond ? [`At most ${operation.perSecond} requests a second and account.`] : []),
    ...(replacement ? [`Replaced by ${replacement.method} ${replacement.path}.`] : []),
    ...(operation.removal ? [`Removal planned for ${operation.removal}.`] : []),
  ].join('\n\n');

const operationOf = (operation: Operation, operations: readonly Operation[]): Json => {
  const replacement = operations.find(({ name }) => name === operation.replacedBy);
  const { name, title, area, auth, pathParts, query } = operation;
  return {
    operationId: name,
    summary: title,
    description: descriptionOf(operation, replacement),
    tags: [area],
    ...(replacement && { deprecated: true }),
    security: SECURITY[auth],
    parameters: [
      ...(pathParts ? parametersOf(pathParts, 'path') : []),
      ...parametersOf(query, 'query'),
      ...headersOf(operation),
    ],
    ...requestOf(operation),
    responses: responsesOf(operation),
  };
};

const pathsOf = (operations: readonly Operation[]): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: operationOf(operation, operations),
    };
  return paths;
};

const INFO = {
  title: 'Gateway API',
  version: '2.0.0',
  summary: 'Wallet, trading, funding and account operations of a crypto and fiat gateway.',
  description:
    'Generated from the contract of tieout. Amounts in requests are decimal text. Where the specification shows nothing, an ' +
    'operation names its assumptions; src/gateway/README.md explains them.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

/** The integrator decides on the path, so it has no parameters here. */
const webhookOf = ({ pathParts: _, ...call }: Operation): Json => operationOf(call, []);

/** The document of these operations and of the webhook that the service calls. */
export const openapiOf = (operations: readonly Operation[], webhook: Operation): Json => ({
  openapi: '3.1.1',
  info: INFO,
  servers: [{ url: '/', description: 'The host that serves this document' }],
  tags: Object.entries(AREAS).map(([name, description]) => ({ name, description })),
  paths: pathsOf(operations),
  webhooks: { [webhook.name]: { post: webhookOf(webhook) } },
  components: {
    securitySchemes: SECURITY_SCHEMES,
    parameters: PARAMETERS,
    schemas: Object.fromEntries(
      Object.entries(ERROR_SCHEMAS).map(([name, schema]) => [name, schemaOf(schema)]),
    ),
  },
});
