// Evidence: a file that supports a decision. Its name and digest are stored; the file itself is not.
import { basename } from 'node:path';
import { bytesOf } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import type { Evidence } from './proposal.ts';

/** Enough for a scan of many pages. */
const EVIDENCE_BYTES_MAX = 200_000_000;

/** The name and digest of a file. Throws a UsageError if it is missing or empty. */
export const evidenceOf = (path: string): Evidence => {
  const bytes = bytesOf(path, EVIDENCE_BYTES_MAX);
  if (bytes.length === 0) throw new UsageError(`${path}: is empty: name another file`);
  return { name: basename(path), sha256: sha256(bytes) };
};
