// Causes outside booked records: a rejected record, one that is not final or was never listed, a one-sided transfer,
// blocked or bot funds, a rounding difference. Each kind is a function from the evidence to its suspects. Pure.
import { firstOf } from '../base/counted.ts';
import { compare, decimalsOf, negate, scale, sign, subtract, unsigned } from '../base/money.ts';
import {
  type BalanceChange,
  type Difference,
  type Finder,
  placeOf,
  type Rejected,
  type Suspect,
} from './cause.ts';
import { summed } from './record-causes.ts';

const placeIn = ({ account, currency }: Difference): string => placeOf(account, currency);

/** A record that no rule accepted: its effect is unknown, but an amount in it may equal the difference. */
const rejected: Finder = ({ rejects, differences }) =>
  [...new Set(rejects.map(({ name }) => name))].flatMap((name) => {
    const places = rejects.filter((reject) => reject.name === name);
    const fits = places.filter(({ hasAmount }) => hasAmount);
    const suspect = (
      rejects: readonly Rejected[],
      { says, ...rest }: Pick<Suspect, 'says' | 'weight' | 'isHint' | 'variant'>,
    ): Suspect => {
      const concerned = differences.filter((difference) =>
        rejects.some(({ place }) => place === placeIn(difference)),
      );
      const what = concerned.map(({ difference, currency }) => `${difference} ${currency}`).join(', ');
      return {
        kind: 'rejected',
        records: [name],
        changes: concerned.map((it) => ({ place: placeIn(it), amount: it.difference })),
        says: (names) => `${says(names)} (${places[0]?.reason}); difference ${what}`,
        ...rest,
      };
    };
    const known = { says: (names: string) => `rejected and so not booked: ${names}` };
    // If one of its amounts equals a difference, it may also explain other breaks in its currencies, for example through
    // a fee.
    const hint = {
      weight: 0.42,
      isHint: true,
      variant: 'rejected.other-amount',
      says: (names: string) => `may come from a record that was rejected and so is not booked: ${names}`,
    } as const;
    return [
      ...(fits.length > 0 ? [suspect(fits, known)] : []),
      ...(fits.length < places.length ? [suspect(places, hint)] : []),
    ];
  });

/** A record that is not final although the balance already includes it. */
const notFinal: Finder = ({ waiting }) =>
  waiting.map(({ name, changes, remark, teller }) => ({
    kind: 'not-final',
    records: [name],
    changes: summed(changes),
    ...(teller !== undefined && { variant: 'not-final.teller' as const, values: { teller } }),
    says: (names) =>
      `not final, so not booked; the balance may already include it: ${remark === undefined ? names : [names, remark].join('; ')}`,
  }));

/** A move that only one stream shows: its other side was never listed, or did not happen. */
const oneSided: Finder = ({ unmatched, differences }) =>
  unmatched.flatMap(({ name, place, amount }) => {
    const [account = '', currency = ''] = place.split(' ');
    const away: BalanceChange = { place, amount: negate(amount) };
    const others = name.startsWith('wallet-transactions ')
      ? [placeOf(account.replace('clearing:', ''), currency)]
      : differences.filter((difference) => difference.account.startsWith('assets:pocket:')).map(placeIn);
    const suspect = (changes: BalanceChange[], rest: Pick<Suspect, 'says' | 'variant'>): Suspect => ({
      kind: 'one-sided',
      records: [name],
      changes,
      ...rest,
    });
    return [
      suspect([away], { says: (names) => `no counterpart in the other stream: ${names}` }),
      ...others.map((other) =>
        suspect([away, { place: other, amount }], {
          variant: 'one-sided.unlisted',
          says: (names) => `the counterpart was never listed: ${names}`,
        }),
      ),
    ];
  });

/** Funds held apart: blocked funds counted twice or not at all, and bots' funds that are not reported. */
const setAside: Finder = ({ setAsides }) =>
  setAsides.flatMap(({ place, blocked, blockedBefore, withBots }) => {
    const suspect = (
      amount: string,
      rest: Pick<Suspect, 'kind' | 'variant' | 'values' | 'says'>,
    ): Suspect[] => (sign(amount) === 0 ? [] : [{ records: [], changes: [{ place, amount }], ...rest }]);
    return [
      ...suspect(blocked, {
        kind: 'blocked',
        values: { amount: blocked },
        says: () => `the balance may include the blocked ${blocked} as well, so that it counts twice`,
      }),
      ...suspect(subtract(blocked, blockedBefore), {
        kind: 'blocked',
        variant: 'blocked.gone',
        values: { amount: blocked, other_amount: blockedBefore },
        says: () => `the balance may exclude blocked funds: ${blockedBefore} before, ${blocked} now`,
      }),
      ...suspect(negate(withBots), {
        kind: 'bots',
        values: { amount: withBots },
        says: () => `the balance may exclude funds held by bots: ${withBots}`,
      }),
    ];
  });

