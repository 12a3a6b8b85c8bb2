// Seals: the arithmetic of the certificate, the same for landing and for verifying. The sum of record hashes is independent
// of their order; pages and proved intervals are chained, so that none can be removed, added or changed unnoticed.
import { canonical, sha256 } from '../base/json.ts';
import type { CountedVersion } from './records.ts';

const MODULUS = 1n << 256n;

/** The empty sum. */
export const NO_SUM = '0'.repeat(64);

/** The hash of one landed version: all of its row, with the digest in place of the payload. */
const hashOf = (scope: string, sealed: CountedVersion): bigint =>
  BigInt(
    `0x${sha256(JSON.stringify([scope, sealed.recordId, sealed.version, sealed.digest, sealed.recordAt, sealed.landedAt]))}`,
  );

/** The sum of some versions' hashes modulo 2^256, as 64 hex digits: equal for equal sets, whatever their order. */
export const sumOf = (scope: string, versions: Iterable<CountedVersion>): string => {
  let total = 0n;
  for (const version of versions) total += hashOf(scope, version);
  return hex(total);
};

/** The sum of two sums. */
export const addSums = (a: string, b: string): string => hex(BigInt(`0x${a}`) + BigInt(`0x${b}`));

const hex = (total: bigint): string => (total % MODULUS).toString(16).padStart(64, '0');

/** The fields under a page's seal: its own row and that of its request. */
const PAGE = (
  'entity_id stream scope walk_id is_full oldest_at list_offset list_total cursor_in cursor_out brought fresh brought_sum ' +
  'run_id method target status gateway_date gateway_request_id body_sha256 rows sent_at'
).split(' ');

/** What a leaf's seal covers, the pages before it too: their last seal is `page_seal`. */
const LEAF =
  'entity stream scope from until page_seal walk_id run_id proof list_total records records_sum'.split(' ');

/** A row, of which the seal takes the columns that it covers. */
type SealFields = Readonly<Record<string, unknown>>;

/** The seal of a page, over the one before it. */
export const pageSeal = (previous: string, fields: SealFields): string => sealOf(previous, fields, PAGE);

/** The seal of a leaf, over the one before it. */
export const leafSeal = (previous: string, fields: SealFields): string => sealOf(previous, fields, LEAF);

/** Values are sealed as text, as the database gives them back, so that a number and its text seal alike. */
const sealOf = (previous: string, fields: SealFields, names: readonly string[]): string => {
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return sha256(
    `${previous}\n${canonical(Object.fromEntries(names.map((name) => [name, text(fields[name])])))}`,
  );
};
