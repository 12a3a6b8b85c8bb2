// Causes within one booked record: missing from the balance, booked under two ids, wrong sign, swapped currencies, wrong
// scale, or a fee charged differently. Each kind is a function from the records to its suspects. Pure.
import { groupBy } from '../base/group.ts';
import { negate, scale, sign, subtract, sum } from '../base/money.ts';
import { HOUR_MS, msOf } from '../base/time.ts';
import {
  type BalanceChange,
  type CauseKind,
  type EffectPart,
  type Finder,
  placeOf,
  type RecordEffects,
  type Suspect,
} from './cause.ts';

/** Powers of ten by which amounts are commonly misread: cents, thousands, satoshi, gwei, wei. */
const SCALES = [1, 2, 3, 6, 8, 9, 12, 18].flatMap((power) => [power, -power]);

/** The net change of each place, without places whose changes cancel out. */
export const summed = (changes: readonly BalanceChange[]): BalanceChange[] => {
  const places = [...new Set(changes.map(({ place }) => place))];
  return places
    .map((place) => ({
      place,
      amount: sum(changes.filter((change) => change.place === place).map((change) => change.amount)),
    }))
    .filter(({ amount }) => sign(amount) !== 0);
};

const reversed = ({ place, amount }: BalanceChange): BalanceChange => ({ place, amount: negate(amount) });
const turn = ({ place, amount }: BalanceChange): BalanceChange => ({
  place,
  amount: negate(sum([amount, amount])),
});

const suspectOf = (
  record: RecordEffects,
  kind: CauseKind,
  rest: Omit<Suspect, 'kind' | 'records'>,
): Suspect => ({
  kind,
  records: [record.name],
  at: record.at,
  entry: record.entry,
  ...rest,
});

/** Booked but not in the balance; within an hour of the reading the balance may just not include it yet. */
const surplus: Finder = ({ records, differences, withdrawn }) => {
  const isShort = (stream: string): boolean => withdrawn.some((list) => list.stream === stream);
  const readAt = Math.max(...differences.map(({ brokeAt }) => msOf(brokeAt)));
  return records.map((record) => {
    const isInFlight = Math.abs(msOf(record.at) - readAt) <= HOUR_MS;
    return suspectOf(record, isInFlight ? 'in-flight' : 'surplus', {
      ...(isShort(record.stream) && { weight: 1.4 }), // some records of its list are known to be gone
      changes: summed(record.parts.map(reversed)),
      says: (names) =>
        isInFlight
          ? `booked within an hour of the reading; the balance may not include it yet: ${names}`
          : `booked, but the balance may not include it: ${names}`,
    });
  });
};

/** Two records identical except for the id: at the same instant or, less certainly, within a day. */
const twins: Finder = ({ records }) => {
  const alike = groupBy(records, ({ stream, parts }) =>
    [stream, ...parts.map(({ place, amount, role }) => `${place} ${amount} ${role}`).sort()].join('|'),
  );
  return [...alike.values()].flatMap((group) => {
    const inOrder = group.toSorted((a, b) => msOf(a.at) - msOf(b.at) || (a.name < b.name ? -1 : 1));
    return inOrder.slice(1).flatMap((other, nth) => pair(inOrder[nth], other));
  });
};

const pair = (one: RecordEffects | undefined, other: RecordEffects): Suspect[] => {
  if (!one || one.stream === 'manual' || msOf(other.at) - msOf(one.at) > 24 * HOUR_MS) return [];
  const id = other.name.slice(other.stream.length + 1);
  const what = one.stream === 'trades' ? 'fill' : 'record';
  return [
    {
      kind: 'twin',
      records: [one.name, other.name],
      at: other.at,
      entry: other.entry,
      weight: one.at === other.at ? 1 : 0.8,
      changes: summed(other.parts.map(reversed)),
      says: () => `${one.name} and ${id} look like one ${what} under two ids`,
    },
  ];
};

