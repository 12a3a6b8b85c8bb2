// Reasons as the page writes them, for the tests of those who store them: each kind has a phrase in every language, and every place
// of the phrase has its part.
import { expect } from 'vitest';
import { parseExact } from '../../../src/base/json.ts';
import { KINDS, type ReasonParts, VARIANTS } from '../../../src/breaks/cause.ts';
import { readSql } from '../../../src/database/sql.ts';
import { phrasesOf } from '../../../src/export/page/phrases.ts';
import { reasonHtml } from '../../../src/export/page/reason.ts';
import type { PageOf } from '../../../src/export/page/section.ts';
import type { Language } from '../../../src/export/reports/headings.ts';
import { checksOf } from '../../../src/reconcile/checks.ts';

/** The checks that open breaks of their own; the others pass on the reasons of tie-outs. */
export const BREAK_CHECKS = [...checksOf('break'), ...checksOf('note').filter(({ stays }) => stays)].map(
  ({ name, path }) => {
    const { text } = readSql(path);
    return { name, kinds: [...text.matchAll(/'(\w+\.[\w.-]+)'/g)].map(([, kind = '']) => kind), text };
  },
);

/** A part for each place, as the books store it. */
export const PARTS: ReasonParts = {
  kind: '',
  records: ['trades t1', 'wallet-transactions w2', 'manual p3'],
  more: '2',
  amount: '-1234.5',
  other_amount: '0.000000000000000001',
  currency: 'BTC',
  other_currency: 'EUR',
  entity: 'sub',
  name: 'Sabadell',
  line: '7',
  day: '2026-10-05',
  decimals: '8',
  power: '3',
  version: '2',
  stream: 'movements',
  place: 'into trading',
  outcome: 'booked',
  teller: 'review',
};

/** Every kind of reason that the program stores. */
export const REASON_KINDS = [
  ...Object.keys(KINDS),
  ...VARIANTS,
  ...BREAK_CHECKS.flatMap(({ kinds }) => kinds),
];

/** The sentence of a break on a page that has no names of entities. */
export const sentenceOf = (language: Language, parts: unknown): string =>
  reasonHtml({ phrases: phrasesOf(language), names: new Map<string, string>() } as unknown as PageOf, {
    reason_parts: typeof parts === 'string' ? parts : JSON.stringify(parts),
  })
    .html.replace(/<[^>]*>/g, '')
    .trim();

/** Expects that the page writes this reason in every language, each in other words. */
export const expectWritten = (parts: unknown): void => {
  const sentences = (['en', 'es', 'de'] as const).map((language) => sentenceOf(language, parts));
  for (const sentence of sentences)
    expect(sentence, JSON.stringify(parts)).not.toMatch(/breaks\.csv|\{|undefined/);
  expect(new Set(sentences).size, sentences.join('\n')).toBe(3);
};

/** Rows of a check, their reasons parsed; the page must be able to write each of them. */
export const withReasons = <T extends Readonly<Record<string, unknown>>>(rows: readonly T[]): T[] =>
  rows.map((row) => {
    if (typeof row.reason_parts !== 'string') return row;
    expectWritten(row.reason_parts);
    return { ...row, reason_parts: parseExact(row.reason_parts) };
  });
