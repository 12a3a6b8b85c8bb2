// Booking beside reading: while the lists of an entity are read, what has landed is booked, so that after the last page only
// a remainder is left. What depends on what may still be read stays in the inbox.
import { NONE_BOOKED, type NormalizeTally } from '../src/normalize/normalize.ts';
import type { Work } from '../src/run/work.ts';
import { bookPass } from './book-pass.ts';

/** What a reading owes to the booking beside it: it counts what lands, and ends when the booking fails. */
export type Beside = {
  readonly landed: (versions: number) => void;
  /** Every list but that of the trades has been read, with what of its records' names a figure rests on. */
  readonly onlyTradesLeft: () => void;
  readonly signal: AbortSignal;
};

/** The fewest new versions that are worth a pass; an ordinary night has fewer, and books when all is read. */
const VERSIONS_MIN = 2_000;

/** How far an entity is: the entries booked in this run, and what is still being read: its lists, only its trades, or nothing. */
export type Progress = { readonly entries: number; readonly reading: 'lists' | 'trades' | 'nothing' };

/** Works ahead on what was booked, as far as every entity is; `settled` waits for what has begun, which never fails. */
export type Ahead = {
  readonly note: (entity: string, reached: Progress) => void;
  readonly begin: () => void;
  readonly settled: () => Promise<void>;
};

/** The entity to book, once at least so many new versions have landed, and what works ahead on what is complete. */
export type Booked = {
  readonly entity: string;
  readonly versionsMin?: number | undefined;
  readonly ahead?: Ahead | undefined;
};

/** `isUrgent`: a pass is worth while however little has landed. */
type BookingState = {
  versions: number;
  areOnlyTradesLeft: boolean;
  isUrgent: boolean;
  isRead: boolean;
  wake: () => void;
};

/** Reads, and books beside it. A failure of either ends the other, and is thrown once both have ended. */
export const bookBeside = async <T>(
  work: Work,
  booked: Booked,
  read: (beside: Beside) => Promise<T>,
): Promise<{ readonly result: T; readonly tally: NormalizeTally }> => {
  const failed = new AbortController();
  const state: BookingState = {
    versions: 0,
    areOnlyTradesLeft: false,
    isUrgent: false,
    isRead: false,
    wake: () => {},
  };
  const landed = (versions: number) => {
    state.versions += versions;
    state.wake();
  };
  const onlyTradesLeft = () => {
    Object.assign(state, { areOnlyTradesLeft: true, isUrgent: true });
    state.wake();
  };
  const reading = read({ landed, onlyTradesLeft, signal: failed.signal }).finally(() => {
    state.isRead = true;
    state.wake();
  });
  const booking = bookPasses(work, booked, state).catch((error: unknown) => {
    failed.abort(error);
    throw error;
  });
  const [readEnd, bookEnd] = await Promise.allSettled([reading, booking]);
  if (bookEnd.status === 'rejected') throw bookEnd.reason;
  if (readEnd.status === 'rejected') throw readEnd.reason;
  return { result: readEnd.value, tally: bookEnd.value };
};

/** A pass reads again what the one before it left, so it waits for as many new versions. */
const bookPasses = async (
  work: Work,
  { entity, versionsMin = VERSIONS_MIN, ahead }: Booked,
  state: BookingState,
): Promise<NormalizeTally> => {
  let [booked, left] = [NONE_BOOKED, 0];
  for (;;) {
    while (!state.isRead && !state.isUrgent && state.versions - left < Math.max(versionsMin, left))
      await untilNews(state, left);
    if (state.isRead) return booked;
    const before = booked;
    state.isUrgent = false;
    booked = await bookPass(work, entity, { isReading: true, before });
    state.versions -= booked.records - before.records;
    left = state.versions;
    ahead?.note(entity, { entries: booked.entries, reading: state.areOnlyTradesLeft ? 'trades' : 'lists' });
    ahead?.begin();
  }
};

/** Trades that stand still for so long wait for the budget of the next minute. */
const STANDING_MS = 2_000;

/** Waits until something lands or the reading ends. What has landed is urgent once the trades stand still: it may end a month. */
const untilNews = (state: BookingState, left: number): Promise<void> =>
  new Promise((wake) => {
    const stand = () => {
      state.isUrgent = true;
      wake();
    };
    const timer =
      state.areOnlyTradesLeft && state.versions > left ? setTimeout(stand, STANDING_MS) : undefined;
    state.wake = () => {
      clearTimeout(timer);
      wake();
    };
  });
