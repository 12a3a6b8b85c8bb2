// Facts beside the legs: the value that a record reports, and the cost of opening units.
import { type Kysely, sql } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { isoOf, msOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import { reportedValues } from '../normalize/rules.ts';
import type { Event, OpeningLot } from './event.ts';
import type { EventRow } from './event-row.ts';
import { pricesOf } from './prices.ts';
import { ratesBetween } from './rates.ts';

export type Facts = Pick<Event, 'reportedValue' | 'openings'>;

/** The facts of a batch of entries, each by its position. */
export const factsOf = async (
  tx: Kysely<DB>,
  rows: readonly EventRow[],
  reporting: string,
): Promise<(row: EventRow, nth: number) => Facts> => {
  const values = await reportedValues(tx, rows.map(bookedVersion), reporting);
  const manual = rows.filter(({ kind }) => kind === 'manual');
  const openings = await openingsOf(tx, manual, reporting);
  return ({ entity_id, record_id }, nth) => {
    const value = values[nth] ?? null;
    return {
      reportedValue: value === null ? null : attoOf(value),
      openings: openings.get(`${entity_id} ${record_id}`) ?? NO_OPENINGS,
    };
  };
};

const bookedVersion = (row: EventRow) => ({
  entity_id: row.entity_id,
  stream: row.stream,
  record_id: row.record_id,
  version: row.version,
  kind: row.kind,
  legs: row.currencies.map((currency, nth) => ({
    debit: row.debits[nth] ?? '',
    credit: row.credits[nth] ?? '',
    currency,
  })),
});

const NO_OPENINGS: Facts['openings'] = new Map();

type OpeningLotRow = {
  entity_id: string;
  proposal_id: string;
  leg: number;
  cost: string | null;
  cost_currency: string | null;
  acquired_on: string | null;
};

const openingsOf = async (tx: Kysely<DB>, rows: readonly EventRow[], reporting: string) => {
  const openings = new Map<string, Map<number, OpeningLot>>();
  if (rows.length === 0) return openings;
  const { rows: lots } = await sql<OpeningLotRow>`
    select p.entity_id, p.proposal_id, nth::int as leg, lot ->> 'cost' as cost, lot ->> 'cost_currency' as cost_currency,
      lot ->> 'acquired_on' as acquired_on
    from decide.proposals p
    cross join lateral jsonb_array_elements(p.content::jsonb -> 'lots') with ordinality as lots (lot, nth)
    where p.proposal_id = any(${rows.map(({ record_id }) => record_id)}::text[]) and p.action = 'open'`.execute(
    tx,
  );
  for (const row of lots) {
    if (row.acquired_on === null) continue;
    const entryLots = openings.get(`${row.entity_id} ${row.proposal_id}`) ?? new Map<number, OpeningLot>();
    openings.set(`${row.entity_id} ${row.proposal_id}`, entryLots);
    entryLots.set(row.leg, await acquisitionOf(tx, row, reporting));
  }
  return openings;
};

type AcquiredRow = Pick<OpeningLotRow, 'cost' | 'cost_currency' | 'acquired_on'>;

/** When a lot that a person states was acquired, at the start of its day, and its cost. */
export const acquisitionOf = async (
  tx: Kysely<DB>,
  row: AcquiredRow,
  reporting: string,
): Promise<OpeningLot> => {
  const acquiredAt = isoOf(msOf(`${row.acquired_on}T00:00:00Z`));
  const micros = msOf(acquiredAt) * 1_000;
  return { acquiredAt, micros, cost: await costIn(tx, row, { reporting, micros }) };
};

const DAY_MICROS = 86_400_000_000;

/** A cost in another currency, converted at the end of that day; null if there is no rate. */
const costIn = async (
  tx: Kysely<DB>,
  { cost, cost_currency: currency }: AcquiredRow,
  { reporting, micros }: { readonly reporting: string; readonly micros: number },
): Promise<Atto | null> => {
  if (cost === null || currency === null) return null;
  if (currency === reporting) return attoOf(cost);
  const end = micros + DAY_MICROS;
  const rates = await ratesBetween(tx, { reporting, currencies: [currency], from: micros, to: end });
  return pricesOf(reporting, rates)(currency, end)?.convert(attoOf(cost)) ?? null;
};
