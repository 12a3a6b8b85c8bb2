// The phrases of the page: every language has all of them, with the same places and as many forms, and a page has no gap.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCsvFile } from '../../../src/base/csv-file.ts';
import { packageRoot } from '../../../src/base/root.ts';
import { inCents, phrasesOf } from '../../../src/export/page/phrases.ts';

const FOLDER = join(packageRoot, 'src', 'export', 'page');
const rows = readCsvFile(join(FOLDER, 'phrases.csv'), ['key', 'en', 'es', 'de']).map(({ cells }) => cells);

const placesOf = (form: string): string[] => [...new Set(form.match(/\{\w+\}/g) ?? [])].sort();

describe('phrases.csv', () => {
  test('has each key once, in every language, with the same places and forms', () => {
    expect(rows.length).toBeGreaterThan(100);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
    for (const { key, en, es, de } of rows)
      for (const other of [es, de]) {
        expect(other, key).not.toBe('');
        expect(other.split('|').length, key).toBe(en.split('|').length);
        for (const form of other.split('|'))
          expect(placesOf(form), key).toEqual(placesOf(en.split('|').at(-1) ?? ''));
      }
  });

  test('has each phrase in the words of its language', () => {
    const alike = rows.flatMap(({ key, en, es, de }) =>
      [es, de].flatMap((other) => {
        const isSame = other.toLowerCase() === en.toLowerCase() && /\p{L}/u.test(en.replace(/\{\w+\}/g, ''));
        return isSame ? [`${key}: ${other}`] : [];
      }),
    );
    expect(alike).toEqual([
      'total: Total',
      'place.trading: Trading',
      'place.pockets: Pockets',
      'place.pockets: Pockets',
      'place.earn: Earn',
      'place.earn: Earn',
      'channel.bank: Bank',
      'channel.person: Person',
      'channel.blockchain: blockchain',
      'channel.blockchain: Blockchain',
      'nav.appendix: SQL',
      'nav.appendix: SQL',
      'account.pocket: Pocket {id}',
      'account.pocket: Pocket {id}',
      'names.name: Name',
    ]);
  });

  test('has no phrase that no file of the page uses', () => {
    const source = readdirSync(FOLDER)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
      .join('\n');
    const prefixes = [...source.matchAll(/`([\w.]+)\.\$\{/g)].map(([, prefix]) => `${prefix}.`);
    const isUsed = (key: string): boolean =>
      source.includes(`'${key}'`) ||
      prefixes.some((prefix) => key.startsWith(prefix)) ||
      /^(?:un)?realised\.month$/.test(key);
    expect(rows.map(({ key }) => key).filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('a language', () => {
  const plain = (markup: { readonly html: string }) => markup.html.replace(/<[^>]*>/g, '');

  test('has its plural, its decimal sign and its names of periods', () => {
    const [en, es, de] = (['en', 'es', 'de'] as const).map(phrasesOf);
    expect(plain(en?.say('standing.broken', { n: 1 }) ?? { html: '' })).toBe('1 open break');
    expect(plain(es?.say('standing.broken', { n: 2 }) ?? { html: '' })).toBe('2 descuadres abiertos');
    expect(plain(de?.say('standing.broken', { n: 1 }) ?? { html: '' })).toBe('1 offene Abweichung');
    expect([en, es, de].map((phrases) => plain(phrases?.amount('-1234.5') ?? { html: '' }))).toEqual([
      '-1234.5',
      '-1234,5',
      '-1234,5',
    ]);
    expect([en, es, de].map((phrases) => phrases?.period('2026-10'))).toEqual([
      'October 2026',
      'octubre de 2026',
      'Oktober 2026',
    ]);
    expect(en?.period('2026-Q4')).toBe('Quarter 4 of 2026');
    expect(de?.period('2026-10-01..2026-10-15')).toBe('2026-10-01 bis 2026-10-15');
  });

  test('writes cents and shares rounded half to even, and a dash where there is no whole', () => {
    const { amount, percent } = phrasesOf('en');
    expect([inCents('12.5'), inCents('0.005'), inCents('-0.015'), inCents('7')]).toEqual([
      '12.50',
      '0.00',
      '-0.02',
      '7.00',
    ]);
    expect(plain(amount('5', { isChange: true }))).toBe('+5');
    expect(plain(amount('0.00', { isChange: true }))).toBe('0.00');
    expect([plain(percent('1', '3')), plain(percent('1', '3', 2)), plain(percent('1', '1000', 3))]).toEqual([
      '33.3\u00a0%',
      '33.33\u00a0%',
      '0.100\u00a0%',
    ]);
    expect(plain(percent('1', '0'))).toBe('–');
  });

  test('lacks nothing: a key or a value that is missing is an error', () => {
    const { say } = phrasesOf('es');
    expect(() => say('no such key')).toThrow('no phrase no such key in es');
    expect(() => say('more', { n: 2 })).toThrow('more has no value for {file}');
  });
});
