// Facts beside the legs: what a record says that it was worth, and what an opening's units had cost.
import { type Kysely, sql } from 'kysely';
import { type Atto, attoOf, readAmount } from '../base/money.ts';
import { isoOf, msOf } from '../base/time.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { CONVERSION, REWARDS } from '../ledger/accounts.ts';
import type { Event, OpeningLot } from './event.ts';
import { pricesOf } from './prices.ts';
import { ratesBetween } from './rates.ts';
import type { EventRow } from './reading.ts';

type Facts = Pick<Event, 'costEuro' | 'convertedAmount' | 'openings'>;
type Name = Pick<EventRow, 'entity_id' | 'stream' | 'record_id' | 'version'>;

const key = ({ entity_id, stream, record_id, version }: Name): string =>
  [entity_id, stream, record_id, version].join('\n');

/** Facts of a batch of entries, by entry: records are asked for only where a value may depend on them. */
export const factsOf = async (
  tx: Kysely<DB>,
  rows: readonly EventRow[],
  reporting: string,
): Promise<(row: EventRow) => Facts> => {
  const told = await toldBy(
    tx,
    rows.filter((row) => isTold(row, reporting)),
    reporting,
  );
  const openings = await openingsOf(
    tx,
    rows.filter(({ kind }) => kind === 'manual'),
    reporting,
  );
  return (row) => ({
    ...(told.get(key(row)) ?? { costEuro: null, convertedAmount: null }),
    openings: openings.get(`${row.entity_id} ${row.record_id}`) ?? new Map(),
  });
};

/** A trade of two coins, or a reward. */
const isTold = ({ kind, credits, debits, currencies }: EventRow, reporting: string): boolean =>
  credits.includes(REWARDS) ||
  (kind === 'trade' &&
    !currencies.some((it, nth) => it === reporting && [credits[nth], debits[nth]].includes(CONVERSION)));

type ToldRow = Name & { cost_euro: string | null; converted: string | null };

const toldBy = async (tx: Kysely<DB>, rows: readonly EventRow[], reporting: string) => {
  const names = rows.map(({ entity_id, stream, record_id, version }) => ({
    entity_id,
    stream,
    record_id,
    version,
  }));
  const { rows: told } = await sql<ToldRow>`
    select entity_id, stream, record_id, version, j ->> 'costEuro' as cost_euro,
      case when j #>> '{convertedAmount,currency}' = ${reporting} then j #>> '{convertedAmount,value}' end as converted
    from ${unnest(names, { entity_id: 'text', stream: 'text', record_id: 'text', version: 'integer' })}
    cross join lateral (
      select r.payload::jsonb as j from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (given.entity_id, given.stream, given.record_id, given.version)
      limit 1
    ) as parsed`.execute(tx);
  return new Map(
    told.map((row) => [
      key(row),
      { costEuro: amountIn(row.cost_euro), convertedAmount: amountIn(row.converted) },
    ]),
  );
};

const amountIn = (text: string | null): Atto | null => {
  const read = text === null ? null : readAmount(text);
  return read && 'amount' in read ? attoOf(read.amount) : null;
};

type LotRow = {
  entity_id: string;
  proposal_id: string;
  leg: number;
  cost: string | null;
  cost_currency: string | null;
  acquired_on: string | null;
};

/** The lots of openings: their legs stand in the same order. */
const openingsOf = async (tx: Kysely<DB>, rows: readonly EventRow[], reporting: string) => {
  const openings = new Map<string, Map<number, OpeningLot>>();
  if (rows.length === 0) return openings;
  const { rows: lots } = await sql<LotRow>`
    select p.entity_id, p.proposal_id, nth::int as leg, lot ->> 'cost' as cost, lot ->> 'cost_currency' as cost_currency,
      lot ->> 'acquired_on' as acquired_on
    from decide.proposals p
    cross join lateral jsonb_array_elements(p.content::jsonb -> 'lots') with ordinality as lots (lot, nth)
    where p.proposal_id = any(${rows.map(({ record_id }) => record_id)}::text[]) and p.action = 'open'`.execute(
    tx,
  );
  for (const row of lots) {
    if (row.acquired_on === null) continue;
    const of = openings.get(`${row.entity_id} ${row.proposal_id}`) ?? new Map<number, OpeningLot>();
    openings.set(`${row.entity_id} ${row.proposal_id}`, of);
    const acquiredAt = isoOf(msOf(`${row.acquired_on}T00:00:00Z`));
    const at = msOf(acquiredAt) * 1_000;
    of.set(row.leg, { acquiredAt, at, cost: await costIn(tx, row, { reporting, at }) });
  }
  return openings;
};

const DAY_MICROS = 86_400_000_000;

/** A cost in another currency is what that was worth when the day ended; null where it has no rate. */
export const costIn = async (
  tx: Kysely<DB>,
  { cost, cost_currency: currency }: Pick<LotRow, 'cost' | 'cost_currency'>,
  { reporting, at }: { readonly reporting: string; readonly at: number },
): Promise<Atto | null> => {
  if (cost === null || currency === null) return null;
  if (currency === reporting) return attoOf(cost);
  const end = at + DAY_MICROS;
  const rates = await ratesBetween(tx, { reporting, currencies: [currency], from: at, to: end });
  return pricesOf(reporting, rates)(currency, end)?.worthOf(attoOf(cost)) ?? null;
};