/** Booked in the wrong direction: the whole record or, for a trade, everything except its fee. */
const turned: Finder = ({ records }) =>
  records.map((record) =>
    suspectOf(record, 'sign', {
      changes: summed(record.parts.filter(({ role }) => role !== 'fee').map(turn)),
      says: (names) => `may be booked with the wrong sign: ${names}; the difference is twice its amount`,
    }),
  );

/** A fee that was booked but not charged, or was charged twice. */
const fees: Finder = ({ records }) =>
  records.flatMap((record) => {
    const parts = record.parts.filter(({ role }) => role === 'fee');
    if (parts.length === 0) return [];
    return [
      suspectOf(record, 'fee', {
        changes: summed(parts.map(reversed)),
        says: (names) => `its fee is booked, but may not have been charged: ${names}`,
      }),
      suspectOf(record, 'fee', {
        variant: 'fee.twice',
        changes: summed(parts),
        says: (names) => `its fee is booked once, but may have been charged twice: ${names}`,
      }),
    ];
  });

/** A fee that a booked record names without charging it: the rules took it for included in another, or for someone else's. */
const unbookedFee: Finder = ({ unbookedFees }) =>
  unbookedFees.map((fee) => ({
    kind: 'fee',
    variant: 'fee.unbooked',
    records: [fee.name],
    at: fee.at,
    entry: fee.entry,
    changes: [{ place: fee.place, amount: fee.amount }],
    says: (names) => `a fee of that amount is named, but not booked, and may have been charged: ${names}`,
  }));

/** An exchange with its two currencies swapped: each amount belongs to the other currency or side. */
const swapped: Finder = ({ records }) =>
  records.flatMap((record) => {
    const [one, other, ...more] = record.parts.filter(({ role }) => role === 'exchange');
    if (!one || !other || more.length > 0 || one.place === other.place) return [];
    const says = (names: string) => `base and quote may be swapped: ${names}`;
    const change = (a: string, b: string): Suspect =>
      suspectOf(record, 'swapped', {
        changes: summed([
          { place: one.place, amount: a },
          { place: other.place, amount: b },
        ]),
        says,
      });
    return [
      // The pair is swapped: the amounts booked in one currency belong to the other.
      change(subtract(other.amount, one.amount), subtract(one.amount, other.amount)),
      // The amounts are swapped: each currency keeps its direction and gets the other's amount.
      change(negate(sum([one.amount, other.amount])), negate(sum([one.amount, other.amount]))),
    ];
  });

/** An amount read at a wrong scale, off by a power of ten: all parts of a record in one currency and role. */
const scaled: Finder = ({ records, differences }) => {
  const broken = new Set(differences.map(({ account, currency }) => placeOf(account, currency)));
  return records.flatMap((record) => {
    const seen = groupBy(record.parts, ({ place, role }) => `${place.split(' ')[1]} ${role}`);
    const groups = [...seen.values()].filter((parts) => parts.some(({ place }) => broken.has(place)));
    return groups.flatMap((parts) => SCALES.map((power) => atScale(record, parts, power)));
  });
};

const atScale = (record: RecordEffects, parts: readonly EffectPart[], power: number): Suspect =>
  suspectOf(record, 'scale', {
    ...(power < 0 && { variant: 'scale.large' as const }),
    values: { power: String(Math.abs(power)) },
    changes: summed(
      parts.map(({ place, amount }) => ({ place, amount: subtract(scale(amount, power), amount) })),
    ),
    says: (names) =>
      `an amount may have the wrong scale, 10^${Math.abs(power)} times too ${power > 0 ? 'small' : 'large'}: ${names}`,
  });

/** Possible faults of a booked record. */
export const recordCauses: readonly Finder[] = [surplus, twins, turned, fees, unbookedFee, swapped, scaled];

/** The faults that may be combined: one per record, and none that needs many guesses. */
export const combinable: readonly Finder[] = [surplus, twins, turned, fees];
