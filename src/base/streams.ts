// Streams: what each list of records is called, and the few facts about one that several rooms need.

/** How to find a record's identity and time in what the gateway sent. */
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

/** A record as the gateway sent it: numbers are the text that was sent. */
export type WireRecord = { readonly [field: string]: unknown };
