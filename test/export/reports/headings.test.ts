// Headings and the words in cells: each column and each word of a vocabulary has a translation in every language.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_CLASSES } from '../../../src/approvals/approvals.ts';
import { LANDED_NAMES } from '../../../src/base/streams.ts';
import { sqlPaths } from '../../../src/database/sql.ts';
import {
  type ColumnKind,
  headingOf,
  headings,
  isFigure,
  LANGUAGES,
  titleOf,
  vocabularies,
} from '../../../src/export/reports/headings.ts';
import { cellWriter, EXCEL_PROFILES } from '../../../src/export/reports/profile.ts';
import { cutSql } from '../../../src/export/reports/report.ts';
import { reportTitleOf, reportTitles } from '../../../src/export/reports/titles.ts';
import { indexName } from '../../../src/export/workbook/index-sheet.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

/** Types of Postgres, by the kinds of headings.csv. */
const TYPES: Readonly<Record<number, readonly ColumnKind[]>> = {
  16: ['boolean'],
  20: ['whole'],
  21: ['whole'],
  23: ['whole'],
  1082: ['day'],
  1184: ['instant'],
  1700: ['quantity', 'money', 'price', 'running'],
};

const TEXTS: readonly ColumnKind[] = ['text', 'id', 'code', 'word', 'sentence'];

/** The words of these vocabularies are those of the chart of accounts and of titles.csv. */
const BROUGHT = ['account name', 'report'];

