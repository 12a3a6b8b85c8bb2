// The coverage root: one hash over everything that is proved complete. The leaves of its tree are the rows of coverage.csv
// in the machine profile: the SHA-256 of a zero byte and the row as a JSON array, everything in it as text.
import { createHash } from 'node:crypto';
import { ownRows } from '../../base/csv-file.ts';
import { canonical } from '../../base/json.ts';
import { treeRoot } from '../../base/tree.ts';
import type { Piece } from './sealed.ts';

/** The report that is hashed. */
export const COVERAGE = 'reports/coverage.sql';

const LEAF = Buffer.of(0);

/** The leaves of rows in the machine profile, in their order. */
export const leavesOf = (text: string): Buffer[] =>
  ownRows(text).map((row) => createHash('sha256').update(LEAF).update(canonical(row)).digest());

/** Passes a report on, and puts the leaves of its rows into `leaves`. */
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

/** The root over a report that nobody else reads. */
export const rootOfPieces = async (pieces: AsyncIterable<Piece>): Promise<string> => {
  const leaves: Buffer[] = [];
  for await (const _ of collectLeaves(pieces, leaves));
  return rootOf(leaves);
};
