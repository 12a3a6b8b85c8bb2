// Labels: which files are refused, and what takes effect.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readLabels } from '../../src/approvals/label-file.ts';
import { labelsChange } from '../../src/approvals/labels.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { byBoth } from './both.ts';
import { fileOf } from './desk.ts';

const labelsOf = (...lines: string[]) =>
  readLabels(fileOf(['kind,id,label', ...lines].join('\n'), 'labels.csv'));

describe('a file', () => {
  test('is read whole; a pocket is written in small letters', () => {
    expect(labelsOf('entity,main,Acme S.L.', 'pocket,P1,"Treasury, cold"')).toMatchObject([
      { kind: 'entity', id: 'main', label: 'Acme S.L.' },
      { kind: 'pocket', id: 'p1', label: 'Treasury, cold' },
    ]);
  });

  test.each([
    ['wallet,p1,A', 'line 2, column kind: "wallet": write entity, pocket, account, counterparty'],
    ['pocket,,A', 'line 2, column id: is empty'],
    ['pocket,p1,', 'line 2, column label: is empty'],
    ['pocket,p1,=SUM(A1)', 'line 2, column label: "=SUM(A1)" begins like a formula'],
    ['pocket,p1,＠sum', 'line 2, column label: "＠sum" begins like a formula'],
    ['pocket,p1,Trea\u200bsury', 'line 2, column label: contains an invisible character'],
    ['pocket,p1,Trea\u202esury', 'line 2, column label: contains an invisible character'],
    ['pocket,p1\u00ad,Treasury', 'line 2, column id: contains an invisible character'],
    [`pocket,p1,${'x'.repeat(61)}`, 'line 2, column label: has 61 characters: write at most 60'],
    ['pocket,p1,Wallet of ada@acme.example', 'line 2, column label: looks like an e-mail address'],
    ['pocket,p1,Bank ES91 2100 0418 4502 0005 1332', 'line 2, column label: looks like an IBAN'],
    ['pocket,p1,es9121000418450200051332', 'line 2, column label: looks like an IBAN'],
  ])('%j is refused', (line, message) => {
    expect(() => labelsOf(line)).toThrow(message);
  });

  test('a label with a year is not an IBAN', () => {
    expect(labelsOf('pocket,p1,FY26 treasury wallet of Madrid')).toHaveLength(1);
  });

  test.each([
    ['the same id', 'entity,main,B', 'line 3, column id: main is also in line 2: remove one of the lines'],
    [
      'the same label',
      'entity,sub,ACME\u0020 Sl',
      'line 3, column label: "ACME  Sl" is also the label in line 2',
    ],
    [
      'the same label in wide letters',
      'entity,sub,Ａcme SL',
      'line 3, column label: "Ａcme SL" is also the label in line 2',
    ],
  ])('%s twice is refused', (_, line, message) => {
    expect(() => labelsOf('entity,main,Acme SL', line)).toThrow(message);
  });

  test('a pocket and its account are one, an entity and a pocket are not', () => {
    expect(() => labelsOf('pocket,p1,A', 'account,assets:pocket:p1,B')).toThrow(
      'line 3, column id: assets:pocket:p1 is also in line 2',
    );
    expect(() => labelsOf('pocket,p1,A', 'account,assets:trading,A')).toThrow('line 3, column label');
    expect(labelsOf('pocket,p1,A', 'entity,main,A')).toHaveLength(2);
  });
});

describe('in the books', () => {
  let books: TestDatabase;
  const rows = async <T>(text: string): Promise<T[]> => (await books.pool.query(text)).rows as T[];
  beforeAll(async () => {
    books = await freshDatabase();
    await rows(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
      ('main', 'main', 'Europe/Madrid', 'EUR', '2026-09-01'), ('sub', 'sub', 'UTC', 'EUR', '2026-09-01')`);
    await rows(`insert into ledger.totals (entity_id, account, currency, debit, credit) values
      ('main', 'assets:trading', 'BTC', 1, 0), ('sub', 'assets:pocket:p1', 'USDC', 1, 0)`);
  });
  beforeEach(() => rows('truncate decide.proposals, decide.label_files cascade'));
  afterAll(() => books.close());

  const propose = (...lines: string[]) =>
    labelsChange(books.db, { lines: labelsOf(...lines), fileName: 'labels.csv' });
  const inForce = async () =>
    (
      await rows<Record<string, string>>(
        'select kind, id, label, account, version from books.labels order by kind, id',
      )
    ).map((row) => Object.values(row).join(' | '));

  test('a version replaces the one before as a whole', async () => {
    await byBoth(
      books.db,
      await propose('entity,main,Acme', 'pocket,P1,Treasury', 'account,assets:trading,Desk'),
    );
    expect(await inForce()).toEqual([
      'account | assets:trading | Desk | assets:trading | 1',
      'entity | main | Acme |  | 1',
      'pocket | p1 | Treasury | assets:pocket:p1 | 1',
    ]);
    await byBoth(books.db, await propose('counterparty,the platform,Exchange SA'));
    expect(await inForce()).toEqual(['counterparty | the platform | Exchange SA |  | 2']);
  });

  test.each([
    [
      'entity,nobody,A',
      'line 2, column id: no entity nobody is in the books: look with npx tieout entities list',
    ],
    ['pocket,p2,A', 'line 2, column id: no pocket p2 is in the books'],
    ['account,assets:earn,A', 'line 2, column id: no account assets:earn is in the books'],
    ['counterparty,Bank X,A', 'line 2, column id: no counterparty Bank X is in the books'],
    ['entity,main,sub', 'line 2, column label: "sub" is the id of another entity'],
  ])('%s is refused', async (line, message) => {
    await expect(propose(line)).rejects.toThrow(message);
  });

  test('of two proposals the second is prepared again', async () => {
    const [first, second] = [await propose('entity,main,A'), await propose('entity,main,B')];
    await byBoth(books.db, first);
    await expect(byBoth(books.db, second)).rejects.toThrow(
      'other labels took effect since it was prepared (1 after 0): prepare it again',
    );
    expect(await inForce()).toEqual(['entity | main | A |  | 1']);
  });
});
