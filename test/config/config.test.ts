import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { STREAM_NAMES } from '../../src/base/streams.ts';
import {
  childEnv,
  clientEnv,
  environment,
  readConfig,
  readGatewayConfig,
  readNoticeTarget,
  readWebhookConfig,
} from '../../src/config/environment.ts';
import type { Env } from '../../src/config/setting-forms.ts';
import { ignoredNames } from '../../src/config/unknown-names.ts';
import { newFolder } from '../room.ts';

const folder = newFolder();

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o600);
  return join(folder, name);
};

const GATEWAY: Env = {
  GATEWAY_BASE_URL: 'https://gateway.test',
  GATEWAY_API_KEY: 'key',
  GATEWAY_API_SECRET: 's3cret',
};

const refused = (read: () => unknown): string => {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    expect((error as UsageError).exitCode).toBe(64);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
};

test('an empty environment is a complete configuration', () => {
  expect(readConfig({ DATABASE_URL: '' })).toEqual({
    home: resolve('.tieout'),
    databaseUrl: null,
    roleUrls: {},
    entity: 'main',
    timezone: 'UTC',
    currency: 'EUR',
    fiscalYearStart: 1,
    lagHours: Object.fromEntries(STREAM_NAMES.map((stream) => [stream, 48])),
    fullDays: 30,
    pendingDays: 7,
    transitHours: 24,
    retentionYears: 6,
    exportMonths: 1200,
    unknownLimit: null,
    platformClass: null,
  });
});

test('gateway settings are required only by commands that reach it', () => {
  expect(refused(() => readGatewayConfig({}))).toBe(
    [
      '3 mistakes in the environment (or .env):',
      '  GATEWAY_BASE_URL is not set: write the https:// address of the gateway',
      '  GATEWAY_API_KEY is not set: write the API key that the gateway gave you',
      '  GATEWAY_API_SECRET is not set: write the API secret, or the path of a file with it in GATEWAY_API_SECRET_FILE',
    ].join('\n'),
  );
  expect(readGatewayConfig({ ...GATEWAY, GATEWAY_BASE_URL: 'http://127.0.0.1:8080/' }).gateway).toEqual({
    baseUrl: 'http://127.0.0.1:8080',
    socketUrl: 'ws://127.0.0.1:8080/v1',
    key: 'key',
    secret: 's3cret',
    entities: 'listed',
    requestsPerMinute: 600,
    gateUrl: null,
    runHours: 20,
  });
});

const ORIGIN =
  'is not valid: write https://host (http on loopback only), without path, query, user or password';
const SOCKET = 'is not valid: write wss://host/v1 (ws on loopback only), without user or password';
const LIST = 'write all, or main and subaccount ids with commas, each once';
const MISTAKES: [string, string, string][] = [
  ['GATEWAY_BASE_URL', 'http://gateway.test', ORIGIN],
  ['GATEWAY_BASE_URL', 'https://gateway.test/v1', ORIGIN],
  ['GATEWAY_BASE_URL', 'https://gateway.test?', ORIGIN],
  ['GATEWAY_BASE_URL', 'https://me:hidden@gateway.test', ORIGIN],
  ['GATEWAY_BASE_URL', 'gateway.test', ORIGIN],
  ['GATEWAY_SOCKET_URL', 'ws://gateway.test/v1', SOCKET],
  ['GATEWAY_SOCKET_URL', 'wss://me:hidden@gateway.test/v1', SOCKET],
  ['GATEWAY_SOCKET_URL', 'gateway.test', SOCKET],
  ['GATEWAY_ENTITIES', 'main,,7', `is "main,,7": ${LIST}`],
  ['GATEWAY_ENTITIES', 'main,main', `is "main,main": ${LIST}`],
  ['GATEWAY_ENTITIES', 'main,all', `is "main,all": ${LIST}`],
  ['GATEWAY_RPM', '0', 'is "0": write a whole number from 1 to 100000'],
  ['GATEWAY_RPM', '1e3', 'is "1e3": write a whole number from 1 to 100000'],
  ['TIEOUT_ENTITY', '../x', 'is "../x": write letters, digits, - and _, at most 64'],
  ['TIEOUT_TIMEZONE', 'Madrid', 'is "Madrid": write an IANA name, such as Europe/Madrid'],
  ['TIEOUT_TIMEZONE', '+01:00', 'is "+01:00": write an IANA name, such as Europe/Madrid'],
  ['TIEOUT_TIMEZONE', 'IST', 'is "IST": write an IANA name, such as Europe/Madrid'],
  ['TIEOUT_TIMEZONE', 'CET', 'is "CET": write an IANA name, such as Europe/Madrid'],
  ['TIEOUT_CURRENCY', 'eur', 'is "eur": write 2 to 12 capitals and digits, such as EUR'],
  ['TIEOUT_FISCAL_YEAR_START', '0', 'is "0": write a whole number from 1 to 12'],
  ['TIEOUT_FISCAL_YEAR_START', '13', 'is "13": write a whole number from 1 to 12'],
  ['TIEOUT_FISCAL_YEAR_START', 'April', 'is "April": write a whole number from 1 to 12'],
  [
    'TIEOUT_LAG_HOURS',
    '-1',
    `is "-1": write hours from 1 to 8760, and others for a stream after commas, such as 48,movements=72 (${STREAM_NAMES.join(', ')})`,
  ],
  [
    'TIEOUT_LAG_HOURS',
    '48,orders=3',
    `is "48,orders=3": write hours from 1 to 8760, and others for a stream after commas, such as 48,movements=72 (${STREAM_NAMES.join(', ')})`,
  ],
  ['TIEOUT_FULL_DAYS', '0', 'is "0": write a whole number from 1 to 3650'],
  ['TIEOUT_PENDING_DAYS', '3651', 'is "3651": write a whole number from 0 to 3650'],
  ['TIEOUT_TRANSIT_HOURS', 'day', 'is "day": write a whole number from 0 to 8760'],
  [
    'DATABASE_URL',
    'mysql://me:hidden@db/books',
    'is not valid: write postgresql://user:password@host:5432/database (host of a socket in /run/x: %2Frun%2Fx), or leave it out for the embedded one',
  ],
];

