// The plain-text journals: every byte for the small world, and the encoding of names and texts.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { accountName, commodity, lineText, tagText } from '../../../src/export/journals/journal-text.ts';
import { JOURNALS, type JournalName } from '../../../src/export/journals/journals.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { filesIn, makeWorld, october, poolAfter } from '../world.ts';

const NAMES = Object.keys(JOURNALS) as JournalName[];

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const exported = async (format: JournalName, pool = books.pool, entities?: string[]) =>
  exportReports({ ...october(pool), format, ...(entities && { entities }) });

describe.each(NAMES)('%s', (name) => {
  const { file, beside } = JOURNALS[name];

  test('October gives these files', async () => {
    const { dir, manifest } = await exported(name);
    const files = filesIn(dir);
    expect(Object.keys(files).sort()).toEqual([file, ...Object.keys(beside()), 'manifest.json'].sort());
    await expect(files[file]).toMatchFileSnapshot(`../golden/journals/${file}`);
    expect(manifest.files.map((file) => file.name)).toEqual([file, ...Object.keys(beside())]);
    for (const { name: one, sha256 } of manifest.files)
      expect(
        createHash('sha256')
          .update(readFileSync(join(dir, one)))
          .digest('hex'),
      ).toBe(sha256);
    expect(manifest.files[0]?.rows).toBe(28);
  });

  test('the bytes are the same in a session with another locale and other plans', async () => {
    const plain = filesIn((await exported(name)).dir);
    for (const settings of [
      "set timezone = 'Asia/Tokyo'; set datestyle = 'German'",
      "set enable_indexscan = off; set enable_hashjoin = off; set work_mem = '64kB'",
      'set debug_parallel_query = on; set parallel_setup_cost = 0; set parallel_tuple_cost = 0',
    ])
      expect(filesIn((await exported(name, poolAfter(books.pool, settings))).dir)).toEqual(plain);
  });

  test('an export of one entity replaces the last one, which beancount has read', async () => {
    const { dir } = await exported(name, books.pool, ['Zeta']);
    const text = filesIn(dir)[file] ?? '';
    expect(text.match(/record_id: "?(\S+?)"?$/gm)).toHaveLength(1);
    expect(text).not.toMatch(/main/i);
    writeFileSync(join(dir, '.books.beancount.picklecache'), '');
    const again = await exportReports({ ...october(books.pool), outDir: dir, format: name });
    expect(again.dir).toBe(dir);
    await exportReports({ ...october(books.pool), outDir: dir }); // and reports over a journal
  });

  test('fills that name their currencies in symbol alone have the same prices', async () => {
    const bare = await freshDatabase();
    await makeWorld(bare);
    await bare.pool.query(
      `update land.records set payload = (payload::jsonb - '{amountCurrency,priceCurrency}'::text[])::text where stream = 'trades' and record_id = 't1'`,
    );
    const bytes = filesIn((await exported(name, bare.pool)).dir)[file];
    expect(bytes).toBe(filesIn((await exported(name)).dir)[file]);
    await bare.close();
  });

  test('empty books give an empty journal', async () => {
    const empty = await freshDatabase();
    const { dir, files } = await exported(name, empty.pool);
    expect(files[0]?.rows).toBe(0);
    expect(filesIn(dir)[file]).not.toMatch(/^\d{4}-/m);
    await empty.close();
  });
});

