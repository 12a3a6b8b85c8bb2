// Seeded randomness: the same label gives the same sequence on every machine.
import { createHash } from 'node:crypto';

export type Random = {
  /** A whole number from 0 to n − 1. */
  readonly below: (n: number) => number;
  /** A whole number from 0n to n − 1n. */
  readonly units: (n: bigint) => bigint;
  readonly chance: (percent: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly uuid: () => string;
};

/** A generator seeded by a label. */
export const randomOf = (label: string): Random => {
  const next = sfc32(createHash('sha256').update(label).digest());
  const below = (n: number) => next() % n;
  const units = (n: bigint) => ((BigInt(next()) << 64n) | (BigInt(next()) << 32n) | BigInt(next())) % n;
  return {
    below,
    units,
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    uuid: () => uuidOf([next(), next(), next(), next()]),
  };
};

/** sfc32: a small, fast, counter-based generator with 128 bits of state, 32 bits at a time. */
const sfc32 = (seed: Buffer): (() => number) => {
  let [a, b, c, d] = [0, 4, 8, 12].map((offset) => seed.readUInt32LE(offset)) as [
    number,
    number,
    number,
    number,
  ];
  return () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
};

const uuidOf = (words: readonly number[]): string => {
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('');
  const variant = '89ab'[(words[2] ?? 0) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
};