/** No larger difference is taken for rounding: a balance may have few decimals only because the rest are zeros. */
const ROUNDING_MAX = '0.00000001';

/** A balance reported at fewer decimals than the books have, which rounded to them is the reported one; and the newest finer records. */
const rounding: Finder = ({ differences, records }) =>
  differences.flatMap((difference): Suspect[] => {
    const { decimals, currency } = difference;
    if (decimals === null || !isRoundedTo(difference.difference, decimals)) return [];
    const names = records
      .filter(({ parts }) =>
        parts.some(({ place, amount }) => place === placeIn(difference) && decimalsOf(amount) > decimals),
      )
      .map(({ name }) => name);
    const rest =
      names.length > 0 ? `; records with more decimals, the newest first: ${firstOf(names, 3)}` : '';
    return [
      {
        kind: 'rounding',
        records: names.slice(0, 3),
        isHint: true,
        values: { decimals: String(decimals), currency },
        changes: [{ place: placeIn(difference), amount: difference.difference }],
        says: () => `a rounding difference: the gateway reports ${currency} at ${decimals} decimals${rest}`,
      },
    ];
  });

/** Whether rounding leaves out that much: at most half of the last decimal. */
const isRoundedTo = (difference: string, decimals: number): boolean => {
  const size = unsigned(difference);
  return compare(size, ROUNDING_MAX) <= 0 && compare(scale(size, decimals), '0.5') <= 0;
};

const ACCOUNTS: Readonly<Record<string, string>> = {
  trades: 'assets:trading',
  'earn-movements': 'assets:earn',
};

/** Records that are no longer listed; which ones is not known. Named records whose amounts fit are likelier. */
const withdrawn: Finder = ({ withdrawn: lists, differences }) =>
  lists.map(({ stream, missing, landed }) => ({
    kind: 'surplus',
    variant: 'surplus.withdrawn',
    records: [],
    weight: 0.6,
    values: { amount: missing, other_amount: landed, stream },
    changes: differences
      .filter(({ account }) => account === ACCOUNTS[stream])
      .map((difference) => ({ place: placeIn(difference), amount: difference.difference })),
    says: () =>
      `${missing} of ${landed} landed records of ${stream} are no longer listed, and the balance may not include them`,
  }));

/** No evidence: a record of that amount was never listed. A trade, if two of trading's currencies diverge at once. */
const unlistedRecord: Finder = ({ differences }) => [
  ...differences.map(
    (difference): Suspect => ({
      kind: 'unlisted',
      records: [],
      values: { amount: difference.difference, currency: difference.currency },
      changes: [{ place: placeIn(difference), amount: difference.difference }],
      says: () =>
        `no record explains ${difference.difference} ${difference.currency} on ${difference.account}: the gateway may not have listed a record of that amount`,
    }),
  ),
  ...trades(differences.filter(({ account }) => account === 'assets:trading')),
];

const trades = (differences: readonly Difference[]): Suspect[] =>
  differences
    .filter(({ difference }) => sign(difference) > 0)
    .flatMap((into) =>
      differences
        .filter((out) => sign(out.difference) < 0 && isTogether(into, out))
        .map(
          (out): Suspect => ({
            kind: 'unlisted',
            variant: 'unlisted.trade',
            values: {
              amount: into.difference,
              currency: into.currency,
              other_amount: unsigned(out.difference),
              other_currency: out.currency,
            },
            records: [],
            changes: [into, out].map((it) => ({ place: placeIn(it), amount: it.difference })),
            says: () =>
              `the gateway may not have listed a trade: ${into.difference} ${into.currency} in, ${unsigned(out.difference)} ${out.currency} out`,
          }),
        ),
    );

/** Whether both tied once and diverged between the same two readings. */
const isTogether = (one: Difference, other: Difference): boolean =>
  one.tiedAt !== null && one.tiedAt === other.tiedAt && one.brokeAt === other.brokeAt;

/** A difference that has changed since its first reading is not a single record. */
const unexplained: Finder = ({ differences }) =>
  differences
    .filter((difference) => difference.firstDifference !== difference.difference)
    .map(
      (difference): Suspect => ({
        kind: 'unexplained',
        records: [],
        weight: 4,
        values: {
          amount: difference.difference,
          other_amount: difference.firstDifference,
          currency: difference.currency,
        },
        changes: [{ place: placeIn(difference), amount: difference.difference }],
        says: () =>
          `unexplained: the difference was ${difference.firstDifference} ${difference.currency} at first and is ${difference.difference} now, so more than one record is involved`,
      }),
    );

export const accountCauses: readonly Finder[] = [
  rejected,
  notFinal,
  oneSided,
  setAside,
  rounding,
  withdrawn,
  unlistedRecord,
  unexplained,
];

/** The finders whose suspects may be combined. */
export const combinableAside: readonly Finder[] = [notFinal, oneSided];
