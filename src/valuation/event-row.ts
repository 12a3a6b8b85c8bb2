// A row of the cursor over a taxpayer's entries.
import type { Selectable } from 'kysely';
import { attoOf } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import type { Leg } from './event.ts';

export type EventRow = Omit<
  Selectable<DB['ledger.entries']>,
  'recorded_at' | 'rule_version' | 'original_period' | 'entry_number'
> & {
  booked_in: string;
  micros: string;
  /** When it takes effect: entries with the same text take effect together. */
  instant: string;
  corrected_by: string | null;
  debits: string[];
  credits: string[];
  currencies: string[];
  amounts: string[];
};

export const legsOf = ({
  debits,
  credits,
  currencies,
  amounts,
}: Pick<EventRow, 'debits' | 'credits' | 'currencies' | 'amounts'>): Leg[] =>
  amounts.map((amount, nth) => ({
    leg: nth + 1,
    debit: debits[nth] ?? '',
    credit: credits[nth] ?? '',
    currency: currencies[nth] ?? '',
    units: attoOf(amount),
  }));
