// Hash trees over ordered rows, built as in RFC 6962, section 2.1. Anyone with the rows can recompute the root; changing,
// adding or removing one row gives another root.
import { createHash } from 'node:crypto';

const NODE = Buffer.of(1);

const nodeOf = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

type Subtree = { readonly height: number; readonly hash: Buffer };

/**
 * The root over ordered leaves, in lower-case hex; without leaves, the SHA-256 of empty input. Memory holds one path
 * only: subtrees of equal height are joined as they arrive, and the remaining ones at the end, from the right.
 */
export const treeRoot = async (leaves: AsyncIterable<Buffer>): Promise<string> => {
  const whole: Subtree[] = [];
  for await (const leaf of leaves) {
    let top: Subtree = { height: 0, hash: leaf };
    for (let last = whole.at(-1); last?.height === top.height; last = whole.at(-1)) {
      whole.pop();
      top = { height: top.height + 1, hash: nodeOf(last.hash, top.hash) };
    }
    whole.push(top);
  }
  const root = whole
    .map(({ hash }) => hash)
    .reduceRight<Buffer | null>((right, left) => (right === null ? left : nodeOf(left, right)), null);
  return (root ?? createHash('sha256').digest()).toString('hex');
};
