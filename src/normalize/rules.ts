// The rules: one per stream, from a record to a journal entry, the context that a rule reads, and the value that a record reports.

export { bookingOf } from './booking.ts';
export { contextOf, listedPockets, pocketsById } from './context.ts';
export { reportedValues } from './reported-value.ts';
export { effectOfNonFinal, RULES } from './rule-table.ts';
