// The authorization webhook over real HTTP and a real database: what is stored, what is answered, and what is turned away.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { serveCommand } from '../../src/cli/serve-command.ts';
import { NOTIFICATIONS } from '../../src/gateway/contract/contract.ts';
import { commitmentOf } from '../../src/privacy/people.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';
import { erase } from '../../src/privacy/privacy.ts';
import { proveLinks } from '../../src/verify/ledger/links.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';
import { deliver, heldOpen, KEY, type Served, serve, slowly } from './serving.ts';

let stage: Stage;
let served: Served;
let slow: Served;
// Begun first, since each takes as long as the server waits for a body.
let [unended, ended, cutOff]: Promise<string>[] = [];
const endedAmid = async (): Promise<string> => {
  const ending = await serve(stage.settings());
  const reply = slowly(ending);
  await fetch(ending.url); // by then the other request has arrived
  await ending.end();
  return reply;
};

beforeAll(async () => {
  stage = await openStageAfterNight({}, afterAll);
  served = await serve(stage.settings());
  slow = await serve(stage.settings());
  [unended, ended, cutOff] = [slowly(slow), endedAmid(), heldOpen(slow)];
});
afterAll(async () => {
  await served.end();
  await slow.end();
});
afterEach(async () => {
  served.events.length = 0;
});

const newFile = (name: string, text: string): string => {
  const path = join(newFolder(), name);
  writeFileSync(path, text);
  return path;
};

const TERMS = { userId: 'u1', type: 'withdrawal', amount: '10.50', currency: 'EUR' };
const terms = (transactionId: string, rest: object = {}) => ({ transactionId, ...TERMS, ...rest });
const stored = (id: string) =>
  stage.rows(
    `select * from land.authorizations where transaction_id = '${id}' order by received_at, delivery_number`,
  );
const count = async () => (await stage.rows('select count(*) from land.authorizations'))[0]?.count;

