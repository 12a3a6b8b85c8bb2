// The nouns of explaining: what is known about the broken accounts of an entity, and a suspect, which says by how much
// the books of each account would change if it were the cause. Pure.

/** One broken account and currency; `difference` = reported − booked. Instants bound where books and gateway parted. */
export type Difference = {
  readonly account: string;
  readonly currency: string;
  readonly difference: string;
  /** What the first broken reading after the last tied one said. */
  readonly firstDifference: string;
  readonly tiedAt: string | null;
  /** The number of the last entry that the run of that tie had booked. */
  readonly tiedTo: string | null;
  readonly brokeAt: string;
};

/** The outcome of a tie-out. */
export type Status = 'tied' | 'break' | 'in-flight' | 'pending' | 'in-transit' | 'uncovered';

/** A place is an account and currency, bots standing with trading, as in the tie-outs. */
export const placeOf = (account: string, currency: string): string =>
  `${account === 'assets:trading-bots' ? 'assets:trading' : account} ${currency}`;

/** A change of one place's books, signed. */
export type BalanceChange = { readonly place: string; readonly amount: string };

/** What a leg is to its record: its fee, one of two currencies exchanged, or what moved. */
export type PartRole = 'fee' | 'exchange' | 'move';

export type EffectPart = BalanceChange & { readonly role: PartRole };

/** A record as it is booked: its parts in our own accounts. `name` is stream and id; `entry` is the number of its entry: the order of booking. */
export type RecordEffects = {
  readonly name: string;
  readonly stream: string;
  readonly at: string;
  readonly entry: string;
  readonly parts: readonly EffectPart[];
};

/** A record that no rule accepted, and the broken places whose currency, or whose very difference, it names. */
export type Rejected = {
  readonly name: string;
  readonly reason: string;
  readonly place: string;
  readonly hasAmount: boolean;
};

/** What of a place is blocked now, was blocked the reading before, and is with bots. */
export type Aside = {
  readonly place: string;
  readonly blocked: string;
  readonly blockedBefore: string;
  readonly withBots: string;
};

export type CauseEvidence = {
  readonly differences: readonly Difference[];
  /** Compared, and neither tied nor broken: nothing follows from them. */
  readonly undecided: ReadonlySet<string>;
  readonly records: readonly RecordEffects[];
  /** The records begin at an instant near the last tie, and older ones were not looked at. */
  readonly isNear: boolean;
  /** Not final, by what they would do. */
  readonly waiting: readonly { readonly name: string; readonly changes: readonly BalanceChange[] }[];
  readonly rejects: readonly Rejected[];
  /** Moves on clearing that no other move answers. */
  readonly unmatched: readonly (BalanceChange & { readonly name: string })[];
  readonly asides: readonly Aside[];
};

/** How likely a kind is where its amount is the difference to the last digit, before anything else is looked at. */
export const KINDS = {
  rejected: 0.95, // known not to be booked
  twin: 0.9, // alike in all but the id
  'not-final': 0.9, // known not to be booked
  swapped: 0.88, // two amounts in one
  'one-sided': 0.85, // known to lack its other side
  sign: 0.82,
  scale: 0.8,
  bots: 0.78,
  'in-flight': 0.75, // booked within the hour of the reading
  blocked: 0.72,
  rounding: 0.7,
  fee: 0.65, // fees are small and many
  surplus: 0.6, // any record of that amount
  combination: 0.5,
  unlisted: 0.3, // always possible
  unexplained: 0.1,
} as const;

export type CauseKind = keyof typeof KINDS;

/** A possible cause. `changes`: what the books lack, so that at the right place it is the difference. */
export type Suspect = {
  readonly kind: CauseKind;
  readonly records: readonly string[];
  readonly changes: readonly BalanceChange[];
  /** The sentence, given the names of this suspect and of those that fit as well. */
  readonly says: (names: string) => string;
  /** Its records are where to look: they do not come to the difference by themselves. */
  readonly isHint?: boolean;
  /** What speaks for it less than its kind: 1 is nothing. */
  readonly weight?: number;
  readonly at?: string;
  readonly entry?: string;
};

/** A cause that fits one difference; `proof` is the arithmetic. */
export type Candidate = {
  readonly kind: CauseKind;
  readonly confidence: string;
  readonly records: readonly string[];
  /** `records` are all that it may be, and come to the difference to the last digit. */
  readonly isExact: boolean;
  readonly sentence: string;
  readonly proof: string;
};
