// A ledger of ten million postings, made in the database by ledger.sql: entries, legs and daily summary.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/root.ts';
import { inSession } from '../../src/database/connection.ts';

/**
 * Fills an empty, migrated database: rows in the order of their keys and then the keys, entries and legs in parallel
 * on two cores; then the summary, from its view.
 */
export const buildLedger = async (url: string): Promise<void> => {
  const run = (...statements: readonly string[]) =>
    inSession(url, 'bench', async (session) => {
      await session.query(
        "set synchronous_commit = off; set work_mem = '128MB'; set maintenance_work_mem = '256MB'",
      );
      for (const statement of statements) await session.query(statement);
    });
  await run(readFileSync(join(packageRoot, 'test/bench/ledger.sql'), 'utf8'), WITHOUT_KEYS);
  await Promise.all([run(...ENTRIES), run(...TRANSFERS)]);
  await run(
    'alter table ledger.transfers add foreign key (entity_id, entry_id) references ledger.entries',
    'insert into ledger.daily select * from ledger.daily_sums order by 1, 2, 3, 4, 5',
    'insert into ledger.totals select * from ledger.total_sums',
    'drop table public.told',
    'vacuum analyze ledger.entries, ledger.transfers, ledger.daily, ledger.totals',
  );
};

const WITHOUT_KEYS = `
  alter table ledger.transfers drop constraint transfers_entity_id_entry_id_fkey, drop constraint transfers_pkey;
  alter table ledger.entries drop constraint entries_pkey, drop constraint entries_entity_id_stream_record_id_ordinal_key`;

const ENTRIES = [
  `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
     rule_version, description)
   select entity_id, entry_id, at, recorded_at, to_char(at, 'YYYY-MM'), case when is_trade then 'trade' else 'movement' end,
     case when is_trade then 'trades' else 'movements' end, name::uuid::text, 1, 1, 1,
     case when is_trade then 'sell' else 'deposit wallet' end
   from public.told`,
  'alter table ledger.entries add primary key (entity_id, entry_id)',
  'alter table ledger.entries add unique (entity_id, stream, record_id, ordinal)',
];

const TRANSFERS = [
  `insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
   select entity_id, entry_id, leg.leg, leg.debit, leg.credit, leg.currency, leg.amount
   from public.told
   cross join lateral (
     select ('{BTC,ETH,EUR,SOL,ADA,XRP,DOT,LINK,USDT,AVAX,LTC}'::text[])[1 + chance % 11] as coin,
       round((chance % 1000000007 + 1) / 1e8, 8) as amount
   ) as drawn
   cross join lateral (values
     (true, 1, 'equity:conversion', 'assets:trading', coin, amount),
     (true, 2, 'assets:trading', 'equity:conversion', 'USDC', amount * 7.25),
     (true, 3, 'expenses:fees:trading', 'assets:trading', 'USDC', amount * 0.001),
     (false, 1, 'assets:trading', 'assets:clearing:trading', coin, amount)
   ) as leg (of_trade, leg, debit, credit, currency, amount)
   where leg.of_trade = is_trade`,
  'alter table ledger.transfers add primary key (entity_id, entry_id, leg)',
];
