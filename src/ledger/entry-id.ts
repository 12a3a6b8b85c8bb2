// Entry ids: a digest of the name, in time order. The same record gets the same id in every rebuild, and indexes stay local.
import { hash } from 'node:crypto';
import { msOf } from '../base/time.ts';

export type EntryName = {
  readonly entity: string;
  readonly stream: string;
  readonly recordId: string;
  /** The entry's place in its record's chain: 1 the posting, 2 its reversal, 3 the repost … */
  readonly ordinal: number;
};

/** A UUIDv8 (RFC 9562, section 5.8): 48 bits of the entry's time in milliseconds, then a SHA-256 of its name. */
export const entryId = (effectiveAt: string, { entity, stream, recordId, ordinal }: EntryName): string => {
  const digest = hash('sha256', JSON.stringify([entity, stream, recordId, ordinal]), 'buffer');
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(msOf(effectiveAt), 0, 6);
  digest.copy(bytes, 6, 0, 10);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};
