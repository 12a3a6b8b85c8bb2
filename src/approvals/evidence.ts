// Evidence: a file that a person shows for a decision. Its name and digest are kept, the file stays where it is.
import { basename } from 'node:path';
import { bytesOf } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import type { Evidence } from './proposal.ts';

/** A scan of many pages. */
export const EVIDENCE_BYTES_MAX = 200_000_000;

/** Throws a UsageError where there is no such file, or nothing in it. */
export const evidenceOf = (path: string): Evidence => {
  const bytes = bytesOf(path, EVIDENCE_BYTES_MAX);
  if (bytes.length === 0) throw new UsageError(`${path}: is empty: name another file`);
  return { name: basename(path), sha256: sha256(bytes) };
};
