// Hashes and addresses of chains in comparable form. Hexadecimal ignores case; others (base58, bech32) are compared as written.

const HEXADECIMAL = /^0x[0-9a-f]+$/i;
const BARE_HASH = /^(?:0x)?([0-9a-f]{64})$/i;

export const addressKey = (text: string): string => (HEXADECIMAL.test(text) ? text.toLowerCase() : text);

/** A hash of 64 hexadecimal digits is the same with and without 0x, which explorers of one network write and of another do not. */
export const hashKey = (text: string): string => BARE_HASH.exec(text)?.[1]?.toLowerCase() ?? addressKey(text);