test("a role's URL requires the owner's, and neither is printed", () => {
  const loader = 'postgresql://l:hidden@db/books';
  const message = refused(() => readConfig({ TIEOUT_LOADER_URL: loader, TIEOUT_ANALYST_URL: 'hidden' }));
  expect(message).toBe(
    [
      '3 mistakes in the environment (or .env):',
      '  TIEOUT_ANALYST_URL is not valid: write postgresql://user:password@host:5432/database (host of a socket in /run/x: %2Frun%2Fx), or leave it out for a login that is made',
      '  TIEOUT_LOADER_URL is set without DATABASE_URL: set that too, the address of the owner',
      '  TIEOUT_ANALYST_URL is set without DATABASE_URL: set that too, the address of the owner',
    ].join('\n'),
  );
  const config = readConfig({ DATABASE_URL: 'postgresql://db/books', TIEOUT_LOADER_URL: loader });
  expect(config.roleUrls).toEqual({ loader });
});

test.each(MISTAKES)('%s=%s is a mistake with a message', (name, value, explanation) => {
  const message = refused(() => readGatewayConfig({ ...GATEWAY, [name]: value }));
  expect(message).toBe(`a mistake in the environment (or .env):\n  ${name} ${explanation}`);
  expect(message).not.toMatch(/hidden|s3cret/);
});

test.each([
  ['TIEOUT_TIMEZON', 'TIEOUT_TIMEZONE'],
  ['TIEOUT_TIME_ZONE', 'TIEOUT_TIMEZONE'],
  ['TEIOUT_CURRENCY', 'TIEOUT_CURRENCY'],
  ['tieout_currency', 'TIEOUT_CURRENCY'],
  ['GATEWAY_RPMS', 'GATEWAY_RPM'],
  ['GATEWAY_ENTITYS', 'GATEWAY_ENTITIES'],
  ['GATEWAY_API_SECRETFILE', 'GATEWAY_API_SECRET_FILE'],
  ['TIEOUT_ONFINISH', 'TIEOUT_ON_FINISH'],
])('%s is a mistake that names %s', (name, known) => {
  const mistake = `a mistake in the environment (or .env):\n  ${name} is no setting of tieout: write ${known}, or another name if it is not for tieout`;
  const env = { ...GATEWAY, [name]: 'hidden' };
  expect(refused(() => readConfig(env))).toBe(mistake);
  expect(refused(() => readGatewayConfig(env))).toBe(mistake);
  expect(refused(() => readWebhookConfig(env))).toContain(`${name} is no setting of tieout: write ${known}`);
  expect(readNoticeTarget({ ...env, TIEOUT_ON_FINISH: 'mail' }).onFinish).toBe('mail');
  expect(readConfig({ ...GATEWAY, [name]: '' }).timezone).toBe('UTC'); // empty counts as not set
});