describe('what is stored', () => {
  test('the body byte for byte, the terms exactly, and the answer', async () => {
    const body =
      '{ "transactionId":"t1",\n "amount": 0.100000000000000001, "currency":"BTC", "x":"\\u0000\\ud800 é" }\n';
    expect(await deliver(served, body)).toEqual({ status: 200, body: { authorized: true } });
    expect(await stored('t1')).toMatchObject([
      {
        entity_id: 'main',
        amount: '0.100000000000000001',
        currency: 'BTC',
        user_id: null,
        is_authorized: true,
        reason: 'every transaction is authorized',
        body,
        body_sha256: sha256(body),
      },
    ]);
  });

  test('personal values apart, and the rest of the body as received', async () => {
    const sent = `{"note" : "for Ana", "to": [{"name":"Ana Ruiz"}, {"name":""}], "seen":"personal:x", ${JSON.stringify(terms('t2')).slice(1)}`;
    await deliver(served, sent);
    const key = await peopleKey(stage.database.db, 'main');
    const commitment = (text: string) => JSON.stringify(commitmentOf(text, key));
    const [row] = await stored('t2');
    expect(row?.body).toBe(
      sent.replace('"for Ana"', commitment('for Ana')).replace('"Ana Ruiz"', commitment('Ana Ruiz')),
    );
    const people = `select path, value from land.people where stream = 'authorizations' and record_id = 't2' order by 1`;
    expect(await stage.rows(people)).toEqual([
      { path: 'note', value: '"for Ana"' },
      { path: 'to.0.name', value: '"Ana Ruiz"' },
    ]);
    const erasing = {
      person: 'Ana Ruiz',
      entities: ['main'],
      by: 'Grace',
      reason: 'case 7',
      at: new Date().toISOString(),
      isDryRun: false,
    };
    const eraseAfter = (retentionYears: number) =>
      stage.database.db.transaction().execute((tx) => erase(tx, { ...erasing, retentionYears }));
    const young = await eraseAfter(6);
    expect(young).toMatchObject([{ retained: 1, streams: [] }]);
    const erased = await eraseAfter(0);
    expect(erased).toMatchObject([{ streams: [{ stream: 'authorizations', records: 1, fields: 2 }] }]);
    await deliver(served, sent); // an erased transaction gets none again
    expect(await stage.rows(people)).toEqual([]);
  });

  test('under the entity of the user, and under the main account for a user without books', async () => {
    const [sub] = await stage.rows(
      'select entity_id, subaccount_id from run.entities where subaccount_id is not null',
    );
    await deliver(served, terms('t3', { userId: sub?.subaccount_id }));
    await deliver(served, terms('t4', { userId: 'nobody' }));
    expect(await stored('t3')).toMatchObject([{ entity_id: sub?.entity_id }]);
    expect(await stored('t4')).toMatchObject([{ entity_id: 'main' }]);
    const known =
      "select is_known_user from books.authorizations where transaction_id in ('t3', 't4') order by transaction_id";
    expect(await stage.rows(known)).toEqual([{ is_known_user: true }, { is_known_user: false }]);
  });

  test('a repeated delivery again, with the first answer; other terms are refused', async () => {
    for (const amount of ['10.5', '10.50', '11', '10.5']) await deliver(served, terms('t5', { amount }));
    const rows = await stored('t5');
    expect(rows.map((row) => row.is_authorized)).toEqual([true, true, false, true]);
    const [first] = rows;
    expect(rows.map((row) => row.reason)).toEqual([
      'every transaction is authorized',
      `repeats delivery ${first?.delivery_number}`,
      `has other terms than delivery ${first?.delivery_number}`,
      `repeats delivery ${first?.delivery_number}`,
    ]);
  });

  test('of a burst every delivery, by two servers of the same books: numbers without a gap, one first answer', async () => {
    const other = await serve(stage.settings(), { answer: 'refuse' });
    const replies = await Promise.all(
      Array.from({ length: 24 }, (_, index) => deliver(index % 2 ? other : served, terms('t6'))),
    );
    await other.end();
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    const reasons = (await stored('t6')).map(({ reason = '' }) => reason.split(' ')[0]);
    expect(reasons.sort()).toEqual(['every', ...Array.from({ length: 23 }, () => 'repeats')]);
    const gaps = `select entity_id from land.authorizations group by 1 having max(delivery_number) <> count(*)`;
    expect(await stage.rows(gaps)).toEqual([]);
  });

  test('an unreadable one is refused, and stored with the reason', async () => {
    const bodies: [object, string][] = [
      [{ amount: '1', currency: 'EUR' }, 'transactionId is missing'],
      [terms('t7', { amount: true }), 'amount is not text'],
      [terms('t7', { amount: '1,5' }), 'amount is not an exact amount'],
      [terms('t7', { amount: '-1' }), 'amount is not above zero'],
      [terms('t7', { amount: '0.0000000000000000001' }), 'amount is not an exact amount'],
      [terms('t7', { currency: 'EUR; drop' }), 'currency is not a code'],
      [terms('t7', { userId: ['u1'] }), 'userId is not text'],
      [terms('t7', { type: '\u0000' }), 'type has characters that cannot be stored'],
      [terms('x'.repeat(201)), 'transactionId has more than 200 characters'],
    ];
    for (const [body, wrong] of bodies) {
      expect(await deliver(served, body)).toEqual({ status: 200, body: { authorized: false } });
      const [last] = await stage.rows(
        "select is_authorized, reason from land.authorizations where entity_id = 'main' order by delivery_number desc limit 1",
      );
      expect(last).toEqual({ is_authorized: false, reason: `cannot be read: ${wrong}` });
    }
  });
});

