// Near: pairs lines and payments that share a key, such as an amount, by their days. What nothing tells apart stays open.
import { groupBy } from '../base/group.ts';
import { DAY_MS, msOf } from '../base/time.ts';
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

type Keyed<T> = { readonly key: string; readonly item: T };

/** Pairs what shares a key: all of a key if there are as many lines as payments, otherwise those that are alone on one day. */
export const pairKeyed = (
  lines: readonly Keyed<OpenLine>[],
  payments: readonly Keyed<OpenPayment>[],
  { daysMax, grounds }: { readonly daysMax: number; readonly grounds: (isAlone: boolean) => ExternalGrounds },
): ExternalPair[] => {
  const byKey = groupBy(payments, ({ key }) => key);
  return [...groupBy(lines, ({ key }) => key)].flatMap(([key, ofKey]) =>
    pairNear(
      ofKey.map(({ item }) => item),
      (byKey.get(key) ?? []).map(({ item }) => item),
      { daysMax, grounds },
    ),
  );
};

type Near = { readonly daysMax: number; readonly grounds: (isAlone: boolean) => ExternalGrounds };

const pairNear = (
  lines: readonly OpenLine[],
  payments: readonly OpenPayment[],
  near: Near,
): ExternalPair[] => {
  if (lines.length === 0 || payments.length === 0) return [];
  return clusters(lines, payments, near.daysMax).flatMap((cluster) => {
    const inTurn = pairInTurn(cluster, near);
    if (inTurn !== null) return inTurn;
    const sameDay = onOneDay(cluster, near);
    const done = new Set<unknown>(sameDay.flatMap(({ line, payment }) => [line, payment]));
    const rest = {
      lines: cluster.lines.filter((line) => !done.has(line)),
      payments: cluster.payments.filter((payment) => !done.has(payment)),
    };
    if (done.size === 0) return [];
    return [
      ...sameDay,
      ...clusters(rest.lines, rest.payments, near.daysMax).flatMap((one) => pairInTurn(one, near) ?? []),
    ];
  });
};

type Cluster = { readonly lines: OpenLine[]; readonly payments: OpenPayment[] };

/** Lines and payments in order of their days, cut where nothing on either side of the cut is near enough to belong together. */
const clusters = (
  lines: readonly OpenLine[],
  payments: readonly OpenPayment[],
  daysMax: number,
): Cluster[] => {
  const items = [
    ...lines.map((line) => ({ day: line.value_on, line, payment: null })),
    ...payments.map((payment) => ({ day: payment.effective_day, line: null, payment })),
  ].sort((a, b) => byText(a.day, b.day));
  const found: Cluster[] = [];
  let before: string | null = null;
  for (const { day, line, payment } of items) {
    const isNear =
      before !== null && msOf(`${day}T00:00:00Z`) - msOf(`${before}T00:00:00Z`) <= daysMax * DAY_MS;
    if (!isNear) found.push({ lines: [], payments: [] });
    if (line) found.at(-1)?.lines.push(line);
    if (payment) found.at(-1)?.payments.push(payment);
    before = day;
  }
  return found;
};

/** As many lines as payments, each near the one of its place: all are paired. Null otherwise. */
const pairInTurn = ({ lines, payments }: Cluster, { daysMax, grounds }: Near): ExternalPair[] | null => {
  if (lines.length !== payments.length) return null;
  const pairs = lines.flatMap((line, index) => {
    const payment = payments[index];
    const isPair = payment !== undefined && apart(line, payment) <= daysMax && isOfAccount(line, payment);
    return isPair ? [pairOf(line, payment, grounds(lines.length === 1))] : [];
  });
  return pairs.length === lines.length ? pairs : null;
};

/** The only line and the only payment of a day. */
const onOneDay = ({ lines, payments }: Cluster, { grounds }: Near): ExternalPair[] => {
  const byDay = groupBy(payments, ({ effective_day }) => effective_day);
  return [...groupBy(lines, ({ value_on }) => value_on)].flatMap(([day, [line, ...others]]) => {
    const [payment, ...more] = byDay.get(day) ?? [];
    if (line === undefined || payment === undefined || others.length + more.length > 0) return [];
    return isOfAccount(line, payment) ? [pairOf(line, payment, grounds(true))] : [];
  });
};

/** Each item once for each of its keys. */
export const keyed = <T>(items: readonly T[], keysOf: (item: T) => readonly string[]): Keyed<T>[] =>
  items.flatMap((item) => keysOf(item).map((key) => ({ key, item })));
