// Books with a value layer that a test writes itself: a table in place of each view that batches read.
import type { TestDatabase } from '../database.ts';

const MAKE = `
  drop view if exists books.value_postings, books.outside, books.value_findings cascade;
  create table books.value_findings (entity_id text, entry_id uuid, kind text, severity text, currency text, period text, units numeric);
  create table books.value_postings (entity_id text, entry_id uuid, line int, leg int, account text, currency text, units numeric,
    value numeric, posted_at timestamptz, stream text, record_id text);
  create table books.outside (entity_id text, entry_id uuid, leg int, account text, counterparty_type text);
  insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
    ('main', 'main', 'UTC', 'EUR', '2026-01-01T00:00:00Z'), ('other', 'other', 'UTC', 'EUR', '2026-01-01T00:00:00Z')`;

export const makeValueWorld = async ({ pool }: TestDatabase): Promise<void> => {
  await pool.query(MAKE);
};

/** The id of an entry of the test: the same for the same name. */
export const idOf = (name: string): string =>
  `019a0000-0000-8000-8000-${Buffer.from(name.padStart(6, '_')).toString('hex').padStart(12, '0').slice(-12)}`;

/**
 * Adds lines to the value layer of main, such as `2026-10-03 e1 assets:trading BTC 0.5 100.00`; a word after that is the
 * counterparty type.
 */
export const tell = async ({ pool }: TestDatabase, lines: readonly string[]): Promise<void> => {
  for (const [i, text] of lines.entries()) {
    const [day, name = '', account, currency, units, value, counterpartyType] = text.split(/\s+/);
    await pool.query(
      `insert into books.value_postings
       select 'main', $1, $2, $2, $3, $4, $5, $6, $7::timestamptz, 'trades', $8`,
      [idOf(name), i, account, currency, units, value === 'null' ? null : value, `${day}T12:00:00Z`, name],
    );
    if (counterpartyType)
      await pool.query(`insert into books.outside values ('main', $1, $2, $3, $4)`, [
        idOf(name),
        i,
        account,
        counterpartyType,
      ]);
  }
};

/** Reverses all lines of an entry, like a correction at its own instant. */
export const forget = async ({ pool }: TestDatabase, name: string): Promise<void> => {
  await pool.query('delete from books.value_postings where entry_id = $1', [idOf(name)]);
};
