// Walks over the streams that move no money: whole lists, each in one answer, and records requested by their names.
import type { WireRecord } from '../base/streams.ts';
import { isoOf } from '../base/time.ts';
import type { Receipt } from '../gateway/client.ts';
import { CONTRACT } from '../gateway/contract/contract.ts';
import { acting, type RecordWalk, type Source } from './extract.ts';

type FoundRows = { readonly page: { readonly rows: readonly WireRecord[] }; readonly receipt: Receipt };

/** One answer that shows all of a list as it is now. */
async function* wholeList(source: Source, fetch: () => Promise<FoundRows>): RecordWalk {
  const before = isoOf(source.gateway.nowMs());
  const { page, receipt } = await fetch();
  const { rows } = page;
  yield {
    page: { rows, proof: receipt, isFull: false, total: rows.length },
    covers: { from: null, to: before, proof: 'list', total: rows.length },
  };
}

/** One answer about records that were requested by name; it proves nothing about others. */
async function* byName(fetch: () => Promise<FoundRows>): RecordWalk {
  const { page, receipt } = await fetch();
  yield { page: { rows: page.rows, proof: receipt, isFull: false } };
}

/** A row with the names that it is known by, where it does not repeat them: a null or an empty text names nothing. */
const knownBy = (row: WireRecord, names: WireRecord): WireRecord => {
  const missing = Object.entries(names).filter(([field]) => (row[field] ?? '') === '');
  return { ...row, ...Object.fromEntries(missing) };
};

/** Every row with the parameters of its request, which name it together with what it says itself. */
const requestedBy = ({ page, receipt }: FoundRows, parameters: WireRecord): FoundRows => ({
  page: { rows: page.rows.map((row) => knownBy(row, parameters)) },
  receipt,
});

/** The entries of the address book that are validating or verified. */
export const addressBookWalk = (source: Source): RecordWalk =>
  wholeList(source, () => source.gateway.call(CONTRACT.funding.addressBook, acting(source)));

/** The social-pay orders sent and received. */
export const socialPayWalk = (source: Source): RecordWalk =>
  wholeList(source, () => source.gateway.call(CONTRACT.socialPay.orders, acting(source)));

/** The deposit addresses of a pocket on a network. One that is still being made has no address, and is left for later. */
export const depositAddressWalk = (source: Source, pocketId: string, network: string): RecordWalk =>
  wholeList(source, async () => {
    const query = { walletPocketId: pocketId, network };
    const { page, receipt } = await source.gateway.call(CONTRACT.funding.depositAddresses, {
      ...acting(source),
      query,
    });
    const rows = page.rows.filter(({ address }) => typeof address === 'string' && address !== '');
    return requestedBy({ page: { rows }, receipt }, { pocketId });
  });

/** The reference of a pocket for bank transfers. */
export const pocketReferenceWalk = (source: Source, pocketId: string): RecordWalk =>
  byName(async () => {
    const query = { pocketId };
    const answer = await source.gateway.call(CONTRACT.funding.pocketReference, { ...acting(source), query });
    return requestedBy(answer, { pocketId });
  });

/** The status of a teller order; an unknown one is pending. */
export const tellerOrderWalk = (source: Source, orderId: string): RecordWalk =>
  byName(async () => {
    const query = { id: orderId };
    const answer = await source.gateway.call(CONTRACT.teller.orderStatus, { ...acting(source), query });
    return requestedBy(answer, { orderId });
  });

/** Orders by their ids, at most ORDERS_MAX; without ids those that are open or wait for their stop price. */
export const tradingOrderWalk = (source: Source, ids: readonly string[]): RecordWalk =>
  byName(() => {
    const chosen = ids.length > 0 ? { ids: ids.join(',') } : { status_in: 'open,inactive' };
    const query = { ...chosen, limit: ORDERS_MAX };
    return source.gateway.call(CONTRACT.trading.orders, { ...acting(source), query });
  });

/** The most orders of one answer (A-ORDERS). */
export const ORDERS_MAX = 100;

/** The orders of loans, page by page, to their total or until a page shows none that the walk has not seen. */
export async function* loanOrderWalk(source: Source): RecordWalk {
  const seen = new Set<string>();
  for (let offset = 0; ; ) {
    const query = { limit: LOANS_MAX, offset };
    const { page, receipt } = await source.gateway.call(CONTRACT.loan.orders, { ...acting(source), query });
    const fresh = page.rows.filter(({ id }) => !seen.has(String(id)));
    for (const { id } of fresh) seen.add(String(id));
    yield { page: { rows: page.rows, proof: receipt, isFull: false, offset } };
    offset += page.rows.length;
    if (fresh.length === 0 || (page.total !== null && offset >= page.total)) return;
  }
}

/** The orders of loans that one page is requested with (A-LOANS). */
const LOANS_MAX = 100;

/** The metadata of every asset, testnet and delisted ones included. */
export const assetWalk = (source: Source): RecordWalk =>
  wholeList(source, async () => {
    const { page, receipt } = await source.gateway.call(CONTRACT.currency.assets, {});
    const rows = Object.entries(page.assets).map(([symbol, asset]) => knownBy(asset, { symbol }));
    return { page: { rows }, receipt };
  });
