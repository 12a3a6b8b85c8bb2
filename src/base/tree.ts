// Hash trees over rows in their order, as RFC 6962, section 2.1, builds one: whoever has the rows can compute the root
// again, and one row altered, added or taken out gives another.
import { createHash } from 'node:crypto';

const NODE = Buffer.of(1);

const nodeOf = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(NODE).update(left).update(right).digest();

type Subtree = { readonly height: number; readonly hash: Buffer };

/**
 * The root over leaves in their order, lower-case hex; of no leaves at all, the SHA-256 of nothing. Memory is that of
 * one path: whole subtrees of equal height are joined as they come, what is left at the end from the right.
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
