// Transfer fees: what people entered as the fee of a transfer between own accounts that is cancelled, or that stands again once the fee was
// closed without it, or of which more arrived since. The units that it has are not those that the transfer sent, which is a finding.
import type { Kysely } from 'kysely';
import { type Atto, attoOf, attoText } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { StoredLot, StoredValues, TransferFee, ValueFinding } from './event.ts';
import { numbered, ownPlace, type PricedLeg } from './leg-values.ts';
import { lotKeyText } from './lot-queue.ts';
import type { Fraction } from './pool.ts';
import { IN_TRANSIT } from './state.ts';

/** What left of lots in transit as a fee that stands by the end of a month, by lot. */
export type ChargedFees = ReadonlyMap<string, TransferFee>;

type ChargedRow = { entity_id: string; lot_id: string; units: string; fees: string };

export const chargedFees = async (
  tx: Kysely<DB>,
  { lots }: Pick<StoredValues, 'lots'>,
  period: string,
): Promise<ChargedFees> => {
  const sent = lots.filter(({ pool, id }) => pool === IN_TRANSIT.name && id !== '');
  if (sent.length === 0) return new Map();
  const names = { entities: sent.map(({ entity }) => entity), lots: sent.map(({ id }) => id), period };
  const rows = await readRows<ChargedRow>(tx, loadSql('valuation/charged_fees.sql', names));
  return new Map(
    rows.map(({ entity_id: entity, lot_id: id, units, fees }) => [
      lotKeyText({ entity, id }),
      { units: attoOf(units), fees },
    ]),
  );
};

/** A cancelled departure gave back what had left as its fee. The units of it. */
export const reportCharged = (
  { event, values }: EntryValuation,
  { leg, currency }: StoredLot,
  { units, fees }: TransferFee,
): Atto => {
  const detail = `${event.name}: ${attoText(units)} ${currency} of this own transfer had left as its fee (${fees}), so their cost counts twice: reverse the fee`;
  values.findings.push(findingOf({ leg, currency, units, detail }));
  return units;
};

/** Reports a fee whose transfer does not stand, and one that a closed month took for such a fee. */
export const reportTransferFee = ({ event, values }: EntryValuation, leg: PricedLeg): void => {
  if (event.counterpartyTypes.get(leg.leg) === 'lone-fee') {
    const detail = `${event.name}: the own transfer whose fee this is does not stand, so the fee uses none of its lots: reverse the fee if the transfer stays cancelled`;
    values.findings.push(findingOf({ ...numbered(leg), detail }));
  }
  const closed = event.closedFees.get(leg.leg);
  const isKnown = values.findings.some(({ kind, currency }) => kind === KIND && currency === leg.currency);
  if (!closed || isKnown || ownPlace(event, leg) !== IN_TRANSIT) return;
  const detail = `${event.name}: ${attoText(closed.units)} ${leg.currency} of this own transfer are a fee (${closed.fees}) that a closed month valued without its lots, which stay in transit: reopen that month`;
  values.findings.push(findingOf({ ...numbered(leg), units: closed.units, detail }));
};

/** Reports what people entered as a fee of units that arrived after all, because a side of the transfer was corrected since. */
export const reportExcessFee = (
  { event, values }: EntryValuation,
  leg: PricedLeg,
  fractions: readonly Fraction[],
): void => {
  const units = fractions.reduce<Atto>((sum, { lot, units: own }) => (lot === null ? sum + own : sum), 0n);
  if (event.kind !== 'manual' || units === 0n) return;
  const detail = `${event.name}: ${attoText(units)} ${leg.currency} of this fee are not missing from its own transfer any more, so they have no lot: reverse the fee, and enter what is still missing`;
  values.findings.push(findingOf({ ...numbered(leg), units, detail }));
};

const KIND = 'transfer-fee';

const findingOf = (about: Omit<ValueFinding, 'kind' | 'severity'>): ValueFinding => ({
  kind: KIND,
  severity: 'finding',
  ...about,
});
