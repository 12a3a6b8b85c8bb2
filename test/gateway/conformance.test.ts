// The conformance table in src/gateway/README.md: each operation and each rule of the specification, who follows it, and the test
// that proves it. After a change run `npm run types:contract`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import type { Operation } from '../../src/gateway/contract/operation.ts';
import { ANSWERS } from '../../src/sandbox/answers.ts';
import { withPart } from '../database/dictionary.ts';
import { sourcesIn } from '../tidy/source.ts';
import { RULES, type Rule } from './rules.ts';

const testText = (file: string): string => readFileSync(join(packageRoot, 'test', file), 'utf8');

/** The tests of the stand-in that call operations by name or path; the first one is shown. */
const WITNESSES = [
  'lists',
  'access',
  'account',
  'orders',
  'trading-funds',
  'payments',
  'funding',
  'social-pay',
  'assets',
  'order-codes',
  'statuses',
  'answers',
  'prices',
  'sockets',
  'door',
].map((name) => `sandbox/${name}.test.ts`);

const isNamedIn = ({ name, path }: Operation, text: string): boolean =>
  text.includes(`'${name}'`) || ["'", '?', '`', '"'].some((end) => text.includes(path + end));

const witnessOf = (operation: Operation): string =>
  WITNESSES.find((file) => isNamedIn(operation, testText(file))) ?? '';

const pipeline = [...sourcesIn('src'), ...sourcesIn('jobs')]
  .filter(({ path }) => !/^src\/(gateway|sandbox)\//.test(path))
  .map(({ text }) => text)
  .join('\n');

type Entry = { readonly operation: Operation; readonly isRead: boolean; readonly witness: string };

const entries: readonly Entry[] = Object.entries(CONTRACT).flatMap(([area, operations]) =>
  Object.entries<Operation>(operations).map(([key, operation]) => ({
    operation,
    isRead: new RegExp(`CONTRACT\\.${area}\\.${key}\\b`).test(pipeline),
    witness: witnessOf(operation),
  })),
);

const yes = (isSo: boolean): string => (isSo ? 'yes' : '');
const cells = (...parts: readonly string[]): string => `| ${parts.join(' | ')} |`;

const operationRow = ({ operation, isRead, witness }: Entry): string => {
  const { name, assumes } = operation;
  const client = isRead ? 'both' : 'openGateway';
  return cells(`\`${name}\``, yes(name in ANSWERS), client, yes(isRead), witness, assumes.join(', '));
};

const ruleRow = ({ section, rule, parts, proofs }: Rule): string => {
  const shown = proofs.map(([file, title]) => `${file}: ${title.replaceAll('|', '\\|')}`);
  const marks = (['stand-in', 'client', 'pipeline'] as const).map((part) => yes(parts.includes(part)));
  return cells(section, rule, ...marks, shown.join('; '));
};

const count = <T>(list: readonly T[], isSo: (item: T) => boolean): number => list.filter(isSo).length;

const totals = (): string => {
  const has = (part: Rule['parts'][number]) => count(RULES, ({ parts }) => parts.includes(part));
  const rows = [
    [
      'operations',
      entries.length,
      count(entries, ({ operation }) => operation.name in ANSWERS),
      entries.length,
      count(entries, ({ isRead }) => isRead),
    ],
    ['rules', RULES.length, has('stand-in'), has('client'), has('pipeline')],
  ];
  const head = '| | total | stand-in | client | pipeline |\n|---|---|---|---|---|';
  return [head, ...rows.map((row) => cells(...row.map(String)))].join('\n');
};

const tableText = (): string =>
  [
    totals(),
    '',
    '<details><summary>Operations</summary>',
    '',
    '| operation | stand-in | client | pipeline | test that calls it | assumed |\n|---|---|---|---|---|---|',
    ...entries.map(operationRow),
    '',
    '</details>',
    '',
    '<details><summary>Rules</summary>',
    '',
    '| section | rule | stand-in | client | pipeline | test |\n|---|---|---|---|---|---|',
    ...RULES.map(ruleRow),
    '',
    '</details>',
  ].join('\n');

test('every proof of a rule exists: its file, and its title in it', () => {
  const missing = RULES.flatMap(({ proofs }) =>
    proofs.filter(([file, title]) => !testText(file).includes(title)).map((proof) => proof.join(': ')),
  );
  expect(missing).toEqual([]);
});

test('every operation is called by a test of the stand-in', () => {
  expect(entries.filter(({ witness }) => witness === '').map(({ operation }) => operation.name)).toEqual([]);
});

test('no rule is written twice', () => {
  const texts = RULES.map(({ section, rule }) => `${section}: ${rule}`);
  expect(new Set(texts).size).toBe(texts.length);
});

test('the conformance table in src/gateway/README.md is current: otherwise run npm run types:contract', async () => {
  const path = join(packageRoot, 'src', 'gateway', 'README.md');
  const document = withPart(readFileSync(path, 'utf8'), 'conformance', tableText());
  await expect(document).toMatchFileSnapshot(path);
});
