// The ledger room: entries, legs and periods, and how they are posted, reversed and returned. accounts.ts names the accounts.

export { emptyLedger, post, preparePost, restoreNumbers, standing } from './entries.ts';
export { leg } from './entry.ts';
export { entryId } from './entry-id.ts';
export { closedThrough, monthAfter, placeOf, placeOfReversal, sealsOf } from './period.ts';
export { entryOf, reversalOf } from './posting.ts';
export { returnLate } from './returns.ts';
export { undoCancellation } from './standing-again.ts';