describe('what is turned away, and not stored', () => {
  const deep = (levels: number) => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;

  test.each<[string, number, unknown, (RequestInit & { path?: string })?]>([
    ['a body above 64 KiB', 413, `{"a":"${'x'.repeat(65_536)}"}`],
    ['no JSON', 400, '{"transactionId":'],
    ['no body', 400, ''],
    ['no UTF-8', 400, new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['an array', 400, []],
    ['null', 400, 'null'],
    ['a nesting that no reader follows', 400, deep(30_000)],
    ['a raw NUL', 400, '{"a":"\u0000"}'],
    ['a name twice', 400, '{"amount":"1","b":{"c":1},"amount":"1000000"}'],
    ['a name twice, written in two ways', 400, '{"a":[{"b":1,"\\u0062":2}]}'],
    ['another content type', 415, '{}', { headers: { authorization: KEY, 'content-type': 'text/plain' } }],
    ['another method', 404, '{}', { method: 'PUT' }],
    ['another path', 404, '{}', { path: '/v1/acme/transaction/authorize/x' }],
    ['a path that cannot be decoded', 404, '{}', { path: '/v1/%zz/transaction/authorize' }],
    ['a path that is too long', 404, '{}', { path: `/v1/${'a'.repeat(201)}/transaction/authorize` }],
    ['no key', 401, terms('t8'), { headers: { 'content-type': 'application/json' } }],
    ['the start of the key', 401, terms('t8'), { headers: { authorization: KEY.slice(0, -1) } }],
    ['the key and more', 401, terms('t8'), { headers: { authorization: `${KEY}x` } }],
    ['an empty key', 401, terms('t8'), { headers: { authorization: '' } }],
  ])('%s: %i', async (_, status, body, init) => {
    const before = await count();
    expect(await deliver(served, body, init)).toMatchObject({ status, body: { authorized: false } });
    expect(await count()).toBe(before);
    expect(served.events).toMatchObject([{ event: 'turned away', status }]);
  });

  test('a nesting that we read is stored', async () => {
    expect((await deliver(served, deep(200))).status).toBe(200);
    expect((await deliver(served, '{"__proto__":{"amount":"1"},"constructor":1}')).body).toEqual({
      authorized: false,
    });
  });
});

describe('the answer', () => {
  test('by limits: the line of the type, or that of any type; without a line it is refused', async () => {
    const limits = newFile('limits.csv', 'currency,type,max\nEUR,withdrawal,100\nEUR,*,5\nBTC,*,0.1\n');
    const limited = await serve(stage.settings(), { answer: 'limits', limits });
    const ask = async (id: string, rest: object) => {
      const { body } = await deliver(limited, terms(id, rest));
      return [body, (await stored(id))[0]?.reason];
    };
    expect(await ask('l1', { amount: '100.00' })).toEqual([
      { authorized: true },
      'within the limit of 100 EUR',
    ]);
    expect(await ask('l2', { amount: '100.000000000000000001' })).toEqual([
      { authorized: false },
      'above the limit of 100 EUR',
    ]);
    expect(await ask('l3', { type: 'transfer', amount: '5.01' })).toEqual([
      { authorized: false },
      'above the limit of 5 EUR',
    ]);
    expect(await ask('l4', { type: undefined, currency: 'BTC', amount: '0.1' })).toEqual([
      { authorized: true },
      'within the limit of 0.1 BTC',
    ]);
    expect(await ask('l5', { currency: 'USD' })).toEqual([
      { authorized: false },
      'no limit for USD withdrawal',
    ]);
    await limited.end();
  });

  test.each([
    ['currency,type,max\nEUR,withdrawal,much\n', /line 2: max is much: write an amount such as 1000.50/],
    ['currency,type,max\nEUR,,5\n', /line 2: type is empty/],
    ['currency,type,max\n,a,5\n', /line 2: currency is empty/],
    ['currency,type,max\nEUR,a,5\nEUR,a,6\n', /line 3: EUR a has a limit already: remove one/],
    ['currency,type,max\nEUR,a,5\nEUR,A,6\n', /line 3: EUR A has a limit already: remove one/],
    ['currency,max\nEUR,5\n', /its first line must be currency,type,max/],
  ])('a file of limits with a mistake is refused at the start', async (text, message) => {
    const limits = newFile('wrong.csv', text);
    await expect(serve(stage.settings(), { answer: 'limits', limits })).rejects.toThrow(message);
  });

  test('while the database cannot store it: 503, not authorized; afterwards all is well', async () => {
    await stage.rows('alter table land.authorizations rename to gone');
    expect(await deliver(served, terms('t9'))).toEqual({
      status: 503,
      body: { authorized: false, error: 'the delivery cannot be stored' },
    });
    expect(served.events.at(-1)).toMatchObject({
      error: expect.stringMatching(/^the delivery cannot be stored: .+/),
    });
    await stage.rows('alter table land.gone rename to authorizations');
    await stage.rows(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name = 'tieout'`);
    expect((await deliver(served, terms('t9'))).body).toEqual({ authorized: expect.any(Boolean) });
    expect((await deliver(served, terms('t9'))).body).toEqual({ authorized: true });
  });

  test('while the table is locked every delivery is answered 503 within the time that the platform waits, and never stored', async () => {
    const client = await stage.database.pool.connect();
    await client.query('begin; lock table land.authorizations in access exclusive mode');
    const late = ['late1', 'late2', 'late3'].map((id) => deliver(served, terms(id))); // one after another
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([503, 503, 503]);
    await client.query('rollback');
    client.release();
    expect((await deliver(served, terms('after'))).body).toEqual({ authorized: true });
    expect(await Promise.all(['late1', 'late3'].map(stored))).toEqual([[], []]);
  }, 20_000);
});

describe('the proof of what was stored', () => {
  test('rows since the last run are expected, without a gap; the next run links them', async () => {
    const proof = async () => (await proveLinks(stage.database.db, ['land.authorizations'])).first;
    await deliver(served, terms('t11'));
    expect(await proof()).toBeNull();
    await stage.rows(
      "update land.authorizations set delivery_number = delivery_number + 1 where transaction_id = 't11'",
    );
    expect(await proof()).toMatch(
      /^land\.authorizations of main: a number is missing among the \d+ rows since the last run$/,
    );
    await stage.rows(
      "update land.authorizations set delivery_number = delivery_number - 1 where transaction_id = 't11'",
    );
    await stage.night();
    expect(await proof()).toBeNull();
    await stage.rows("update land.authorizations set is_authorized = false where transaction_id = 't11'");
    expect(await proof()).toMatch(
      /^land\.authorizations of main: of \d+ rows that were linked some were altered/,
    );
    await stage.rows("update land.authorizations set is_authorized = true where transaction_id = 't11'");
  });
});

test('a body that does not end is closed with 408, which is counted', async () => {
  expect(await unended).toMatch(/^HTTP\/1\.1 408 [^{]*\{"authorized":false,/s);
  // counted once the connection has closed, which its client may see first
  await expect.poll(() => slow.events).toMatchObject([{ event: 'turned away', status: 408 }]);
}, 20_000);

test('a late client that does not close its side is cut off', async () => {
  expect(await cutOff).toMatch(/^(ECONNRESET|EPIPE)$/);
}, 20_000);

test('who has no key holds no connection: others of the platform would find none', async () => {
  const socket = connect(Number.parseInt(new URL(served.url).port, 10), '127.0.0.1').resume();
  socket.write('POST /v1/acme/transaction/authorize HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n');
  await once(socket, 'close', { signal: AbortSignal.timeout(3_000) });
  served.events.length = 0;
});

test('what is not HTTP is not authorized, and no event', async () => {
  const socket = connect(Number.parseInt(new URL(served.url).port, 10), '127.0.0.1');
  socket.write('GARBAGE\r\n\r\n');
  const [answer] = await once(socket, 'data');
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 [^{]*\{"authorized":false,/s);
  expect(served.events).toEqual([]);
});

test('a server ends although a client never ends its request', async () => {
  expect(await ended).toBe('');
}, 20_000);

test('the path that the command shows is that of the contract, which it does not load', () => {
  const option = serveCommand().options.find(({ long }) => long === '--path');
  expect(option?.defaultValue).toBe(NOTIFICATIONS.authorization.path);
});