describe('headings', () => {
  const cut = { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z', by: 'posted_at', entity: '' };

  test.each(sqlPaths('reports'))(
    '%s: a line for each column, of its type, in each language',
    async (path) => {
      const report = path.replace(/^reports\/|\.sql$/g, '');
      const { fields } = await books.pool.query(cutSql(path, cut));
      const names = fields.map(({ name }) => name);
      expect(names.filter((name) => !headings().has(name) && !headings().has(`${report}.${name}`))).toEqual(
        [],
      );
      for (const { name, dataTypeID } of fields) {
        const heading = headingOf(report, name);
        const { kind, unit } = heading;
        expect([name, TYPES[dataTypeID] ?? TEXTS]).toEqual([name, expect.arrayContaining([kind])]);
        if (isFigure(heading)) expect(unit, `the unit of ${name}`).not.toBe('');
        if (kind === 'word' && !BROUGHT.includes(unit))
          expect(vocabularies().has(unit), `the vocabulary of ${name}`).toBe(true);
        else if (unit.endsWith('currency')) expect(names, `the unit of ${name}`).toContain(unit);
      }
      for (const language of LANGUAGES) {
        const titles = names.map((name) => titleOf(headingOf(report, name), language, 'EUR'));
        expect(titles).not.toContain('');
        expect([...new Set(titles)], `two columns of one name in ${language}`).toEqual(titles);
      }
    },
  );

  test('what does not add up is not summed as money: a price, a rate, a running balance', () => {
    const odd = [...headings().values()].filter(
      ({ name, kind }) => kind === 'money' && /^(unit_|balance|rate$|price$)|_price$/.test(name),
    );
    expect(odd).toEqual([]);
    expect(headings().get('balance_value')?.kind).toBe('running');
  });

  test('a column without a line is text under its own name', () => {
    expect(headingOf('journal', 'moon')).toMatchObject({ kind: 'text', titles: { es: 'moon' } });
  });
});

describe('titles', () => {
  const reports = sqlPaths('reports').map((path) => path.replace(/^reports\/|\.sql$/g, ''));

  test('a line for each report, in each language, and no other', () => {
    expect([...reportTitles().keys()].sort()).toEqual(reports);
    for (const [report, { titles, descriptions }] of reportTitles())
      for (const language of LANGUAGES)
        expect([report, titles[language], descriptions[language]]).not.toContain('');
  });

  /** Excel allows 31 characters, of which a number of a further sheet takes five: `Libro diario (12)`. */
  const NAME_MAX = 26;

  test.each(['report', ...LANGUAGES] as const)('%s: names that a workbook allows for its sheets', (by) => {
    const names = reports.map((report) => (by === 'report' ? report : reportTitleOf(report).titles[by]));
    const all = [...names, indexName(by === 'report' ? 'en' : by)].map((name) => name.toLowerCase());
    expect([...new Set(all)]).toEqual(all);
    for (const name of names) {
      expect(name.length, name).toBeLessThanOrEqual(NAME_MAX);
      expect(name).not.toMatch(/[\\/?*[\]:]|^'|'$|\(\d+\)$/);
    }
  });

  test('a report without a line has its own name', () => {
    expect(reportTitleOf('moon').titles.es).toBe('moon');
  });
});

describe('words', () => {
  const wordsOf = (vocabulary: string): string[] => [...(vocabularies().get(vocabulary)?.keys() ?? [])];
  const quoted = (text: string): string[] =>
    [...text.matchAll(/(?<!:)'([^']+)'/g)].map(([, word = '']) => word);

  /** The words that a constraint allows in a column. */
  const allowedIn = async (table: string, column: string): Promise<string[]> => {
    const { rows } = await books.pool.query<{ definition: string }>(
      'select pg_get_constraintdef(oid) as definition from pg_constraint where conrelid = $1::regclass and contype = $2',
      [table, 'c'],
    );
    return rows
      .map(({ definition }) => definition)
      .filter((it) => it.startsWith(`CHECK ((${column} = ANY (`))
      .flatMap(quoted);
  };

  const selected = async (text: string): Promise<string[]> =>
    (await books.pool.query<{ word: string }>(text)).rows.map(({ word }) => word);

  /** The words in the comment on a column of books: `What it is: one, another (why) or a third; null if none.` */
  const documented = async (column: string): Promise<string[]> => {
    const [view = '', name = ''] = column.split('.');
    const [comment = ''] = await selected(
      `select col_description('books.${view}'::regclass, attnum) as word from pg_attribute
       where attrelid = 'books.${view}'::regclass and attname = '${name}'`,
    );
    const [list = ''] = comment.replace(/ \(.*?\)/g, '').split(/\.(?: |$)|;/);
    return list.replace(/^[A-Z][^:]*: /, '').split(/, or |, | or /);
  };

  test('each word has a translation in every language', () => {
    for (const [vocabulary, words] of vocabularies())
      for (const [word, titles] of words)
        for (const language of LANGUAGES)
          expect(titles[language], `${vocabulary}: ${word} in ${language}`).not.toBe('');
  });

  test('each vocabulary belongs to a column', () => {
    const used = [...headings().values()]
      .filter(({ kind, unit }) => kind === 'word' && !BROUGHT.includes(unit))
      .map(({ unit }) => unit);
    expect([...vocabularies().keys()].sort()).toEqual([...new Set(used)].sort());
  });

  test.each([
    ['status', () => allowedIn('reconcile.tie_outs', 'status'), 6],
    ['status', () => allowedIn('reconcile.breaks', 'status'), 5],
    ['counterparty type', () => allowedIn('decide.counterparty_rules', 'counterparty_type'), 4],
    ['owner', () => allowedIn('decide.profiles', 'owner'), 2],
    ['method', () => allowedIn('decide.profiles', 'cost_method'), 2],
    ['severity', () => selected('select severity as word from reconcile.severities'), 5],
    ['asset class', async () => ASSET_CLASSES, 4],
    ['statement', () => selected('select distinct statement as word from books.chart_templates'), 2],
    [
      'statement class',
      () => selected('select distinct statement_class as word from books.chart_templates'),
      8,
    ],
    [
      'fee',
      () =>
        selected(`select distinct split_part(account, ':', 3) as word from books.chart_templates
      where account like 'expenses:fees:_%' and account not like '%*'`),
      3,
    ],
    ['stream', async () => [...LANDED_NAMES, 'manual'], LANDED_NAMES.length + 1],
    ['check', async () => sqlPaths('checks').map((path) => path.replace(/^checks\/|\.sql$/g, '')), 25],
  ] as const)('%s: each word has a line', async (vocabulary, words, count) => {
    const all = await words();
    expect(all.length).toBeGreaterThanOrEqual(count);
    const known = wordsOf(vocabulary);
    const missing = all.filter((word) => !known.includes(word));
    expect(missing, `add them to words.csv, vocabulary ${vocabulary}`).toEqual([]);
  });

  test.each([
    ['kind', 'entries.kind'],
    ['outcome', 'records.outcome'],
    ['decision', 'rejects.decision'],
    ['action', 'manual_entries.action'],
    ['counterparty type', 'outside.counterparty_type'],
  ])('%s: the words are those that the comment on %s lists', async (vocabulary, column) => {
    expect(wordsOf(vocabulary).sort()).toEqual((await documented(column)).sort());
  });

  /** Words that a report uses within its own statement and never writes. */
  const INTERNAL =
    /^(opening|closing|late|within|fault|unvalued|in|out|traded in|traded out|reward|opened|fee|refill|payback|units|value|exact|destination|origin|reversal|infinity)$/;

  test.each(sqlPaths('reports'))('%s: each word in its text has a line', (path) => {
    const text = readFileSync(new URL(`../../../sql/${path}`, import.meta.url), 'utf8').replace(
      /--.*$/gm,
      '',
    );
    const known = new Set([...vocabularies().values()].flatMap((words) => [...words.keys()]));
    const written = quoted(text).filter((word) => /^[a-z][a-z -]+$/.test(word));
    expect(written.filter((word) => !known.has(word) && !INTERNAL.test(word))).toEqual([]);
  });
});

describe('text of a localized profile', () => {
  const write = (report: string, name: string, cell: string) =>
    cellWriter(EXCEL_PROFILES['excel-es'], headingOf(report, name), 'UTC')(cell);

  test.each([
    ['tie_outs', 'status', 'tied', 'Conciliado'],
    ['trial_balance', 'statement_class', 'assets', 'Activo'],
    ['in_transit', 'account', 'into trading', 'Entrada en trading'],
    ['in_transit', 'account', 'assets:clearing:trading', 'assets:clearing:trading'],
    ['breaks', 'severity', 'house rule', 'house rule'],
    ['counterparties', 'counterparty', 'other, company', 'Otras empresas, según la agenda'],
    ['counterparties', 'counterparty', 'Example, company', 'Example, company'],
    ['prices_used', 'path', 'through USD', 'A través de USD'],
    ['dac8_check', 'valuation', 'cost-euro, rate', 'Valor en euros según la plataforma, Tipo de mercado'],
    ['realised_gains', 'exchanged_for', '0.5 BTC + 1234.56 EUR', '0,5 BTC + 1234,56 EUR'],
    [
      'manual_entries',
      'legs',
      'assets:trading <- equity:opening 0.5 BTC',
      'assets:trading <- equity:opening 0,5 BTC',
    ],
    [
      'breaks',
      'reason',
      'one of 0.5 at 2026-10-01T00:00:00.123Z of v1.2.3.',
      'one of 0,5 at 2026-10-01T00:00:00.123Z of v1.2.3.',
    ],
    ['breaks', 'reason', 'it is -0.160001.', 'it is -0,160001.'],
    ['rejects', 'reason', 'amount is negative: -1.5', 'amount is negative: -1.5'],
  ])('%s %s: %s becomes %s', (report, name, cell, expected) => {
    expect(write(report, name, cell)).toBe(expected);
  });

  test('a title names the reporting currency', () => {
    expect(titleOf(headingOf('asset_roll_forward', 'in_value'), 'es', 'CHF')).toBe('Entradas (CHF)');
  });
});
