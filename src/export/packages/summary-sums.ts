// Adds up entries to journals: one per stretch of time for new entries and one for corrections, over all streams, with one line
// per account of the package; for a package that writes debit against credit, one per pair of accounts. What left one place and
// reached another within the stretch cancels in transit, as it would not if each stream were summed alone. Memory holds the sums only.
import { counted } from '../../base/counted.ts';
import { compare, sum } from '../../base/money.ts';
import {
  type AccountSide,
  type BatchHead,
  type Journal,
  type Moved,
  type PackageBooking,
  type PackageEntry,
  type PackageFormat,
  targetKey,
} from './package.ts';
import { type Days, type Summary, spanOf, spanText } from './summary-span.ts';

/** How a batch is cut: its stretches of time, and the days of its period. */
export type SummaryCut = { readonly summary: Summary; readonly period: Days };

/** A journal that sums entries, with its key and the key of each booking that is not zero. */
export type SumJournal = Journal & { readonly key: string; readonly keys: readonly string[] };

type BookingSum = {
  readonly sides: readonly AccountSide[];
  readonly streams: Set<string>;
  cents: bigint;
  readonly units: Map<string, string>[];
};

type JournalSum = {
  readonly span: Days;
  readonly kind: PackageEntry['kind'];
  count: number;
  readonly bookings: Map<string, BookingSum>;
};

/** The journal that an entry is summed in. Keys are in the order of the journals: by time, new entries before corrections. */
export const sumKey = ({ day, kind }: PackageEntry, { summary, period }: SummaryCut): string =>
  [spanOf(day, summary, period).first, kind === 'new' ? '1' : '2'].join('\n');

/** Equal for bookings of the same accounts, on whichever side. */
export const bookingKey = (booking: PackageBooking): string => booking.map(targetKey).sort().join('\n\n');

/** Adds up entries to journals in order of time; each is dated on the last day in its stretch that has an entry. */
export const sumsOf = async (
  { format, head }: { readonly format: PackageFormat; readonly head: BatchHead },
  cut: SummaryCut,
  entries: AsyncIterable<PackageEntry>,
): Promise<SumJournal[]> => {
  const sums = new Map<string, JournalSum>();
  const lastDays = new Map<string, string>();
  for await (const entry of entries) {
    const key = sumKey(entry, cut);
    const span = spanOf(entry.day, cut.summary, cut.period);
    const journal = sums.get(key) ?? { span, kind: entry.kind, count: 0, bookings: new Map() };
    sums.set(key, journal);
    journal.count += 1;
    for (const booking of format.bookings(entry.lines, head)) addBooking(journal, booking, entry.stream);
    if (entry.day > (lastDays.get(span.first) ?? '')) lastDays.set(span.first, entry.day);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, journal], i) => ({
      ...journalOf(journal, { ordinal: i + 1, day: lastDays.get(journal.span.first) ?? journal.span.last }),
      key,
    }));
};

const addBooking = ({ bookings }: JournalSum, booking: PackageBooking, stream: string): void => {
  const key = bookingKey(booking);
  const sides = [...booking].sort((a, b) => (targetKey(a) < targetKey(b) ? -1 : 1));
  const known = bookings.get(key) ?? newSum(sides);
  bookings.set(key, known);
  known.streams.add(stream);
  known.cents += sides[0]?.cents ?? 0n;
  sides.forEach(({ moved }, i) => {
    const units = known.units[i];
    for (const { currency, units: more } of moved)
      units?.set(currency, sum([units.get(currency) ?? '0', more]));
  });
};

const newSum = (sides: readonly AccountSide[]): BookingSum => ({
  sides,
  streams: new Set(),
  cents: 0n,
  units: sides.map(() => new Map<string, string>()),
});

const journalOf = (
  { span, kind, count, bookings }: JournalSum,
  { ordinal, day }: { readonly ordinal: number; readonly day: string },
): Omit<SumJournal, 'key'> => {
  const open = [...bookings].filter(([, { cents }]) => cents !== 0n).sort(([a], [b]) => (a < b ? -1 : 1));
  const [text, reference] = [spanText(span), counted(count, 'entry', 'entries')];
  return {
    ordinal,
    day,
    streamsOf: (booking) => [...(bookings.get(bookingKey(booking))?.streams ?? [])].sort().join(', '),
    span: text,
    isSum: true,
    text: `${kind === 'correction' ? 'corrections' : 'summary'} ${text}, ${reference}`,
    reference,
    bookings: open.map(([, booking]) => bookingOf(booking)),
    keys: open.map(([key]) => key),
  };
};

/** The sum of bookings, its debit first. */
const bookingOf = ({ sides, cents, units }: BookingSum): PackageBooking =>
  sides
    .map((side, i) => ({ ...side, cents: i === 0 ? cents : -cents, moved: movedOf(units[i] ?? new Map()) }))
    .sort((a, b) => (a.cents > b.cents ? -1 : 1));

const movedOf = (units: ReadonlyMap<string, string>): Moved[] =>
  [...units]
    .filter(([, amount]) => compare(amount, '0') !== 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, amount]) => ({ account: '', currency, units: amount }));