test('a name of others is no mistake, and can be listed', () => {
  const theirs = {
    GATEWAY_PORT: 'tcp://10.0.0.7:8080', // as Kubernetes writes for a service called gateway
    GATEWAY_PORT_8080_TCP_ADDR: '10.0.0.7',
    GATEWAY_SERVICE_HOST: '10.0.0.7',
    GATEWAY_URL: 'https://other.test',
    GATEWAY_API_KEY_2: 'the pair that a rotation replaces',
    GATEWAY_API_SECRET2: 'the same',
    TIEOUT_HOST: 'a',
    TIEOUT_VERSION: '1',
  };
  const ours = { TIEOUT_JOB: 'nightly', TIEOUT_SUMMARY: 'as its notice receives', TIEOUT_STACK: '1' };
  const others = { DATABASE_URI: 'sqlite:a', RPM: '1', HOME: '/root' };
  expect(readConfig({ ...theirs, ...ours, ...others }).timezone).toBe('UTC');
  expect(ignoredNames({ ...theirs, ...ours, ...others, ...GATEWAY })).toEqual(Object.keys(theirs));
});

test('all mistakes are reported at once', () => {
  const message = refused(() =>
    readGatewayConfig({ ...GATEWAY, GATEWAY_RPM: 'x', TIEOUT_CURRENCY: 'x', TIEOUT_TIMEZONE: 'x' }),
  );
  expect(message).toMatch(/^3 mistakes/);
});

test('the secret may be in a file', () => {
  const { GATEWAY_API_SECRET: _, ...rest } = GATEWAY;
  const read = (path: string, more: Env = {}) =>
    readGatewayConfig({ ...rest, ...more, GATEWAY_API_SECRET_FILE: path });
  expect(read(file('secret', ' from a file\n')).gateway.secret).toBe('from a file');
  const head = 'a mistake in the environment (or .env):\n  GATEWAY_API_SECRET_FILE is "';
  const none = join(folder, 'none');
  expect(refused(() => read(none))).toBe(`${head}${none}": the file cannot be read (ENOENT): check its path`);
  const empty = file('empty', '\n');
  expect(refused(() => read(empty))).toBe(`${head}${empty}": the file is empty: put the API secret in it`);
  const both = refused(() => read(empty, { GATEWAY_API_SECRET: 's3cret', GATEWAY_RPM: 'x' }));
  expect(both).toContain('GATEWAY_API_SECRET is set too, and only one can be meant: remove one');
  expect(both).toMatch(/^2 mistakes/);
  expect(both).not.toContain('s3cret');
});

test('the webhook needs a key and an answer, and a file of limits for that answer alone', () => {
  const KEY = { TIEOUT_WEBHOOK_KEY: 'sixteen-letters!' };
  const LIMITS = { TIEOUT_WEBHOOK_LIMITS: 'limits.csv' };
  const answered = (answer: string, more: Env = {}) => ({ ...KEY, TIEOUT_WEBHOOK_ANSWER: answer, ...more });
  expect(readWebhookConfig(answered('authorize')).webhook).toEqual({
    key: 'sixteen-letters!',
    answer: 'authorize',
    limits: null,
  });
  expect(readWebhookConfig(answered('limits', LIMITS)).webhook.limits).toBe(resolve('limits.csv'));
  expect(refused(() => readWebhookConfig(KEY))).toContain(
    'TIEOUT_WEBHOOK_ANSWER is not set: write authorize,',
  );
  expect(refused(() => readWebhookConfig(answered('yes')))).toContain(
    'TIEOUT_WEBHOOK_ANSWER is "yes": write',
  );
  expect(refused(() => readWebhookConfig(answered('limits')))).toContain(
    'TIEOUT_WEBHOOK_LIMITS is not set: write',
  );
  expect(refused(() => readWebhookConfig(answered('refuse', LIMITS)))).toContain(
    'the answer is refuse: remove it',
  );
  const short = refused(() =>
    readWebhookConfig(answered('refuse', { TIEOUT_WEBHOOK_KEY: 'too-short-a-key' })),
  );
  expect(short).toContain('TIEOUT_WEBHOOK_KEY is not valid: write 16 or more characters');
  expect(short).not.toContain('too-short');
  const both = refused(() => readWebhookConfig(answered('refuse', { TIEOUT_WEBHOOK_KEY_FILE: '/none' })));
  expect(both).toMatch(
    /^a mistake .*\n {2}TIEOUT_WEBHOOK_KEY_FILE is "\/none": TIEOUT_WEBHOOK_KEY is set too,/,
  );
  const { TIEOUT_WEBHOOK_KEY: _, ...unset } = answered('refuse');
  expect(refused(() => readWebhookConfig({ ...unset, TIEOUT_WEBHOOK_KEY_FILE: '/none' }))).toMatch(
    /^a mistake /,
  );
  const path = file('webhook-key', 'sixteen-letters!\n');
  expect(readWebhookConfig({ ...unset, TIEOUT_WEBHOOK_KEY_FILE: path }).webhook.key).toBe('sixteen-letters!');
});

