// Every reason that the program can store has a phrase in each language: a new kind of cause, or a new check, fails here without one.
import { describe, expect, test } from 'vitest';
import { readCsvFile } from '../../../src/base/csv-file.ts';
import { TELLER_REMARKS } from '../../../src/breaks/not-final.ts';
import { phrasesOf } from '../../../src/export/page/phrases.ts';
import { subjectHtml } from '../../../src/export/page/reason.ts';
import type { PageOf } from '../../../src/export/page/section.ts';
import { BREAK_CHECKS, expectWritten, PARTS, REASON_KINDS, sentenceOf } from './reasons.ts';

const LANGUAGES = ['en', 'es', 'de'] as const;

test('every check that opens breaks passes on the reason of a tie-out, or says its own in parts', () => {
  expect(BREAK_CHECKS.length).toBeGreaterThan(10);
  for (const { name, kinds, text } of BREAK_CHECKS) {
    const isOfTieOuts = /^from books\.tie_outs$/m.test(text);
    expect(isOfTieOuts ? [] : kinds.filter((kind) => kind.startsWith(`${name}.`)), name).toHaveLength(
      kinds.length,
    );
    expect(isOfTieOuts || kinds.length > 0, name).toBe(true);
    expect(isOfTieOuts || text.includes(' as reason_parts'), name).toBe(true);
  }
});

describe.each(REASON_KINDS)('%s', (kind) => {
  test('has a phrase in every language, and no place without a part', () => {
    expectWritten({ ...PARTS, kind });
  });
});

test.each(Object.keys(TELLER_REMARKS))('a record that is not final, and its teller order: %s', (teller) => {
  expectWritten({ ...PARTS, kind: 'not-final.teller', teller });
});

test('there is no phrase for a reason that nothing stores', () => {
  const keys = readCsvFile('src/export/page/phrases.csv', ['key', ...LANGUAGES]).map(
    ({ cells }) => cells.key,
  );
  const reasons = keys.flatMap((key) => (key.startsWith('reason.') ? [key.slice('reason.'.length)] : []));
  expect(reasons.sort()).toEqual(['stored', ...REASON_KINDS].sort());
});

test('records are alternatives or belong together, amounts have the sign of the language, and entities their names', () => {
  expect(LANGUAGES.map((language) => sentenceOf(language, { ...PARTS, kind: 'twin' }))).toEqual([
    'They look like one record under two ids: trade t1, wallet transaction w2, manual entry p3 and 2 more.',
    'Parecen un mismo registro con dos identificadores: compraventa t1, operación de wallet w2, asiento manual p3 y 2 más.',
    'Sie wirken wie ein einziger Datensatz mit zwei Kennungen: Handelsgeschäft t1, Wallet-Transaktion w2, manuelle Buchung p3 und 2 weitere.',
  ]);
  const { more: _, ...parts } = PARTS;
  const own = { ...parts, records: ['movements m1', 'orders o1'], kind: 'own_transfers.out' };
  expect(LANGUAGES.map((language) => sentenceOf(language, own))).toEqual([
    '-1234.5 BTC went to sub, whose books have no matching record: movement m1 or orders o1.',
    '-1234,5 BTC salieron hacia sub, en cuyos libros falta el registro correspondiente: movimiento m1 o orders o1.',
    '-1234,5 BTC gingen an sub, in deren Büchern der passende Datensatz fehlt: Bewegung m1 oder orders o1.',
  ]);
});

test('a reason that this program does not know, or whose parts are missing, names the file that has it', () => {
  const lost = [{ kind: 'unknown' }, { kind: 'twin' }, { ...PARTS, kind: 'stored' }];
  for (const parts of lost)
    expect(LANGUAGES.map((language) => sentenceOf(language, parts))).toEqual([
      'Its cause: breaks.csv.',
      'Su causa: breaks.csv.',
      'Ursache: breaks.csv.',
    ]);
});

test('what a break without an account is about is named as briefly as a heading', () => {
  const [id, cut] = ['7782a27f-5922-4f94-af40-458e3a12cd7d', '7782a27f…'];
  const about = (subject: string, parts: object | null) =>
    subjectHtml({ phrases: phrasesOf('de') } as PageOf, {
      subject,
      reason_parts: parts === null ? null : JSON.stringify({ kind: 'twin', ...parts }),
    }).html.replace(/<[^>]*>/g, '');
  expect([
    about('x', { records: [`trades ${id}`, 'trades t2'] }),
    about('x', { name: 'Sabadell', line: '7', records: ['trades t1'] }),
    about('trades records, rule 1', { stream: 'trades' }),
    about(`wallet-transactions ${id}`, null), // of a sealed month, whose breaks have no parts
    about('trades', null),
    about('address 0xAB', null),
  ]).toEqual([
    `Handelsgeschäft ${cut}`,
    'Sabadell, Zeile 7',
    'Handelsgeschäfte',
    `Wallet-Transaktion ${cut}`,
    'Handelsgeschäfte',
    'address 0xAB',
  ]);
});
