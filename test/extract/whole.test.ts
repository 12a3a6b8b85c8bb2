// A list of balances or accounts read in full, over any number of pages.
import { expect, test } from 'vitest';
import { hasNoPage } from '../../src/extract/extract.ts';
import { readWhole } from '../../src/extract/whole.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { failureOf } from '../gateway-failure.ts';

const ALL = ['a', 'b', 'c', 'd', 'e'];

class Refused extends Error {}

const read = async (page: (offset: number) => { rows: string[]; total?: number }) => {
  const offsets: number[] = [];
  const list = await readWhole(
    async (offset) => {
      offsets.push(offset);
      return { ...page(offset), proof: offsets.length };
    },
    (row) => row,
    (error) => error instanceof Refused,
  );
  return { ...list, asked: offsets };
};

test('a list of one page is one request, with a total or without', async () => {
  expect(await read(() => ({ rows: ALL }))).toMatchObject({ rows: ALL, total: 5, asked: [0], proofs: [1] });
  expect(await read(() => ({ rows: ALL, total: 5 }))).toMatchObject({ rows: ALL, asked: [0] });
  expect(await read(() => ({ rows: [], total: 0 }))).toMatchObject({ rows: [], total: 0, asked: [0] });
});

test('advances by the rows received, whatever the limit is', async () => {
  const list = await read((offset) => ({ rows: ALL.slice(offset, offset + 2), total: 5 }));
  expect(list).toMatchObject({ rows: ALL, total: 5, asked: [0, 2, 4], proofs: [1, 2, 3] });
});

test('an ignored offset ends the reading: the count exceeds the rows', async () => {
  expect(await read(() => ({ rows: ['a', 'b'], total: 5 }))).toMatchObject({
    rows: ['a', 'b'],
    total: 5,
    asked: [0, 2],
  });
  expect(await read((offset) => ({ rows: offset ? [] : ['a'], total: 9 }))).toMatchObject({
    rows: ['a'],
    total: 9,
  });
});

const MANY = Array.from({ length: 45 }, (_, nth) => `w${nth}`);

/** The pages of a list, at most `most` rows each, which count their own rows. */
const countingPages = (list: string[], most: number) => (offset: number) => {
  const rows = list.slice(offset, offset + most);
  return { rows, total: rows.length };
};

test('a count that is only that of a page is not trusted: the list is read to its end', async () => {
  expect(await read(countingPages(MANY, 20))).toMatchObject({ rows: MANY, total: 45, asked: [0, 20, 40] });
  expect(await read(countingPages(MANY, 10))).toMatchObject({
    rows: MANY,
    total: 45,
    asked: [0, 10, 20, 30, 40],
  });
  expect(await read(countingPages(MANY.slice(0, 40), 20))).toMatchObject({ total: 40, asked: [0, 20, 40] });
});

test('a count of a round number of rows costs one request more, and ends the list if it shows nothing new', async () => {
  const twenty = MANY.slice(0, 20);
  const empty = await read((offset) => ({ rows: twenty.slice(offset), total: 20 }));
  expect(empty).toMatchObject({ rows: twenty, total: 20, asked: [0, 20] });
  const ignored = await read(() => ({ rows: twenty, total: 20 }));
  expect(ignored).toMatchObject({ rows: twenty, total: 20, asked: [0, 20] });
});

test('a gateway that refuses the page after such a count has shown its list; one that is down has not', async () => {
  const twenty = MANY.slice(0, 20);
  const failing = (error: Error, total: number) =>
    read((offset) => {
      if (offset > 0) throw error;
      return { rows: twenty, total };
    });
  expect(await failing(new Refused(), 20)).toMatchObject({ rows: twenty, total: 20 });
  await expect(failing(new Refused(), 45)).rejects.toThrow(Refused);
  await expect(failing(new Error('down'), 20)).rejects.toThrow('down');
});

test.each([
  ['invalid', true],
  ['missing', true],
  ['refused', true],
  ['unavailable', false],
  ['banned', false],
] as const)('after a page that may be whole, %s means that there is no other: %s', (failure, isEnd) => {
  expect(hasNoPage(failureOf(failure, CONTRACT.earn.wallets))).toBe(isEnd);
});
