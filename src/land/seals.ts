// Seals: the arithmetic of the certificate, the same for landing and for verifying. Records are summed by a hash that
// no order changes; pages and leaves are chained, so that none can be taken out, put in or altered unseen.
import { canonical, sha256 } from '../json.ts';
import type { Brought } from './records.ts';

const MODULUS = 1n << 256n;

/** A sum of nothing. */
export const NO_SUM = '0'.repeat(64);

/** The hash of one landed version, all of its row but the payload, which its digest stands for. */
const hashOf = (scope: string, it: Brought): bigint =>
  BigInt(
    `0x${sha256(JSON.stringify([scope, it.recordId, it.version, it.digest, it.recordAt, it.landedAt]))}`,
  );

/** The sum of some versions' hashes modulo 2^256, as 64 hex digits: equal for equal sets, whatever their order. */
export const sumOf = (scope: string, versions: Iterable<Brought>): string => {
  let total = 0n;
  for (const version of versions) total += hashOf(scope, version);
  return hex(total);
};

/** The sum of two sums. */
export const addSums = (a: string, b: string): string => hex(BigInt(`0x${a}`) + BigInt(`0x${b}`));

const hex = (total: bigint): string => (total % MODULUS).toString(16).padStart(64, '0');

/** The seal of a page or a leaf: its fields, and the seal of the one before it. */
export const sealOf = (previous: string, fields: Readonly<Record<string, unknown>>): string =>
  sha256(`${previous}\n${canonical(textual(fields))}`);

/** Fields as the database gives them back, so that a number and its text seal alike. */
const textual = (fields: Readonly<Record<string, unknown>>): Record<string, string | null> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      value === null || value === undefined ? null : String(value),
    ]),
  );
