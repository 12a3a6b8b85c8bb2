// Extraction: which walk reads which stream. Each function gives a walk over one list of one entity; nothing here
// writes, and nothing here knows how requests are sent.

import { type LandedStream, recordIdOf, STREAMS, timeFieldOf, type WireRecord } from '../base/streams.ts';
import { isoOf, readInstant } from '../base/time.ts';
import type { Receipt } from '../gateway/client.ts';
import { CONTRACT, MOVEMENT_ORIGINS, MOVEMENT_TYPES } from '../gateway/contract/contract.ts';
import { GatewayError, isSendable, OF_NAME } from '../gateway/gateway.ts';
import { readPlace, walkCursor } from './cursor.ts';
import { walkOffset } from './offset.ts';
import type { OffsetWalk } from './offset-pages.ts';
import { acting, type RecordWalk, type Source } from './source.ts';
import type { Interval, ShownRow } from './step.ts';
import type { ListTime } from './time-limit.ts';
import { walkWindow } from './window.ts';

export { announced, begun, observed } from './ahead.ts';
export { walletTransactionReads } from './single-reads.ts';
export { acting, type RecordWalk, type Source } from './source.ts';
export { type ListTime, listTime, type TimeLimit } from './time-limit.ts';
export { readWhole } from './whole.ts';

/** The same lists, each within a time limit. */
export const timed = ({ gateway, ...source }: Source, time: ListTime): Source => ({
  ...source,
  gateway: { ...gateway, call: (operation, ask) => time.fetch(() => gateway.call(operation, ask)) },
});

const about = (source: Source, stream: LandedStream) => ({
  timeOf: (row: WireRecord) => readInstant(row[timeFieldOf(stream)]),
  idOf: (row: WireRecord) => recordIdOf(stream, row),
  now: () => isoOf(source.gateway.nowMs()),
});

/** The words by which an instant full of movements is split; wallets and currencies are those of the entity. */
type MovementWords = { readonly currencies: readonly string[]; readonly wallets: readonly string[] };

/** What to read of the movements: a window, and the landed records above its end and below its start, if they are known. */
type MovementPart = {
  readonly window: Interval;
  readonly above?: readonly ShownRow[];
  readonly below?: readonly ShownRow[];
};

/** Movements of one window, newest first. */
export const movementWalk = (
  source: Source,
  { window, above, below }: MovementPart,
  words: MovementWords,
): RecordWalk =>
  walkWindow({
    ...about(source, 'movements'),
    window,
    above,
    below,
    limit: STREAMS.movements.pageMax,
    isRefusal: isRefused,
    cuts: () => [
      { filter: 'movementType', words: MOVEMENT_TYPES },
      { filter: 'serviceOrderName', words: MOVEMENT_ORIGINS },
      { filter: 'currency', words: words.currencies.filter(isFilterOf('currency')) },
      { filter: 'walletId', words: words.wallets.filter(isFilterOf('walletId')) },
    ],
    fetch: async ({ from, to, filters }) => {
      const query = {
        ...(from && { from }),
        ...(to && { to }),
        limit: STREAMS.movements.pageMax,
        ...filters,
      };
      const { page, receipt } = await source.gateway.call(CONTRACT.trading.movements, {
        ...acting(source),
        query,
      });
      return { rows: page.rows, proof: receipt };
    },
  });

/** A word that the operation does not accept is not requested: its records stay a gap, and the night continues. */
const isFilterOf =
  (filter: 'currency' | 'walletId') =>
  (word: string): boolean =>
    CONTRACT.trading.movements.query.safeParse({ [filter]: word }).success;

/**
 * Whether the gateway refuses what was requested, as it does a parameter that it does not know, or fails at it, as one may that does not
 * check its parameters: all retries met an error of its own.
 */
const isRefused = (error: unknown): boolean =>
  error instanceof GatewayError && (error.failure === 'invalid' || error.failure === 'unavailable');

/** Whether the gateway has no such page: what it answers after the end of a list that it does not divide into pages. */
export const hasNoPage = (error: unknown): error is GatewayError =>
  error instanceof GatewayError && [...OF_NAME, 'refused'].includes(error.failure);

/** The ways to request trades oldest first, and none for a gateway that refuses both (A-TRADES-SORT). */
const OLDEST_FIRST = [{ sort: 'createdAt', direction: 'asc' }, { sort: 'ASC' }, {}] as const;

/** Requests in the first way that the gateway does not refuse, and in that way from then on. Once a way is answered, it is not what the gateway refuses. */
const firstAccepted = <Way>([first, ...others]: readonly [Way, ...Way[]]) => {
  let way = first;
  let isAccepted = false;
  const request = async <T>(ask: (way: Way) => Promise<T>): Promise<T> => {
    try {
      const answer = await ask(way);
      isAccepted = true;
      return answer;
    } catch (error) {
      const next = !isAccepted && isRefused(error) ? others.shift() : undefined;
      if (next === undefined) throw error;
      way = next;
      return request(ask);
    }
  };
  return request;
};

/** What is landed of a list that reports its total, and whether to read it from its start again. */
type OffsetStart = Pick<OffsetWalk<WireRecord, Receipt>, 'known' | 'gone' | 'newest' | 'isFull' | 'place'>;

/** Trades, oldest first if the gateway can. */
export const tradeWalk = (source: Source, start: OffsetStart): RecordWalk => {
  const { pageMax } = STREAMS.trades;
  let seen: number | undefined;
  let longest = 1; // a gateway may return fewer than requested
  const inOrder = firstAccepted(OLDEST_FIRST);
  return walkOffset({
    ...about(source, 'trades'),
    ...start,
    pageLimit: pageMax,
    fetch: async (offset) => {
      const left = seen === undefined ? undefined : Math.max(1, Math.ceil((seen - offset) / longest));
      const { page, receipt } = await inOrder((order) =>
        source.gateway.call(CONTRACT.trading.trades, {
          ...acting(source),
          query: { limit: pageMax, offset, ...order },
          left,
        }),
      );
      longest = Math.max(longest, page.rows.length);
      seen = page.total;
      return { rows: page.rows, total: page.total, proof: receipt };
    },
  });
};

/** Earn movements of one wallet. */
export const earnMovementWalk = (source: Source, walletId: string, start: OffsetStart): RecordWalk =>
  walkOffset({
    ...about(source, 'earn-movements'),
    ...start,
    pageLimit: STREAMS['earn-movements'].pageMax,
    fetch: async (offset) => {
      const query = { limit: STREAMS['earn-movements'].pageMax, offset };
      const { page, receipt } = await source.gateway.call(CONTRACT.earn.walletMovements, {
        ...acting(source),
        path: { walletId },
        query,
      });
      return { rows: page.rows, total: page.total, proof: receipt };
    },
  });

/** Wallet transactions from the newest (or from the stored place of an interrupted walk) back to `until`, or to the end. */
export const walletTransactionWalk = (
  source: Source,
  place: string | null,
  until: string | null,
): RecordWalk =>
  walkCursor({
    ...about(source, 'wallet-transactions'),
    isSendable,
    place: readPlace(place),
    until,
    fetch: async (cursor) => {
      const query = { limit: STREAMS['wallet-transactions'].pageMax, ...(cursor !== null && { cursor }) };
      const { page, receipt } = await source.gateway.call(CONTRACT.wallet.transactions, {
        ...acting(source),
        query,
      });
      const { rows, next, hasNextPage } = page;
      return { rows, next, hasNextPage, proof: receipt };
    },
  });
