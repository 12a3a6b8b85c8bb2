// Match: which line of a statement and which entry of the books are one payment. Pure, one to one, the strongest evidence first. Where
// lines and entries of one amount differ in number and nothing tells them apart, all of them stay open: none is guessed. A payment that
// was returned, so that its record is cancelled, is on a statement twice or not at all.
import { groupBy } from '../base/group.ts';
import { negate, sign } from '../base/money.ts';
import { msOf } from '../base/time.ts';
import { keyed, pairKeyed } from './near.ts';
import {
  apart,
  byText,
  type ExternalGrounds,
  type ExternalPair,
  isOfAccount,
  type OpenLine,
  type OpenPayment,
  pairOf,
} from './payment.ts';

/** The longest time between the days of one payment that a reference shows. */
const REFERENCE_DAYS = 30;

/** The most days between a line and a payment of a bank or a chain, where no reference shows that they belong together. */
export type DaysMax = { readonly bank: number; readonly chain: number };

/** The pairs among open lines and payments of one currency; without a reference their days lie at most that far apart. */
export const matchPayments = (
  lines: readonly OpenLine[],
  payments: readonly OpenPayment[],
  daysMax: DaysMax,
): ExternalPair[] => {
  const isReturned = ({ returned_by }: OpenPayment) => returned_by !== null;
  const pairs = inRounds(
    lines,
    payments.filter((payment) => !isReturned(payment)),
    daysMax,
  );
  const taken = new Set(pairs.map(({ line }) => line));
  const left = lines.filter((line) => !taken.has(line));
  return [...pairs, ...returnedPairs(left, payments.filter(isReturned), daysMax)];
};

/** Payments and their returns that are both on the statements of one account. */
const returnedPairs = (
  lines: readonly OpenLine[],
  payments: readonly OpenPayment[],
  daysMax: DaysMax,
): ExternalPair[] => {
  const pairs = inRounds(
    lines,
    payments.flatMap((payment) => [payment, returnOf(payment)]),
    daysMax,
  );
  const bySide = groupBy(pairs, ({ line, payment }) => `${payment.returned_by} ${line.account_name}`);
  return [...bySide.values()].filter((sides) => sides.length === 2).flat();
};

/** The return of a payment: what the reversal of its entry moved back. */
const returnOf = (payment: OpenPayment): OpenPayment => ({
  ...payment,
  entry_id: payment.returned_by ?? '',
  effective_at: payment.returned_at ?? '',
  effective_day: payment.returned_day ?? '',
  amount: negate(payment.amount),
  pocketed: negate(payment.pocketed),
});

const inRounds = (
  lines: readonly OpenLine[],
  payments: readonly OpenPayment[],
  daysMax: DaysMax,
): ExternalPair[] => {
  const open = { lines: new Set(inLineOrder(lines)), payments: new Set(inPaymentOrder(payments)) };
  const pairs: ExternalPair[] = [];
  for (const round of roundsOf(daysMax)) {
    const found = round([...open.lines], [...open.payments]);
    for (const { line, payment } of found) {
      open.lines.delete(line);
      open.payments.delete(payment);
    }
    pairs.push(...found);
  }
  return pairs;
};

type Round = (lines: readonly OpenLine[], payments: readonly OpenPayment[]) => ExternalPair[];

const inLineOrder = (lines: readonly OpenLine[]): OpenLine[] =>
  [...lines].sort(
    (a, b) =>
      byText(a.value_on, b.value_on) ||
      byText(a.account_name, b.account_name) ||
      a.line_number - b.line_number,
  );

const inPaymentOrder = (payments: readonly OpenPayment[]): OpenPayment[] =>
  [...payments].sort((a, b) => msOf(a.effective_at) - msOf(b.effective_at) || byText(a.entry_id, b.entry_id));

/** The amounts that a payment may have on a statement: without its fee, and with it. */
const amountsOf = ({ amount, pocketed }: OpenPayment): string[] =>
  sign(pocketed) === 0 ? [amount] : [...new Set([amount, pocketed])];

const once = (pairs: readonly ExternalPair[]): ExternalPair[] => {
  const taken = new Set<unknown>();
  return pairs.filter(({ line, payment }) => {
    if (taken.has(line) || taken.has(payment)) return false;
    taken.add(line).add(payment);
    return true;
  });
};

/** A reference of the record's own and its amount. */
const byReference: Round = (lines, payments) =>
  once(
    pairKeyed(
      keyed(lines, ({ reference_marks, amount }) => reference_marks.map((mark) => `${mark} ${amount}`)),
      keyed(payments, (payment) =>
        amountsOf(payment).flatMap((amount) => payment.marks.map((mark) => `${mark} ${amount}`)),
      ),
      { daysMax: REFERENCE_DAYS, grounds: () => 'reference' },
    ),
  );

