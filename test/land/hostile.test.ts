// Odd and hostile payloads: each is landed, parses as JSON, is unchanged when it arrives again, and stops nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseReceived } from '../../src/base/json.ts';
import type { WireRecord } from '../../src/base/streams.ts';
import { movement, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** As the client parses it. */
const sent = (json: string) => parseReceived(json) as WireRecord;
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

const PAYLOADS: Record<string, string> = {
  'a NUL in a value': '{"id":"nul","extra":"a\\u0000b"}',
  'a NUL in a name': '{"id":"nul-name","a\\u0000b":1}',
  'a NUL in an id': '{"id":"nul\\u0000id"}',
  'a lone high surrogate': '{"id":"high","extra":"\\ud800"}',
  'a lone low surrogate in a name': '{"id":"low","\\udc00":1}',
  'a pair of surrogates, as it should be': '{"id":"pair","extra":"\\ud83d\\ude00"}',
  '1e400, which no float holds': '{"id":"1e400","amount":1e400}',
  'an exponent that nobody means': '{"id":"e9","amount":1e999999999}',
  'forty digits': '{"id":"forty","amount":1234567890123456789012345678901234567890.1}',
  'a number of ten thousand digits': `{"id":"digits","amount":${'9'.repeat(10_000)}}`,
  'a field called __proto__': '{"id":"proto","__proto__":{"amount":"7"},"constructor":{"prototype":1}}',
  'a class with a toString of its own': '{"id":"to-string","class":{"toString":"x"},"address":"Calle 1"}',
  'a hundred levels of lists': `{"id":"deep","extra":${nested(100)}}`,
  'a name of a person under a name with a NUL':
    '{"id":"person","a\\u0000":{"name":"Ana"},"a.b":{"name":"Eva"},"a":{"b":{"name":"Luz"}}}',
  'a name twice, with two values': '{"id":"twice","amount":"1","amount":2,"note":"Ana","note":"Eva"}',
  'an empty name': '{"id":"empty","":1}',
  'every kind of wrong type': '{"id":"types","amount":true,"currency":[],"createdAt":{},"status":null}',
};

describe('a record with', () => {
  for (const [what, json] of Object.entries(PAYLOADS)) {
    test(`${what} is landed, and is unchanged when it arrives again`, async () => {
      expect(await stage.tell('movements', sent(json))).toMatchObject({ fresh: 1 });
      expect(await stage.tell('movements', sent(json))).toMatchObject({ fresh: 0, changed: 0 });
    });
  }

  test('any of these parses as JSON in the database, and its numbers are the text that was sent', async () => {
    const rows = await stage.rows(
      `select record_id, payload::jsonb ->> 'amount' as amount from land.records where payload::jsonb ? 'amount' order by 1`,
    );
    const amounts = Object.fromEntries(rows.map(({ record_id, amount }) => [record_id, amount]));
    expect(amounts).toMatchObject({ '1e400': '1e400', e9: '1e999999999', digits: '9'.repeat(10_000) });
    expect(amounts.forty).toBe('1234567890123456789012345678901234567890.1');
  });

  test('any of these is in the view of movements, where an invalid amount or instant is null', async () => {
    const rows = await stage.rows('select record_id, created_at from books.movements');
    expect(rows).toHaveLength(Object.keys(PAYLOADS).length);
    expect(new Set(rows.map(({ created_at }) => created_at))).toEqual(new Set([null]));
  });

  test('__proto__ preserves that field', async () => {
    const rows = await stage.rows(
      `select payload::jsonb #>> '{__proto__,amount}' as amount from land.records where record_id = 'proto'`,
    );
    expect(rows).toEqual([{ amount: '7' }]);
  });

  test('a name twice keeps both values, personal ones apart', async () => {
    const rows = await stage.rows(
      "select payload::jsonb ->> 'amount' as amount, payload from land.records where record_id = 'twice'",
    );
    expect(rows).toEqual([{ amount: '["1", "2"]', payload: expect.not.stringMatching(/Ana|Eva/) }]);
    const people = await stage.rows("select value from land.people where record_id = 'twice' order by 1");
    expect(people.map(({ value }) => value).join()).toMatch(/Ana.*Eva/);
  });

  test('three people stores them under three paths', async () => {
    const rows = await stage.rows(
      "select path, value from land.people where record_id = 'person' order by value",
    );
    expect(rows.map(({ value }) => value)).toEqual(['"Ana"', '"Eva"', '"Luz"']);
  });
});

test.each([
  ['a NUL', String.raw`\u0000`, String.raw`\\u0000`],
  ['half a pair', String.raw`\udabc`, String.raw`\u005cudabc`],
  ['text like an escape', String.raw`\\u0000`, String.raw`\\u005cu0000`],
])('%s and the text of its escape are two values', async (what, one, other) => {
  const forms = (text: string) => [
    sent(`{"id":"value ${what}","extra":"${text}"}`),
    sent(`{"id":"name ${what}","a${text}":1}`),
    sent(`{"id":"person ${what}","note":"${text}"}`),
  ];
  const ids = [one, other].map((text) => sent(`{"id":"${what} ${text}"}`));
  expect(await stage.tell('movements', ...forms(one))).toMatchObject({ fresh: 3 });
  expect(await stage.tell('movements', ...forms(one))).toMatchObject({ fresh: 0, changed: 0 });
  expect(await stage.tell('movements', ...forms(other))).toMatchObject({ fresh: 0, changed: 3 });
  expect(await stage.tell('movements', ...ids)).toMatchObject({ fresh: 2, changed: 0 });
});

test('a hostile record does not block the others of its page', async () => {
  const rows = [movement('before'), sent('{"id":"\\u0000","note":"\\ud800\\u0000"}'), movement('after')];
  expect(await stage.tell('movements', ...rows)).toMatchObject({ fresh: 3 });
});
