// Fees of own transfers: what did not arrive of one, entered by a person. The entry names a record of the transfer, so that the lots and
// their cost follow the units.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { compare } from '../base/money.ts';
import { order } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import { EXTERNAL_BLOCKCHAIN, EXTERNAL_PERSON } from '../ledger/accounts.ts';
import type { Content } from './proposal.ts';

type Proposed = { readonly entity: string; readonly content: Content };

/** A transfer of which less arrived than was sent, by the entity's own record of it, and what of that nobody has entered yet. */
type ShortTransfer = {
  readonly stream: string;
  readonly record_id: string;
  readonly missing: string;
  readonly arrived_at: string;
};

type Fee = { readonly currency: string; readonly amount: string };

/** The fee that an entry books of units that left for one of our own accounts; null if it books anything else. */
const feeOf = ({ action, legs: [leg, ...others] }: Content): Fee | null => {
  if (action !== 'adjust' || !leg || others.length > 0) return null;
  const [debit, credit, currency, amount] = leg;
  const isFee = debit.startsWith('expenses:fees:') && [EXTERNAL_PERSON, EXTERNAL_BLOCKCHAIN].includes(credit);
  return isFee ? { currency, amount } : null;
};

const shortTransfers = async (
  db: Kysely<DB>,
  entity: string,
  { currency }: Fee,
): Promise<readonly ShortTransfer[]> => {
  const { rows } = await sql<ShortTransfer>`
    select own.stream, own.record_id, greatest(k.from_at, k.to_at) as arrived_at,
      trim_scale(k.amount_out - k.amount_in - books_internal.fee_entered(k.from_entity, k.from_entry_id, k.currency))::text as missing
    from books.own_transfers k
    cross join lateral (
      select k.from_stream as stream, k.from_record_id as record_id where k.from_entity = ${entity}
      union all
      select k.to_stream, k.to_record_id where k.to_entity = ${entity} and k.from_entity <> ${entity}
    ) as own
    where k.stands and k.currency = ${currency} and k.amount_in < k.amount_out
    order by k.to_at, own.record_id`.execute(db);
  return rows;
};

/** Why a fee is not that of a transfer; null if nothing speaks against it. */
const faultOf = (
  { record_id, missing, arrived_at }: ShortTransfer,
  { currency, amount }: Fee,
  { effective_at }: Content,
): string | null => {
  if (compare(amount, missing) > 0)
    return `of transfer ${record_id} ${missing} ${currency} did not arrive, and ${amount} ${currency} are entered`;
  return order(effective_at, arrived_at) < 0
    ? `transfer ${record_id} arrived at ${arrived_at}: use that date or a later one for its fee`
    : null;
};

const notShort = (record: string, { currency }: Fee): string =>
  `${record.slice(0, 120)} is no record of an own transfer of which less ${currency} arrived than was sent: see books.own_transfers`;

/**
 * The content with the record of the transfer whose fee it books: the named one, otherwise the only one that lacks as much. Throws a
 * UsageError if there is none of that name, or if several lack as much.
 */
export const withTransfer = async (
  db: Kysely<DB>,
  { entity, content }: Proposed,
  recordId: string | undefined,
): Promise<Content> => {
  const fee = feeOf(content);
  if (fee === null && recordId !== undefined)
    throw new UsageError(
      '--transfer needs one leg that books as a fee what did not arrive, such as "expenses:fees:network <- equity:external:person 0.01 BTC"',
    );
  if (fee === null) return content;
  const isMeant = (transfer: ShortTransfer) =>
    recordId === undefined ? faultOf(transfer, fee, content) === null : transfer.record_id === recordId;
  const meant = (await shortTransfers(db, entity, fee)).filter(isMeant);
  const [transfer] = meant;
  if (meant.length > 1) {
    const names = meant.slice(0, 5).map(({ record_id, missing }) => `${record_id} (${missing})`);
    throw new UsageError(
      `${meant.length} own transfers lack as much ${fee.currency} (${names.join(', ')}): name one with --transfer`,
    );
  }
  if (!transfer && recordId !== undefined) throw new UsageError(notShort(recordId, fee));
  if (!transfer) return content;
  const { stream, record_id } = transfer;
  return { ...content, description: `fee of own transfer ${stream} ${record_id}`, stream, record_id };
};

/** Why the entry cannot be posted as the fee of the transfer that it names; null if nothing prevents it, or if it names none. */
export const notToCharge = async (db: Kysely<DB>, { entity, content }: Proposed): Promise<string | null> => {
  const { record_id: record } = content;
  const fee = feeOf(content);
  if (fee === null || record === undefined) return null;
  const transfer = (await shortTransfers(db, entity, fee)).find(({ record_id }) => record_id === record);
  return transfer ? faultOf(transfer, fee, content) : notShort(record, fee);
};
