// Streams: the table of the gateway's lists of records, with the facts that several rooms need. sql/views/14-coverage.sql
// repeats streams and products for SQL; a test compares the two.

/** A part of the gateway's service with its own balances; the records of its streams explain them. */
export type Product = 'trading' | 'pocket' | 'earn';

type Stream = {
  /** The field that holds the record's id. */
  readonly id: string;
  /** The field that the list is ordered and windowed by. */
  readonly time: string;
  /** The product whose balances the records explain. */
  readonly product: Product;
  /** Whether each item of the product's balances has a list of its own; the item is then the scope. */
  readonly isPerItem: boolean;
  /** The kind of entry that a record becomes. */
  readonly kind: string;
  /** The most records per page. */
  readonly pageMax: number;
};

export const STREAMS = {
  movements: {
    id: 'id',
    time: 'createdAt',
    product: 'trading',
    isPerItem: false,
    kind: 'movement',
    pageMax: 100, // Limits: larger is rejected with 400
  },
  trades: {
    id: 'id',
    time: 'createdAt',
    product: 'trading',
    isPerItem: false,
    kind: 'trade',
    pageMax: 50, // Limits: a larger limit is silently reduced
  },
  'wallet-transactions': {
    id: 'id',
    time: 'date',
    product: 'pocket',
    isPerItem: false,
    kind: 'wallet-transaction',
    pageMax: 100, // assumption A-WALLET-LIMIT
  },
  'earn-movements': {
    id: 'movementId',
    time: 'createdAt',
    product: 'earn',
    isPerItem: true,
    kind: 'earn-movement',
    pageMax: 100, // assumption A-EARN
  },
} as const satisfies Record<string, Stream>;

export type StreamName = keyof typeof STREAMS;

export const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];

/** The streams that explain a product's balances. */
export const streamsOf = (product: Product): StreamName[] =>
  STREAM_NAMES.filter((stream) => STREAMS[stream].product === product);

/** A record as the gateway sent it: numbers are text, unchanged. */
export type WireRecord = { readonly [field: string]: unknown };
