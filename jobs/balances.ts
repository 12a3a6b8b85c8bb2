// Reads an entity's balances before and after its streams, because the gateway has no as-of.
import type { Product } from '../src/base/streams.ts';
import { acting, hasNoPage, readWhole } from '../src/extract/extract.ts';
import { CONTRACT, earnWalletId, type WireRow } from '../src/gateway/contract/contract.ts';
import type { ReadOperation } from '../src/gateway/contract/operation.ts';
import type { Phase } from '../src/land/balances.ts';
import { landReading } from '../src/land/land.ts';
import { report } from '../src/run/run.ts';
import { type Asking, askProduct, destination } from './extraction.ts';

type Readings = { [product in Product]?: readonly WireRow[] };

/** Reads and lands every list of balances. */
export const readBalances = async (context: Asking, phase: Phase): Promise<Readings> => ({
  ...(await readBalance(context, phase, {
    product: 'trading',
    operation: CONTRACT.trading.balance,
    query: { amountFormat: 'string' },
  })),
  ...(await readBalance(context, phase, { product: 'pocket', operation: CONTRACT.wallet.pockets })),
  ...(await readBalance(context, phase, {
    product: 'earn',
    operation: CONTRACT.earn.wallets,
    idOf: earnWalletId,
  })),
});

/**
 * Reports an entity without any list of balances: nothing of it can be compared. An id that the gateway does not know answers so
 * (assumption A-SUBACCOUNTS). Refused lists are findings already.
 */
export const mustReport = async ({ work, entity, answered }: Asking, balances: Readings): Promise<void> => {
  if (Object.keys(balances).length > 0 || answered.refused.has(entity.id)) return;
  const detail =
    'every list of balances answers 404, so nothing of this entity is compared: check GATEWAY_BASE_URL, and its id in GATEWAY_ENTITIES';
  await report(work.db, work.run, { entity: entity.id, subject: 'balances', detail });
};

type Balance = {
  readonly product: Product;
  readonly operation: ReadOperation<{ rows: WireRow[]; total?: number }>;
  readonly idOf?: (row: WireRow) => string;
  readonly query?: Record<string, string>;
};

const readBalance = async (
  context: Asking,
  phase: Phase,
  { product, operation, idOf = ({ id }) => String(id), query = {} }: Balance,
): Promise<Readings> => {
  const rows = await askProduct(context, operation.name, async () => {
    const fetch = async (offset: number) => {
      const pageQuery = { ...query, ...(offset > 0 && { offset }) };
      const { page, receipt } = await context.gateway.call(operation, {
        ...acting(context.source),
        query: pageQuery,
      });
      return { ...page, proof: receipt };
    };
    const list = await readWhole(fetch, idOf, hasNoPage);
    const { rows, proofs: receipts } = list;
    const to = { ...destination(context, 'movements'), ...acting(context.entity) };
    await landReading(context.work.db, to, { product, phase, rows, receipts });
    await mustBeWhole(context, operation.name, list);
    return rows;
  });
  return rows === null ? {} : { [product]: rows };
};

/** Reports a list whose count differs from its rows. One that exceeds them hides a balance and its movements. */
const mustBeWhole = async (
  { work, entity }: Asking,
  subject: string,
  { rows, total }: { readonly rows: readonly WireRow[]; readonly total: number },
): Promise<void> => {
  if (total === rows.length) return;
  const why = total > rows.length ? 'a balance may be missing' : 'ask the platform which is right';
  const detail = `the gateway counts ${total} and lists ${rows.length}: ${why}`;
  await report(work.db, work.run, { entity: entity.id, subject, detail });
};
