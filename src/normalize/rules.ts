// The rules: one per stream, from a record to a journal entry, and the context that a rule reads.

export { bookingOf } from './booking.ts';
export { contextOf, listedPockets, pocketsById } from './context.ts';
export { effectOfNonFinal, RULES } from './rule-table.ts';
