// The chart of accounts: which line an account gets, and which charts are refused.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ChartLine, lineFor } from '../../src/approvals/chart.ts';
import { readAssetClasses, readChart } from '../../src/approvals/chart-file.ts';
import { chartChange, templateLines, type WantedChart } from '../../src/approvals/charts.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { byBoth } from './both.ts';
import { fileOf } from './desk.ts';

const HEAD = 'account,class,currency,code,name_en,name_es,name_de,statement,statement_class';
const line = (account: string, code: string, more: Partial<ChartLine> = {}): ChartLine => ({
  account,
  class: '',
  currency: '',
  code,
  name_en: `Account ${code}`,
  name_es: `Cuenta ${code}`,
  name_de: `Konto ${code}`,
  statement: 'balance sheet',
  statement_class: 'assets',
  ...more,
});

describe('a file', () => {
  const chartOf = (...lines: string[]) => readChart(fileOf([HEAD, ...lines].join('\n'), 'chart.csv'));

  test('is read whole', () => {
    expect(chartOf('assets:*,coin,,1300,Coins,Monedas,Münzen,balance sheet,crypto-assets')).toEqual([
      line('assets:*', '1300', {
        class: 'coin',
        name_en: 'Coins',
        name_es: 'Monedas',
        name_de: 'Münzen',
        statement_class: 'crypto-assets',
      }),
    ]);
  });

  test.each([
    ['Assets,,,1,A,A,A,balance sheet,assets', 'line 2, column account: "Assets" is not a path'],
    [
      'assets:*,shares,,1,A,A,A,balance sheet,assets',
      'line 2, column class: "shares": write fiat, e-money token, coin, testnet',
    ],
    ['assets:*,,btc,1,A,A,A,balance sheet,assets', 'line 2, column currency: "btc" is not a currency'],
    ['assets:*,,,,A,A,A,balance sheet,assets', 'line 2, column code: is empty'],
    ['assets:*,,,1,A,A,,balance sheet,assets', 'line 2, column name_de: is empty'],
    ['assets:*,,,1,A,A,A,cash flow,assets', 'line 2, column statement: "cash flow": write balance sheet'],
    ['assets:*,,,=1,A,A,A,balance sheet,assets', 'line 2, column code: "=1" begins like a formula'],
  ])('%s is refused', (text, message) => {
    expect(() => chartOf(text)).toThrow(message);
  });

  test('one English name has one name in each other language', () => {
    expect(() =>
      chartOf('assets:trading,,,1,A,B,C,balance sheet,assets', 'assets:*,,,2,A,B,D,balance sheet,assets'),
    ).toThrow('line 3, column name_de: "A" is "C" in line 2');
  });

  test('of classes has each currency once, in a known class', () => {
    const classesOf = (...lines: string[]) =>
      readAssetClasses(fileOf(['currency,class', ...lines].join('\n'), 'classes.csv'));
    expect(classesOf('USDC,coin')).toEqual([{ currency: 'USDC', class: 'coin' }]);
    expect(() => classesOf('USDC,coin', 'USDC,fiat')).toThrow(
      'line 3, column currency: USDC is also in line 2',
    );
    expect(() => classesOf('USDC,share')).toThrow('line 2, column class: "share": write fiat');
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
      ('main', 'assets:trading', 'BTC', 1, 0), ('main', 'assets:trading', 'EUR', 1, 0),
      ('main', 'assets:pocket:p1', 'USDC', 1, 0), ('main', 'equity:conversion', 'BTC', 0, 1),
      ('sub', 'expenses:fees:trading', 'EUR', 1, 0)`);
  });
  beforeEach(() => rows('truncate decide.proposals, decide.charts, decide.seals cascade'));
  afterAll(() => books.close());

  const propose = (wanted: Partial<WantedChart>, fiscalYearStart = 1) =>
    chartChange(
      books.db,
      { chart: 'own', lines: [line('*', '9000')], classes: null, entity: null, from: null, ...wanted },
      fiscalYearStart,
    );
  const approve = async (wanted: Partial<WantedChart>) => byBoth(books.db, await propose(wanted));
  const codes = async (asOf = 'infinity') =>
    (
      await rows<Record<string, string>>(
        `select entity_id, account, currency, asset_class, code from books.chart_of_accounts_at('${asOf}') order by 1, 2, 3`,
      )
    ).map((row) => Object.values(row).join(' '));
  const close = (entity: string, period: string) =>
    rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values ('${entity}', '${period}', 1, 0, 0, repeat('a', 64), '{}', 'Ada', '2026-11-03')`);

  test('cash, e-money tokens and coins have codes of their own, and results of earlier years an account', async () => {
    expect(await codes()).toEqual([
      'main assets:pocket:p1 USDC e-money token 1203',
      'main assets:trading BTC coin 1301',
      'main assets:trading EUR fiat 1101',
      'main equity:conversion BTC coin 3210',
      'sub equity:retained-earnings EUR fiat 3120',
      'sub expenses:fees:trading EUR fiat 5110',
    ]);
  });

  test.each(['ifrs', 'pgc', 'skr03', 'skr04'])(
    '%s maps every account, by program and database alike',
    async (name) => {
      const lines = await templateLines(books.db, name);
      await approve({ chart: name, lines });
      for (const row of await rows<Record<'account' | 'currency' | 'asset_class' | 'code', string>>(
        'select * from books.chart_of_accounts',
      ))
        expect([row.account, lineFor(lines, row)?.code]).toEqual([row.account, row.code]);
      expect(new Set(lines.map(({ code }) => code.length)).size).toBe(1); // as DATEV and Holded want
      expect(new Set(lines.map(({ name_en }) => name_en)).size).toBe(lines.length); // as QuickBooks wants
    },
  );

  test('a version applies from its fiscal year, to its entity, with its classes', async () => {
    await approve({ from: '2026-01' });
    await approve({
      lines: [line('*', '1000', { class: 'coin' }), line('*', '2000')],
      classes: [{ currency: 'USDC', class: 'coin' }],
      entity: 'main',
      from: '2027-01',
    });
    expect((await codes('2025-12-31')).at(1)).toBe('main assets:trading BTC coin 1301');
    expect((await codes('2026-12-31T23:00:00Z')).at(0)).toBe('main assets:pocket:p1 USDC e-money token 9000');
    expect((await codes('2026-12-31T23:00:01Z')).slice(0, 3)).toEqual([
      'main assets:pocket:p1 USDC coin 1000',
      'main assets:trading BTC coin 1000',
      'main assets:trading EUR fiat 2000',
    ]);
    expect((await codes()).at(-1)).toBe('sub expenses:fees:trading EUR fiat 9000');
    await approve({ entity: 'main', from: '2027-01' }); // keeps the classes of the version before
    expect((await codes()).at(0)).toBe('main assets:pocket:p1 USDC coin 9000');
  });

  test('an account without a line is an error that lists all', async () => {
    await expect(propose({ lines: [line('assets:trading', '1', { class: 'coin' })] })).rejects.toThrow(
      [
        'own has no line for 5 accounts of the books: add them',
        'assets:pocket:p1 USDC (e-money token)',
        'assets:trading EUR (fiat)',
        'equity:conversion BTC (coin)',
        'equity:retained-earnings EUR (fiat)',
        'expenses:fees:trading EUR (fiat)',
      ].join('\n  '),
    );
  });

  test('a closed year keeps its chart', async () => {
    await close('main', '2026-09');
    await expect(propose({ from: '2026-01' })).rejects.toThrow(
      '2026-09 is closed: a chart of accounts cannot change in a closed year',
    );
    expect((await propose({})).from_month).toBe('2027-01');
    expect((await propose({ entity: 'sub' })).from_month).toBe('0001-01');
    expect((await propose({}, 10)).from_month).toBe('2026-10');
    await expect(propose({ from: '2027-05' })).rejects.toThrow(
      '2027-05 is not one: write a month such as 2027-01',
    );
    const late = await propose({});
    await close('sub', '2027-01');
    await expect(byBoth(books.db, late)).rejects.toThrow('2027-01 is closed');
  });
});
