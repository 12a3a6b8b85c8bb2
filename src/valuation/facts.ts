// Facts beside the legs: the value that a record reports, and the cost of opening units.
import { type Kysely, sql } from 'kysely';
import { type Atto, attoOf, readAmount } from '../base/money.ts';
import { isoOf, msOf } from '../base/time.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { CONVERSION, REWARDS } from '../ledger/accounts.ts';
import type { Event, OpeningLot } from './event.ts';
import type { EventRow } from './event-row.ts';
import { pricesOf } from './prices.ts';
import { ratesBetween } from './rates.ts';

export type Facts = Pick<Event, 'costEuro' | 'convertedAmount' | 'openings'>;
type Name = Pick<EventRow, 'entity_id' | 'stream' | 'record_id' | 'version'>;

const key = ({ entity_id, stream, record_id, version }: Name): string =>
  `${entity_id}\n${stream}\n${record_id}\n${version}`;

/** The facts of a batch of entries, by entry. Records are read only if a value may depend on them. */
export const factsOf = async (
  tx: Kysely<DB>,
  rows: readonly EventRow[],
  reporting: string,
): Promise<(row: EventRow) => Facts> => {
  const reported = await readReportedValues(
    tx,
    rows.filter((row) => hasReportedValue(row, reporting)),
    reporting,
  );
  const openings = await openingsOf(
    tx,
    rows.filter(({ kind }) => kind === 'manual'),
    reporting,
  );
  return (row) => {
    const { costEuro = null, convertedAmount = null } = reported.get(key(row)) ?? {};
    const opened = openings.get(`${row.entity_id} ${row.record_id}`) ?? NO_OPENINGS;
    return { costEuro, convertedAmount, openings: opened };
  };
};

const NO_OPENINGS: Facts['openings'] = new Map();

/** Whether the value may depend on the record: a trade of two coins, or a reward. */
const hasReportedValue = ({ kind, credits, debits, currencies }: EventRow, reporting: string): boolean =>
  credits.includes(REWARDS) ||
  (kind === 'trade' &&
    !currencies.some(
      (currency, nth) => currency === reporting && [credits[nth], debits[nth]].includes(CONVERSION),
    ));

type ReportedRow = Name & { cost_euro: string | null; converted: string | null };

const readReportedValues = async (tx: Kysely<DB>, rows: readonly EventRow[], reporting: string) => {
  const names = rows.map(({ entity_id, stream, record_id, version }) => ({
    entity_id,
    stream,
    record_id,
    version,
  }));
  const { rows: reported } = await sql<ReportedRow>`
    select entity_id, stream, record_id, version, j ->> 'costEuro' as cost_euro,
      case when j #>> '{convertedAmount,currency}' = ${reporting} then j #>> '{convertedAmount,value}' end as converted
    from ${unnest(names, { entity_id: 'text', stream: 'text', record_id: 'text', version: 'integer' })}
    cross join lateral (
      select r.payload::jsonb as j from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (input.entity_id, input.stream, input.record_id, input.version)
      limit 1
    ) as parsed`.execute(tx);
  return new Map(
    reported.map((row) => [
      key(row),
      { costEuro: amountIn(row.cost_euro), convertedAmount: amountIn(row.converted) },
    ]),
  );
};

const amountIn = (text: string | null): Atto | null => {
  const read = text === null ? null : readAmount(text);
  return read && 'amount' in read ? attoOf(read.amount) : null;
};

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
