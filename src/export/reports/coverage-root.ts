// The coverage root: one hash over every proved interval. The leaves of its Merkle tree are the rows of coverage.csv in the
// machine profile. A leaf is the SHA-256 of a zero byte and the row as a JSON array of text.
import { createHash } from 'node:crypto';
import { ownRows } from '../../base/csv-file.ts';
import { canonical } from '../../base/json.ts';
import { treeRoot } from '../../base/tree.ts';
import type { Piece } from './sealed.ts';

/** The report that is hashed. */
export const COVERAGE = 'reports/coverage.sql';

const LEAF = Buffer.of(0);

/** The leaves of a report in the machine profile, in the order of its rows. */
export const leavesOf = (text: string): Buffer[] =>
  ownRows(text).map((row) => createHash('sha256').update(LEAF).update(canonical(row)).digest());

/** Yields the pieces of a report unchanged, and appends the leaves of its rows to `leaves`. */
export async function* collectLeaves(pieces: AsyncIterable<Piece>, leaves: Buffer[]): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    if (piece.columns === undefined) leaves.push(...leavesOf(piece.text));
    yield piece;
  }
}

/** The root over leaves, lower-case hex. */
export const rootOf = (leaves: readonly Buffer[]): Promise<string> =>
  treeRoot(
    (async function* () {
      yield* leaves;
    })(),
  );

/** The root over a report that has no other reader. */
export const rootOfPieces = async (pieces: AsyncIterable<Piece>): Promise<string> => {
  const leaves: Buffer[] = [];
  for await (const _ of collectLeaves(pieces, leaves));
  return rootOf(leaves);
};
