// Books to normalize into: emptied before each test, with queries on them.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import type { WritableEntityBooks } from '../../src/normalize/booking.ts';
import { type NormalizeTally, normalize } from '../../src/normalize/normalize.ts';
import { instantAt, openStage, type Stage } from '../land/stage.ts';

export const BOOKS: WritableEntityBooks = { entity: 'main', timezone: 'UTC', currency: 'EUR' };

const LANDED = 'land.records, land.people, land.inbox, land.coverage, land.requests, land.pockets';

/** Books of a test file, closed with it. `stage` exists while its tests run. */
export const openBooks = () => {
  let opened: Stage | undefined;
  const stage = (): Stage => {
    if (!opened) throw new Error('the books are opened before the first test, not before the file');
    return opened;
  };
  beforeAll(async () => {
    opened = await openStage();
  });
  afterAll(() => opened?.close());
  beforeEach(async () => {
    await stage().rows(
      `truncate ${LANDED}, ledger.entries, ledger.transfers, ledger.daily, ledger.totals, ledger.outcomes cascade`,
    );
    await stage().rows(
      'update run.entities set timezone = null, currency = null, fiscal_year_start = 1, platform_class = null',
    );
  });
  return {
    stage,
    tell: (...[stream, ...rows]: Parameters<Stage['tell']>) => stage().tell(stream, ...rows),
    rows: (sql: string) => stage().rows(sql),
    book: (books: Partial<WritableEntityBooks> = {}, onBatch?: (tally: NormalizeTally) => void) =>
      normalize(stage().db, { ...BOOKS, ...books }, onBatch ? { onBatch } : {}),
    balances: async (): Promise<Record<string, unknown>> =>
      Object.fromEntries(
        (await stage().rows('select account, currency, balance from books.balances')).map((row) => [
          `${row.account} ${row.currency}`,
          row.balance,
        ]),
      ),
  };
};

/** A withdrawal to a bank as the gateway reports it at one moment. */
export const withdrawal = (status: string, rest: WireRecord = {}): WireRecord => ({
  id: 'w1',
  date: instantAt(0),
  status,
  completedAt: status === 'completed' ? instantAt(60) : null,
  origin: { class: 'pocket', pocketId: 'p1', amount: '100', currency: 'EUR' },
  destination: { class: 'bank-transfer', amount: '99', currency: 'EUR' },
  ...rest,
});