/** One line and one payment with that reference, in the same direction and with another amount: a break that names both. */
const byReferenceAlone: Round = (lines, payments) => {
  const toKey = ({ amount }: { amount: string }, mark: string) => `${mark} ${sign(amount)}`;
  const ofLines = groupBy(
    keyed(lines, (line) => line.reference_marks.map((mark) => toKey(line, mark))),
    ({ key }) => key,
  );
  const ofPayments = groupBy(
    keyed(payments, (payment) => payment.marks.map((mark) => toKey(payment, mark))),
    ({ key }) => key,
  );
  return once(
    [...ofPayments].flatMap(([key, [payment, ...more]]) => {
      const [line, ...others] = ofLines.get(key) ?? [];
      if (line === undefined || payment === undefined || others.length + more.length > 0) return [];
      const isPair = apart(line.item, payment.item) <= REFERENCE_DAYS && isOfAccount(line.item, payment.item);
      return isPair ? [pairOf(line.item, payment.item, 'reference')] : [];
    }),
  );
};

const ALONE = (isAlone: boolean): ExternalGrounds => (isAlone ? 'amount and day' : 'amount and order');

/** The concept that both have, the amount and the day. A pocket's reference is the concept of all its deposits. */
const byConcept =
  (daysMax: number): Round =>
  (lines, payments) =>
    once(
      pairKeyed(
        keyed(lines, ({ reference_marks, amount }) => reference_marks.map((mark) => `${mark} ${amount}`)),
        keyed(payments, ({ concept, amount }) => (concept === null ? [] : [`${concept} ${amount}`])),
        { daysMax, grounds: ALONE },
      ),
    );

/** The amount and the day, among the lines with the platform. */
const byAmount =
  (amountOf: (payment: OpenPayment) => string, daysMax: number): Round =>
  (lines, payments) =>
    pairKeyed(
      keyed(
        lines.filter(({ is_related }) => is_related),
        ({ amount }) => [amount],
      ),
      keyed(payments, (payment) => [amountOf(payment)]),
      { daysMax, grounds: ALONE },
    );

/** One transaction of a chain, by hash: its movements with equal amounts, then the only line and the only entry that are left. */
const byHash: Round = (lines, payments) => {
  const ofHash = groupBy(payments, ({ hash }) => hash);
  return [...groupBy(lines, ({ hash }) => hash)].flatMap(([hash, movements]) => {
    const entries = hash === null ? [] : (ofHash.get(hash) ?? []);
    const equal = once(
      movements.flatMap((line) =>
        entries
          .filter(({ amount }) => amount === line.amount)
          .map((payment) => pairOf(line, payment, 'hash')),
      ),
    );
    const done = new Set<unknown>(equal.flatMap(({ line, payment }) => [line, payment]));
    const [line, ...others] = movements.filter((one) => !done.has(one));
    const [payment, ...more] = entries.filter((one) => !done.has(one));
    const isOnly = line !== undefined && payment !== undefined && others.length + more.length === 0;
    return isOnly && sign(line.amount) === sign(payment.amount)
      ? [...equal, pairOf(line, payment, 'hash')]
      : equal;
  });
};

const onlyOf =
  (kind: OpenLine['kind'], round: Round): Round =>
  (lines, payments) =>
    round(
      lines.filter((line) => line.kind === kind),
      payments.filter((payment) => payment.kind === kind),
    );

/** The list of a platform may lack the hash of a transaction. Then its own address, the amount and the day show it. */
const byAddress =
  (daysMax: number): Round =>
  (lines, payments) =>
    pairKeyed(
      keyed(lines, ({ own_address, amount }) => [`${own_address} ${amount}`]),
      keyed(
        payments.filter(({ hash, address }) => hash === null && address !== null),
        ({ address, amount }) => [`${address} ${amount}`],
      ),
      { daysMax, grounds: () => 'address and amount' },
    );

const roundsOf = ({ bank, chain }: DaysMax): readonly Round[] => [
  onlyOf('chain', byHash),
  onlyOf('chain', byAddress(chain)),
  onlyOf('bank', byReference),
  onlyOf('bank', byReferenceAlone),
  onlyOf('bank', byConcept(bank)),
  onlyOf(
    'bank',
    byAmount(({ amount }) => amount, bank),
  ),
  onlyOf(
    'bank',
    byAmount(({ pocketed }) => pocketed, bank),
  ),
];
