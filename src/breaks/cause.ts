// The nouns of explaining breaks: the evidence about an entity's broken accounts, and suspects, each with the change in
// the books if it were the cause. Pure.

/**
 * One broken account and currency; `difference` = reported − booked. Two instants bound the time when books and gateway
 * diverged.
 */
export type Difference = {
  readonly account: string;
  readonly currency: string;
  readonly difference: string;
  /** The difference at the first broken reading after the last tied one. */
  readonly firstDifference: string;
  /** The most decimals with which the gateway ever reported the balance; null if it did not report it. */
  readonly decimals: number | null;
  readonly tiedAt: string | null;
  /** The number of the last entry booked by the run of that tie. */
  readonly tiedTo: string | null;
  readonly brokeAt: string;
};

/** The outcome of a tie-out. */
export type Status = 'tied' | 'break' | 'in-flight' | 'pending' | 'in-transit' | 'uncovered';

/** The key of an account and currency; bots count as trading, as in the tie-outs. */
export const placeOf = (account: string, currency: string): string =>
  `${account === 'assets:trading-bots' ? 'assets:trading' : account} ${currency}`;

/** A signed change in the booked balance of one place. */
export type BalanceChange = { readonly place: string; readonly amount: string };

/** The role of a leg in its record: the fee, one of two exchanged currencies, or the amount moved. */
export type PartRole = 'fee' | 'exchange' | 'move';

export type EffectPart = BalanceChange & { readonly role: PartRole };

/**
 * A booked record: its parts in our own accounts. `name` is stream and id; `entry` is the number of its entry, which
 * gives the order of booking.
 */
export type RecordEffects = {
  readonly name: string;
  readonly stream: string;
  readonly at: string;
  readonly entry: string;
  readonly parts: readonly EffectPart[];
};

/**
 * A record that no rule accepted, and the broken places whose currency it contains; `hasAmount` if it contains the exact
 * difference.
 */
export type Rejected = {
  readonly name: string;
  readonly reason: string;
  readonly place: string;
  readonly hasAmount: boolean;
};

/** A fee that a booked record names and its entry does not charge; `amount` < 0 is what a place lacks. */
export type UnbookedFee = Pick<RecordEffects, 'name' | 'at' | 'entry'> & BalanceChange;

/** The funds of a place that are blocked now, that were blocked at the reading before, and that are with bots. */
export type SetAsideRecord = {
  readonly place: string;
  readonly blocked: string;
  readonly blockedBefore: string;
  readonly withBots: string;
};

/** How many landed records of a stream are no longer listed, of how many. */
export type Withdrawn = { readonly stream: string; readonly missing: string; readonly landed: string };

export type CauseEvidence = {
  readonly differences: readonly Difference[];
  /** Places whose result is neither tied nor broken: they prove nothing. */
  readonly undecided: ReadonlySet<string>;
  readonly records: readonly RecordEffects[];
  /** The records start near the last tie; older ones were not examined. */
  readonly isNear: boolean;
  /** Records that are not final, with their effects. */
  readonly waiting: readonly {
    readonly name: string;
    readonly changes: readonly BalanceChange[];
    /** What else is known about the record. */
    readonly remark?: string;
    readonly teller?: string;
  }[];
  readonly rejects: readonly Rejected[];
  readonly unbookedFees: readonly UnbookedFee[];
  /** Moves on clearing accounts without a counterpart. */
  readonly unmatched: readonly (BalanceChange & { readonly name: string })[];
  readonly setAsides: readonly SetAsideRecord[];
  /** The streams of which fewer records are listed than were landed. */
  readonly withdrawn: readonly Withdrawn[];
};

/** How likely a kind is if its amount equals the difference exactly, before other evidence. */
export const KINDS = {
  rejected: 0.95, // known not to be booked
  twin: 0.9, // identical except for the id
  'not-final': 0.9, // known not to be booked
  swapped: 0.88, // matches two amounts at once
  'one-sided': 0.85, // known to lack its other side
  sign: 0.82,
  scale: 0.8,
  bots: 0.78,
  'in-flight': 0.75, // booked within an hour of the reading
  blocked: 0.72,
  rounding: 0.7,
  fee: 0.65, // fees are small and frequent
  surplus: 0.6, // any record of that amount
  combination: 0.5,
  unlisted: 0.3, // always possible
  unexplained: 0.1,
} as const;

export type CauseKind = keyof typeof KINDS;

/** Causes that need a sentence of their own within their kind. */
export const VARIANTS = [
  'blocked.gone', // blocked funds are not in the balance at all
  'fee.twice',
  'fee.unbooked', // named by the record, and not part of its entry
  'no-counterpart', // a clearing account names each of its lone moves
  'not-final.teller', // its teller order says more
  'one-sided.unlisted', // the other side happened, and was never listed
  'rejected.other-amount', // none of its amounts equals the difference
  'scale.large',
  'surplus.withdrawn', // only how many records are no longer listed is known
  'unlisted.trade',
] as const;

/**
 * A reason in parts, for whoever writes it in another language: `kind` names the phrase, and the other values fill it. Amounts
 * are exact text, records are stream and id.
 */
export type ReasonParts = Readonly<Record<string, string | readonly string[]>> & { readonly kind: string };

/** A combination has at most as many records; of others, a sentence needs no more. */
const NAMED_MAX = 6;

export const reasonParts = (
  kind: string,
  records: readonly string[],
  values: Readonly<Record<string, string>> = {},
): ReasonParts => ({
  kind,
  ...values,
  ...(records.length > 0 && { records: records.slice(0, NAMED_MAX) }),
  ...(records.length > NAMED_MAX && { more: String(records.length - NAMED_MAX) }),
});

/** One kind of cause: its suspects in the evidence. */
export type Finder = (evidence: CauseEvidence) => Suspect[];

/** A possible cause. `changes`: what the books lack, which should equal the difference of each place. */
export type Suspect = {
  readonly kind: CauseKind;
  readonly records: readonly string[];
  readonly changes: readonly BalanceChange[];
  /** The sentence, given the names of this suspect's records and of equally likely ones. */
  readonly says: (names: string) => string;
  readonly variant?: (typeof VARIANTS)[number];
  /** The amounts, currencies and counts in its sentence, by name. */
  readonly values?: Readonly<Record<string, string>>;
  /** Its records are only where to look: their amounts do not add up to the difference. */
  readonly isHint?: boolean;
  /** Lowers the likelihood of its kind; 1 leaves it unchanged. */
  readonly weight?: number;
  readonly at?: string;
  readonly entry?: string;
};

/** A cause that matches one difference; `proof` is the arithmetic. */
export type Candidate = {
  readonly kind: CauseKind;
  readonly confidence: string;
  readonly records: readonly string[];
  /** Whether `records` is complete and adds up to the difference exactly. */
  readonly isExact: boolean;
  readonly sentence: string;
  /** The same as the sentence. */
  readonly parts: ReasonParts;
  readonly proof: string;
};
