// Streams: the tables of the gateway's lists of records, with the facts that several rooms need: those that move money, and
// those that explain them. sql/views/15-coverage.sql repeats streams and products for SQL; a test compares the two.

/** A part of the gateway's service with its own balances; the records of its streams explain them. */
export type Product = 'trading' | 'pocket' | 'earn';

/** A stream whose records move money. */
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

/** Where the target of a request for one wallet transaction alone begins. */
export const SINGLE_ANSWER = '/v1/wallet/transaction/';

export const STREAM_NAMES = Object.keys(STREAMS) as StreamName[];

/** The streams that explain a product's balances. */
export const streamsOf = (product: Product): StreamName[] =>
  STREAM_NAMES.filter((stream) => STREAMS[stream].product === product);

/** A stream whose records move no money and explain those that do. */
type Reference = {
  /** The fields that together hold the record's id. */
  readonly id: readonly string[];
  /** Whether a list shows all of its records. Otherwise each is requested by its name, and no time is proved complete. */
  readonly isListed: boolean;
  /** The specification does not know it: no answer of the gateway is then a finding, or ends a night. */
  readonly isUndocumented?: true;
  /** Further field names that identify a person in this stream; `none`: its records name no person. */
  readonly personal?: readonly string[] | 'none';
};

export const REFERENCES = {
  'address-book': { id: ['addressId'], isListed: true },
  'deposit-addresses': { id: ['pocketId', 'network', 'address'], isListed: true },
  'social-pay-orders': { id: ['orderId'], isListed: true, personal: ['author', 'reason'] },
  'pocket-references': { id: ['pocketId'], isListed: false, personal: ['account'] },
  'trading-orders': { id: ['id'], isListed: false },
  'teller-orders': { id: ['orderId'], isListed: false },
  assets: { id: ['symbol'], isListed: true, personal: 'none' },
  'loan-orders': { id: ['id'], isListed: false, isUndocumented: true }, // so nothing says that its list is whole
} as const satisfies Record<string, Reference>;

export type ReferenceName = keyof typeof REFERENCES;

export const REFERENCE_NAMES = Object.keys(REFERENCES) as ReferenceName[];

export const isReference = (stream: string): stream is ReferenceName => Object.hasOwn(REFERENCES, stream);

/** The field names that identify a person in a stream, beyond those that do everywhere. */
export const personalWordsOf = (stream: LandedStream): readonly string[] | 'none' => {
  if (!isReference(stream)) return [];
  const { personal = [] }: Reference = REFERENCES[stream];
  return personal;
};

/** Whether the specification does not know a stream. */
export const isUndocumented = (stream: ReferenceName): boolean => {
  const facts: Reference = REFERENCES[stream];
  return facts.isUndocumented ?? false;
};

/** Whether a list shows all records of a stream; false if each is requested by its name. */
export const isListed = (stream: string): boolean => !isReference(stream) || REFERENCES[stream].isListed;

/** Every list whose records are landed. */
export type LandedStream = StreamName | ReferenceName;

export const LANDED_NAMES: readonly LandedStream[] = [...STREAM_NAMES, ...REFERENCE_NAMES];

/** The id of a record in its stream. */
export const recordIdOf = (stream: LandedStream, record: WireRecord): string => {
  const fields = isReference(stream) ? REFERENCES[stream].id : [STREAMS[stream].id];
  return fields.map((field) => String(record[field])).join(' ');
};

/** The field of a record's own time. */
export const timeFieldOf = (stream: LandedStream): string =>
  isReference(stream) ? 'createdAt' : STREAMS[stream].time;

/** A record as the gateway sent it: numbers are text, unchanged. */
export type WireRecord = { readonly [field: string]: unknown };
