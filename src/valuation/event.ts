// The nouns of valuation: an entry as read, the facts about it, and the values that result.
import type { COUNTERPARTY_TYPES } from '../base/counterparty-types.ts';
import type { Atto } from '../base/money.ts';
import type { LotKey } from './lot-queue.ts';
import type { Fraction } from './pool.ts';

export type Leg = {
  /** The leg's number in its entry, from 1. */
  readonly leg: number;
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  readonly units: Atto;
};

/**
 * The counterparty of a leg against equity:external:*; own-transfer: one of our own accounts, whose side we booked too; closed-side: the
 * same, but a closed month valued that side as a third party's; lone-fee: what people entered as the fee of a transfer that does not stand.
 */
export type CounterpartyType =
  | (typeof COUNTERPARTY_TYPES)[number]
  | 'own-transfer'
  | 'closed-side'
  | 'lone-fee';

/** The cost of units bought before our history; null if it is not known in the reporting currency. */
export type OpeningLot = { readonly acquiredAt: string; readonly micros: number; readonly cost: Atto | null };

/**
 * A lot that a person named for a disposal, how many of its units, and when it had been acquired, in microseconds since 1970. `entries`:
 * the one that made it, and those that took its place since, because its record was corrected or its month reopened.
 */
export type ChosenLot = LotKey & {
  readonly units: Atto;
  readonly micros: number;
  readonly entries: readonly string[];
};

/**
 * The entity that sent what arrives, the entries that its record has had, of which one moved the lots, and how many units more arrived than
 * were sent: a fee that only one of the two records books. Negative if fewer arrived. For what is sent, no entries, and only if fewer arrived in a
 * closed month, which cannot report that any more.
 */
export type Departure = {
  readonly entity: string;
  readonly entries: readonly string[];
  readonly surplus: Atto;
};

/** What people entered as the fee of a transfer between own accounts, and the names of the entries. */
export type TransferFee = { readonly units: Atto; readonly fees: string };

export type Event = {
  readonly entity: string;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  readonly effectiveAt: string;
  /** The effective date in microseconds since 1970. */
  readonly micros: number;
  /** The month in which it is valued: that of its posting date, or the first one that all entities of the taxpayer have open. */
  readonly period: string;
  /** The month of its posting date. */
  readonly bookedIn: string;
  /** The entry that it reverses. */
  readonly reverses: string | null;
  /** The entry of its record that stands in place of the one that it reverses, if the two count at one time. */
  readonly correctedBy: string | null;
  readonly legs: readonly Leg[];
  /** Its value as its record reports it, in the reporting currency; above zero. */
  readonly reportedValue: Atto | null;
  readonly counterpartyTypes: ReadonlyMap<number, CounterpartyType>;
  /** The departures of what its legs receive from our own accounts, whose side we booked too. */
  readonly departures: ReadonlyMap<number, Departure>;
  /** The fees of the transfers of its legs that a closed month valued without their lots. */
  readonly closedFees: ReadonlyMap<number, TransferFee>;
  readonly openings: ReadonlyMap<number, OpeningLot>;
  /** The lots that a person named for it, by currency. */
  readonly chosenLots: ReadonlyMap<string, readonly ChosenLot[]>;
  /** Whether it stands for an earlier entry of its record. */
  readonly isCorrection: boolean;
  /** The lots of a leg that stay where the entry that it corrects moved them. */
  readonly staying: ReadonlyMap<number, MovedLots>;
  /** What of a leg that stands again had arrived already, or was moved back by a cancellation. */
  readonly returned: ReadonlyMap<number, ReturnedLots>;
};

/** Where a value comes from: the rule that chose it, the source of the figure, the path of currencies, and the age of the rate. */
export type Basis = {
  readonly rule: string;
  readonly source: string;
  readonly path: string | null;
  readonly ageSeconds: number | null;
};

export type LegValue = { readonly value: Atto | null; readonly basis: Basis };

/** Where a fee goes: into the cost of what was bought, out of the proceeds of what was sold, or to expenses. */
export type FeeTarget = 'cost' | 'proceeds' | 'expenses';

/** One value line of an entry, debit positive. leg is null for a line without units. */
export type Line = {
  readonly basis: Basis;
  readonly leg: number | null;
  readonly account: string;
  readonly currency: string;
  readonly units: Atto;
  readonly exact: Atto | null;
  /** The exact value in cents: an account's values sum to its exact value, rounded once. */
  value: Atto | null;
  /** The value of the fee that it books; null if it books none, or one without a value. */
  readonly fee: { readonly target: FeeTarget; readonly value: Atto } | null;
  /** How much worse the price of a conversion was than the market's: already in its cost, and only shown here. */
  spread: Atto | null;
  memo: string | null;
};

/**
 * held: all that a taxpayer has on the platform; external: externally held; in-transit: between two of its own accounts. pockets,
 * trading, earn: the places of an entity, once each has a pool of its own.
 */
export type PoolName = 'held' | 'external' | 'in-transit' | 'pockets' | 'trading' | 'earn';

export type NewLot = {
  readonly id: string;
  readonly pool: PoolName;
  readonly currency: string;
  readonly leg: number;
  readonly acquiredAt: string;
  readonly micros: number;
  readonly seq: number;
  readonly units: Atto;
  readonly cost: Atto | null;
  readonly origin: string;
};

export type Use = Fraction & {
  readonly id: string;
  readonly pool: PoolName;
  readonly currency: string;
  readonly leg: number;
  readonly kind: 'disposal' | 'moved' | 'undone' | 'allotted';
  readonly proceeds: Atto | null;
  readonly feeInProceeds: Atto;
  readonly exchangedFor: string | null;
};

export type ValueFinding = {
  readonly kind:
    | 'no-rate'
    | 'no-lot'
    | 'no-cost'
    | 'not-understood'
    | 'chosen-lot'
    | 'closed-side'
    | 'not-arrived'
    | 'other-amount'
    | 'transfer-fee'
    | 'unknown-counterparty'
    | 'rounding';
  readonly severity: 'finding' | 'note';
  readonly leg: number | null;
  readonly currency: string;
  readonly units: Atto;
  readonly detail: string;
};

export type AllottedLot = LotKey & Pick<NewLot, 'pool' | 'seq'>;

/** What was received for the units that a reversal took back. */
export type Disposed = Pick<Use, 'proceeds' | 'feeInProceeds' | 'exchangedFor'>;

/**
 * A lot of an entry, with the lots that were made of it when places got lots of their own, oldest first; `disposed` if its units had been
 * disposed of and were taken back.
 */
export type StoredLot = NewLot &
  LotKey & { readonly allotted: readonly AllottedLot[]; readonly disposed: Disposed | null };

/** What a leg used of lots, and the lots that it made of that at another place, or restored there. */
export type MovedLots = { readonly used: readonly Use[]; readonly made: readonly StoredLot[] };

/** `receivedIn`: the closed month that received some of it without a lot, because it was not sent by then. */
export type ReturnedLots = MovedLots & { readonly receivedIn: string | null };

/** The values of an entry, as stored. Units that it restored to a lot are a lot that it made. */
export type StoredValues = Pick<EntryValues, 'lines' | 'uses'> & { readonly lots: readonly StoredLot[] };

/** The values of an entry. */
export type EntryValues = {
  readonly lines: Line[];
  readonly lots: NewLot[];
  readonly uses: Use[];
  readonly findings: ValueFinding[];
};

/** The month of a lot that was there before every month: sorts before them. */
export const ALWAYS = '0000-00';
