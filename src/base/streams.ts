// Streams: the name of each list of records, and the facts about it that several rooms need.

/** Where a record's identity and time are in the gateway's JSON. */
export type Stream = {
  /** The field that holds the record's id. */
  readonly id: string;
  /** The field that the list is ordered and windowed by. */
  readonly time: string;
};

export const STREAMS = {
  movements: { id: 'id', time: 'createdAt' },
  trades: { id: 'id', time: 'createdAt' },
  'wallet-transactions': { id: 'id', time: 'date' },
  'earn-movements': { id: 'movementId', time: 'createdAt' },
} as const satisfies Record<string, Stream>;

export type StreamName = keyof typeof STREAMS;

export const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];

/** A record as the gateway sent it: numbers are text, unchanged. */
export type WireRecord = { readonly [field: string]: unknown };
