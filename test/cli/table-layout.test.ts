// Tables: figures aligned right and complete, texts and ids as long as the terminal allows, blocks if it is too narrow.
import { expect, test } from 'vitest';
import { fitLine, layTable } from '../../src/cli/table-layout.ts';

const ID = 'ab784d1f-5f7d-445b-9499-efe107620d83';
const HEAD = ['entity', 'account', 'amount'];
const ROWS = [
  [ID, 'assets:clearing:trading', '-731.25'],
  ['main', 'assets:trading', '0.000000000000000001'],
];
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

test('without a terminal every cell is shown in full, figures aligned right', () => {
  expect(layTable(HEAD, ROWS, null)).toBe(
    [
      'entity                                account                                amount',
      `${ID}  assets:clearing:trading               -731.25`,
      'main                                  assets:trading           0.000000000000000001',
    ].join('\n'),
  );
});

test('a column is aligned right if its cells are figures or empty, and one is filled', () => {
  expect(
    layTable(
      ['a', 'b', 'c'],
      [
        ['1', 'x', null],
        ['22', 7, null],
      ],
      null,
    ),
  ).toBe(' a  b  c\n 1  x\n22  7');
});

test('in a wide terminal nothing changes', () => {
  expect(layTable(HEAD, ROWS, 83)).toBe(layTable(HEAD, ROWS, null));
});

test('an id becomes its first eight digits, then the widest text is cut; a figure never is', () => {
  expect(layTable(HEAD, ROWS, 55)).toBe(
    [
      'entity    account                                amount',
      'ab784d1f  assets:clearing:trading               -731.25',
      'main      assets:trading           0.000000000000000001',
    ].join('\n'),
  );
  expect(layTable(HEAD, ROWS, 46)).toBe(
    [
      'entity    account                       amount',
      'ab784d1f  assets:cleari…               -731.25',
      'main      assets:trading  0.000000000000000001',
    ].join('\n'),
  );
});

test('a wide character takes two columns, and half of one is never shown', () => {
  const rows = [
    ['日本語テスト', '1'],
    ['emoji 😀', '20'],
  ];
  expect(layTable(['name', 'n'], rows, null)).toBe(
    ['name           n', '日本語テスト   1', 'emoji 😀      20'].join('\n'),
  );
  expect(layTable(['name', 'n'], rows, 13)).toBe(
    ['name        n', '日本語テ…   1', 'emoji 😀   20'].join('\n'),
  );
});

test.each([80, 60, 50, 42])('%i columns are never exceeded', (width) => {
  expect(widest(layTable(HEAD, ROWS, width))).toBeLessThanOrEqual(width);
});

test('a terminal too narrow for columns has a block for each row, with everything in it', () => {
  const text = layTable(HEAD, ROWS, 30);
  expect(text).toBe(
    [
      `entity   ${ID}`,
      'account  assets:clearing:trading',
      'amount   -731.25',
      '',
      'entity   main',
      'account  assets:trading',
      'amount   0.000000000000000001',
    ].join('\n'),
  );
});

test('no control character of a cell or a heading reaches the terminal, and wide characters keep the columns', () => {
  const text = layTable(
    ['a\u001b[2J', 'b'],
    [
      ['x\u001b[31m\n', '1'],
      ['漢字', '2'],
    ],
    null,
  );
  expect(text).not.toContain('\u001b');
  expect(text.split('\n').at(-1)).toMatch(/^漢字 +2$/);
});

test('no rows and no columns are valid', () => {
  expect(layTable(['a'], [], 40)).toBe('a');
  expect(layTable([], [], 40)).toBe('');
});

test.each([21, 22, 25, 30, 34, 36, 41, 42, 45, 50])('no figure within a text is cut: %i columns', (width) => {
  const line = 'the gateway reports 1,234.00000005 BTC (-0.1234567 more than is booked) since 2026-11-02';
  for (const text of [
    fitLine(line, width),
    layTable(['reason'], [[line], ['none']], width).split('\n')[1] ?? '',
  ]) {
    expect(text.length).toBeLessThanOrEqual(width);
    expect(text).toMatch(/…$/);
    const figures = text.match(/[+-]?\d[\d.,]*/g) ?? [];
    expect(['1,234.00000005', '-0.1234567']).toEqual(expect.arrayContaining(figures));
  }
});