describe('encoding', () => {
  test.each([
    ['main', 'assets:pocket:3f2b-9a', 'main:assets:pocket:3f2b-9a', 'Assets:Main:Pocket:3f2b-9a'],
    ['Zeta', 'equity:opening', 'Zeta:equity:opening', 'Equity:XX5Aeta:Opening'],
    ['a_B', 'assets:earn', 'a_B:assets:earn', 'Assets:A-X5F-X42:Earn'],
    ['-x', 'assets:pocket:é;', '-x:assets:pocket:%C3%A9%3B', 'Assets:XX2Dx:Pocket:XXC3-XA9-X3B'],
    ['xX5A', 'income:rewards', 'xX5A:income:rewards', 'Income:X-X585-X41:Rewards'],
  ])('account %s %s', (entity, account, plain, beancount) => {
    expect(accountName(entity, account)).toBe(plain);
    expect(JOURNALS.beancount.accountName(entity, account)).toBe(beancount);
    expect(asTold(beancount)).toEqual([entity, account]);
  });

  test.each([
    ['EUR', 'EUR', 'EUR'],
    ['1INCH', '"1INCH"', "X'-1INCH"],
    ['USDT2', '"USDT2"', 'USDT2'],
    ['X', 'X', "X'-X"],
    ['TRUE', 'TRUE', "X'-TRUE"],
    ['usd.e', '"usd.e"', "X'-'75'73'64'2E'65"],
    ['A;"', '"A%3B%22"', "A'3B'22"],
  ])('currency %s', (currency, plain, beancount) => {
    expect(commodity(currency)).toBe(plain);
    expect(JOURNALS.beancount.currencyName(currency)).toBe(beancount);
  });

  test('a name that beancount cannot express is an error', () => {
    expect(() => JOURNALS.beancount.accountName('main', 'other:a')).toThrow('no root');
    expect(() => JOURNALS.beancount.currencyName('A'.repeat(25))).toThrow('24 characters');
  });

  test.each([
    ['a; b | c @ d', 'a%3B b %7C c %40 d', 'a%3B b %7C c %40 d'],
    ['two\r\nlines', 'two%0D%0Alines', 'two%0D%0Alines'],
    [' a  b ', '%20a%20 b%20', '%20a%20 b%20'],
    ['100% 出金', '100%25 出金', '100%25 %E5%87%BA%E9%87%91'],
    ['[2026-13-45], x', '%5B2026-13-45%5D, x', '%5B2026-13-45%5D%2C x'],
  ])('text %j', (text, line, tag) => {
    expect([lineText(text), tagText(text)]).toEqual([line, tag]);
    expect([decodeURIComponent(line), decodeURIComponent(tag)]).toEqual([text, text]);
  });
});

test('a text that is longer than a line of ledger goes on in a tag, and nothing of it is lost', () => {
  const [description, id] = [`settlement of trades ${'\u3000'.repeat(512)}`, ` ${'出'.repeat(510)} `];
  const entry = { entity: 'main', id: 'e1', day: '2026-10-31', nextDay: '2026-11-01', postings: [] };
  const text = JOURNALS.ledger.entry({ ...entry, description, tags: [['record_id', id]] });
  const [head = '', ...tags] = text.trimEnd().split('\n');
  for (const line of [head, ...tags]) expect(Buffer.byteLength(line)).toBeLessThan(4_096);
  const tagOf = (name: string) =>
    tags.find((line) => line.startsWith(`    ; ${name}: `))?.split(': ')[1] ?? '';
  expect(decodeURIComponent(head.replace('2026-10-31 * (e1) ', '') + tagOf('description_2'))).toBe(
    description,
  );
  expect(decodeURIComponent(tagOf('record_id') + tagOf('record_id_2'))).toBe(id);
  expect(tags).toHaveLength(3);
});

/** Decodes beancount's names, as the journal describes. */
const asTold = (name: string): [entity: string, account: string] => {
  const [root = '', ...parts] = name.split(':');
  const back = (part: string) => {
    const isSpelled = /^XX[0-9A-F]{2}/.test(part);
    const first = isSpelled ? `%${part.slice(2, 4)}` : (part[0] ?? '').toLowerCase();
    const rest = part.slice(isSpelled ? 4 : 1).replace(/-X([0-9A-F]{2})/g, '%$1');
    return decodeURIComponent(first + rest);
  };
  const [entity = '', ...rest] = parts.map(back);
  return [entity, [root.toLowerCase(), ...rest].join(':')];
};
