// A list of balances or accounts read in full, over any number of pages.
import { expect, test } from 'vitest';
import { readWhole } from '../../src/extract/whole.ts';

const ALL = ['a', 'b', 'c', 'd', 'e'];

const read = async (page: (offset: number) => { rows: string[]; total?: number }) => {
  const offsets: number[] = [];
  const list = await readWhole(
    async (offset) => {
      offsets.push(offset);
      return { ...page(offset), proof: offsets.length };
    },
    (row) => row,
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
