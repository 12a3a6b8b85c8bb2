// The tree of RFC 6962: the roots of its section 2.1, computed here by its recursive definition.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { treeRoot } from '../../src/base/tree.ts';

const sha = (...parts: Buffer[]): Buffer => createHash('sha256').update(Buffer.concat(parts)).digest();

/** MTH(D[n]) = SHA-256(0x01 || MTH(D[0:k]) || MTH(D[k:n])), k the largest power of two below n. */
const byTheWords = (leaves: Buffer[]): Buffer => {
  const [only] = leaves;
  if (!only) return sha();
  if (leaves.length === 1) return only;
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return sha(Buffer.of(1), byTheWords(leaves.slice(0, k)), byTheWords(leaves.slice(k)));
};

async function* streamed(leaves: Buffer[]) {
  yield* leaves;
}

test.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 100, 1023])('%i leaves', async (count) => {
  const leaves = Array.from({ length: count }, (_, i) => sha(Buffer.from(`leaf ${i}`)));
  expect(await treeRoot(streamed(leaves))).toBe(byTheWords(leaves).toString('hex'));
});

test('one leaf altered, added, removed or moved changes the root', async () => {
  const leaves = Array.from({ length: 10 }, (_, i) => sha(Buffer.from(`leaf ${i}`)));
  const others = [
    leaves.with(3, sha(Buffer.from('x'))),
    [...leaves, sha(Buffer.from('leaf 10'))],
    leaves.slice(1),
    leaves.toReversed(),
  ];
  const roots = await Promise.all([leaves, ...others].map((it) => treeRoot(streamed(it))));
  expect(new Set(roots).size).toBe(5);
});
