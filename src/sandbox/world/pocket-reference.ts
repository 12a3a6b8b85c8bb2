// The bank reference of a pocket: the concept of the transfers that fund it. It depends on the pocket only and never changes.
import { createHash } from 'node:crypto';

export const referenceOf = (pocketId: string): string =>
  `P${createHash('sha256').update(`reference:${pocketId}`).digest('hex').slice(0, 9).toUpperCase()}`;