test('entities are main, all, or a list', () => {
  const entities = (text: string) =>
    readGatewayConfig({ ...GATEWAY, GATEWAY_ENTITIES: text }).gateway.entities;
  expect([entities(''), entities('all'), entities('main, 42')]).toEqual(['listed', 'all', ['main', '42']]);
});

test('.env is read, and the real environment takes precedence', () => {
  file('.env', 'TIEOUT_CURRENCY=USD\nPATH=/from/dotenv\n# GATEWAY_RPM=1\nTIEOUT_ENTITY="acme"\n');
  const env = environment(folder);
  expect(readConfig(env)).toMatchObject({ currency: 'USD', entity: 'acme' });
  expect(env.PATH).toBe(process.env.PATH);
  expect(environment(tmpdir()).TIEOUT_CURRENCY).toBe(undefined);
});

test.skipIf(process.getuid?.() === 0)('an unreadable .env is reported', () => {
  chmodSync(file('.env', ''), 0);
  expect(refused(() => environment(folder))).toMatch(/\.env cannot be read \(EACCES\)/);
});

test.skipIf(process.platform === 'win32')(
  'a secret that others can read is refused, with what to type',
  () => {
    const secret = file('open-secret', 's3cret\n');
    chmodSync(secret, 0o644);
    const { GATEWAY_API_SECRET: _, ...rest } = GATEWAY;
    const message = refused(() => readGatewayConfig({ ...rest, GATEWAY_API_SECRET_FILE: secret }));
    expect(message).toMatch(
      /the file can be read by others \(owner .*, mode 0644\): type: chmod 600 .*open-secret$/,
    );
    expect(message).not.toContain('s3cret');
    chmodSync(file('.env', 'GATEWAY_API_SECRET=s3cret\n'), 0o640);
    expect(refused(() => environment(folder))).toMatch(
      /\.env can be read by others \(owner .*, mode 0640\): type: chmod 600 .*\.env$/,
    );
  },
);

test.skipIf(process.getuid?.() !== 0)('as root, the .env of another user is refused', () => {
  chownSync(file('.env', 'DATABASE_URL=postgresql://theirs@db/books\n'), 65_534, 65_534);
  expect(refused(() => environment(folder))).toMatch(
    /\.env belongs to another user \(owner uid 65534, mode 0600\)/,
  );
});

test.skipIf(process.platform === 'win32')('a secret is read from a regular file of limited size', () => {
  const { GATEWAY_API_SECRET: _, ...rest } = GATEWAY;
  const messageFor = (path: string) =>
    refused(() => readGatewayConfig({ ...rest, GATEWAY_API_SECRET_FILE: path }));
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', ['-m', '600', pipe]);
  expect(messageFor(pipe)).toContain('the file is a pipe, not a plain file');
  expect(messageFor(folder)).toContain('the file is a folder, not a plain file');
  expect(messageFor('/dev/zero')).toContain('the file is a device, not a plain file');
  expect(messageFor(file('large', 'x'.repeat(100_001)))).toContain('the file is larger than 100 kB');
});

test.each([
  'postgresql://db/books',
  'postgres://db',
  'postgresql:///books?host=/run',
  'postgresql://%2Frun/books',
  'postgresql://u:100%25@db/books',
])('%s is an address of a database', (url) => {
  expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
});

test.each([
  'postgresql://',
  'postgresql:///books',
  'postgresql:books',
  'postgresql:///books?host=',
  'postgresql://u:100%25@%zz/books',
  'postgresql://u:p%ff@db/books',
])('%s is none', (url) => {
  expect(refused(() => readConfig({ DATABASE_URL: url }))).toMatch(
    /DATABASE_URL is not valid: write postgresql:\/\/user:password@host:5432\/database/,
  );
});

test('only a client of the database sees how to prove its server', () => {
  const settings = { PGSSLROOTCERT: '/ca.pem', PGSSLMODE: 'verify-full', PGPASSFILE: '/pass' };
  Object.assign(process.env, settings, { PGPASSWORD: 'hunter2' });
  const [program, client] = [childEnv({}), clientEnv({ PGAPPNAME: 'a' })];
  for (const name of [...Object.keys(settings), 'PGPASSWORD']) delete process.env[name];
  expect(Object.keys(program).filter((name) => name.startsWith('PG'))).toEqual([]);
  expect(client).toMatchObject({ ...settings, PGAPPNAME: 'a', PATH: process.env.PATH });
  expect(client).not.toHaveProperty('PGPASSWORD');
});

test('a program we start does not see the secret', () => {
  process.env.GATEWAY_API_SECRET = 's3cret';
  const seen = childEnv({ LC_ALL: 'C' });
  delete process.env.GATEWAY_API_SECRET;
  expect(Object.values(seen)).not.toContain('s3cret');
  expect(seen).toMatchObject({ PATH: process.env.PATH, LC_ALL: 'C' });
});
