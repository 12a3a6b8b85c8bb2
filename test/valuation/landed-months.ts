// Months of books that are made of landed records: a night, a seal, and a reopening that returns what came late.
import { beforeEach } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { returnLate } from '../../src/ledger/ledger.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { openBooks } from '../normalize/books.ts';

const VALUES = { timezone: 'UTC', currency: 'EUR' };

/** Books of a test file, empty before each test. */
export const landedMonths = () => {
  const books = openBooks();
  const valued = () => derive(books.stage().db, VALUES);
  beforeEach(() => books.rows('truncate decide.reopenings, decide.seals, ledger.returns cascade'));
  return {
    books,
    night: async (...rows: readonly WireRecord[]): Promise<void> => {
      await books.tell('wallet-transactions', ...rows);
      await books.book();
      await valued();
    },
    sealed: (month: string) =>
      books.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
        select 'main', '${month}', 1, max(request_id), 0, repeat('0', 64), '{}', 'Ada', now() from land.requests`),
    reopened: async (month: string): Promise<number> => {
      await books.rows(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
        select 'main', '${month}', 1, max(request_id), 'Grace', 'r', now() from land.requests`);
      const entries = await returnLate(books.stage().db, { entity: 'main', whose: 'records' });
      await valued();
      return entries;
    },
  };
};
