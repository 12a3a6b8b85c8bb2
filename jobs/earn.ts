// Earn movements over all wallets: the proof that no wallet is missing from the list of wallets. One request a night compares
// the count of that list with what is landed. Movements of wallets that are not listed land in the scope of their wallet.
import { sql } from 'kysely';
import { storable } from '../src/base/json.ts';
import { STREAMS } from '../src/base/streams.ts';
import { isoOf } from '../src/base/time.ts';
import { type RecordWalk, readWhole } from '../src/extract/extract.ts';
import type { OffsetPage } from '../src/extract/offset.ts';
import type { Cover } from '../src/extract/step.ts';
import type { Receipt } from '../src/gateway/client.ts';
import { CONTRACT, type WireRow } from '../src/gateway/contract/contract.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { landWalk, notFinal } from '../src/land/land.ts';
import { report } from '../src/run/run.ts';
import { type Context, destination } from './extraction.ts';

type EarnReading = {
  /** The wallets whose own lists were read. */
  readonly wallets: readonly string[];
  /** On a first night and a full reading, the list is read even if nothing shows that there is any Earn wallet. */
  readonly isDue: boolean;
  /** Reads the list of one of them again. */
  readonly again: (walletId: string) => Promise<unknown>;
};

type MovementPage = OffsetPage<WireRow, Receipt>;

const STREAM = 'earn-movements';
const idOf = (row: WireRow): string => storable(String(row[STREAMS[STREAM].id]));
/** The wallet of a movement, which is its scope; a movement that names none has a scope of its own. */
const walletOf = ({ walletId }: WireRow): string => (typeof walletId === 'string' ? storable(walletId) : '');

/** Compares the list over all wallets with what is landed, lands what is missing, and reports a difference that stays. */
export const readAllEarn = async (context: Context, reading: EarnReading): Promise<void> => {
  const before = await landedByScope(context);
  if (before.size === 0 && reading.wallets.length === 0 && !reading.isDue) return;
  const since = isoOf(context.gateway.nowMs());
  const first = await firstPage(context);
  if (first === null) return;
  const isWhole = first.total > countOf(before) || (await mayHaveChanged(context, unlisted(before, reading)));
  const total = isWhole ? await landWhole(context, first, reading) : first.total;
  const landed = await landedByScope(context);
  if (countOf(landed) !== total) return reportTotal(context, total, countOf(landed));
  // All counted movements are landed, and so those of each wallet.
  for (const scope of unlisted(landed, reading)) {
    const counted = landed.get(scope) ?? 0;
    await landPage(context, scope, {
      rows: [],
      proof: first.proof,
      total: counted,
      covers: { from: null, to: since, proof: 'list', total: counted },
    });
  }
};

/** The wallets with landed movements whose own lists were not read. */
const unlisted = (landed: ReadonlyMap<string, number>, { wallets }: EarnReading): string[] =>
  [...landed.keys()].filter((scope) => !wallets.includes(scope));

/** On a full reading, and while a movement is not final: the count does not change when its status does. */
const mayHaveChanged = async (
  { work, entity, isFull }: Context,
  scopes: readonly string[],
): Promise<boolean> => {
  const open = await Promise.all(
    scopes.map((scope) => notFinal(work.db, { entity: entity.id, stream: STREAM, scope }, 'infinity')),
  );
  return open.some((late) => isFull || late.length > 0);
};

/** Null if the gateway does not offer the list. One that refuses it, or does not take these parameters, is a note. */
const firstPage = async (context: Context): Promise<MovementPage | null> => {
  try {
    return await fetchPage(context, 0);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.failure === 'missing') return null;
    if (!['refused', 'invalid'].includes(error.failure)) throw error;
    const { work, entity } = context;
    await report(work.db, work.run, {
      entity: entity.id,
      severity: 'note',
      subject: CONTRACT.earn.movements.name,
      detail: `nothing shows whether the list of Earn wallets is complete (${error.message})`,
    });
    return null;
  }
};

const fetchPage = async (
  { gateway, source: { subaccount } }: Context,
  offset: number,
): Promise<MovementPage> => {
  const query = { limit: STREAMS[STREAM].pageMax, ...(offset > 0 && { offset }) };
  const { page, receipt } = await gateway.call(CONTRACT.earn.movements, {
    ...(subaccount !== undefined && { subaccount }),
    query,
  });
  return { rows: page.rows, total: page.total, proof: receipt };
};

/** The number of distinct landed movements of each list. */
const landedByScope = async ({ work, entity }: Context): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ scope: string; count: number }>`
    select scope, count(*)::int as count from land.records
    where entity_id = ${entity.id} and stream = ${STREAM} and version = 1
    group by scope order by scope collate "C"`.execute(work.db);
  return new Map(rows.map(({ scope, count }) => [scope, count]));
};

const countOf = (landed: ReadonlyMap<string, number>): number =>
  [...landed.values()].reduce((total, count) => total + count, 0);

/**
 * Reads the whole list. What is of a wallet that is not listed lands in that wallet's scope; a wallet with a movement that
 * came after its own list was read is read again. Returns the last count of the gateway.
 */
const landWhole = async (
  context: Context,
  first: MovementPage,
  { wallets, again }: EarnReading,
): Promise<number> => {
  const { pages, total } = await readPages(context, first);
  const rows = pages.flatMap((page) => page.rows);
  const scopes = await scopesOf(context, rows.map(idOf));
  const isNew = (row: WireRow) => !scopes.has(idOf(row));
  const isIn = (scope: string) => (row: WireRow) =>
    walletOf(row) === scope && (scopes.get(idOf(row)) ?? scope) === scope;
  for (const scope of new Set(rows.map(walletOf))) {
    if (!wallets.includes(scope)) await landScope(context, scope, pages, isIn(scope));
    else if (rows.some((row) => isNew(row) && walletOf(row) === scope)) await again(scope);
  }
  return total;
};

/** Every page of the list; fewer if the time of one list is over, and then the count differs, which is a finding. */
const readPages = async (
  context: Context,
  first: MovementPage,
): Promise<{ readonly pages: readonly MovementPage[]; readonly total: number }> => {
  const { clockMs, limitMs } = context.perList;
  const endMs = clockMs() + limitMs;
  const pages: MovementPage[] = [first];
  const { total } = await readWhole(async (offset) => {
    if (offset === 0) return first;
    if (clockMs() >= endMs) return { ...first, rows: [] };
    const page = await fetchPage(context, offset);
    pages.push(page);
    return page;
  }, idOf);
  return { pages, total };
};

/** The scopes in which movements are landed already. */
const scopesOf = async (
  { work, entity }: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ record_id: string; scope: string }>`
    select record_id, scope from land.records
    where entity_id = ${entity.id} and stream = ${STREAM} and version = 1
      and record_id = any(${ids}::text[])`.execute(work.db);
  return new Map(rows.map(({ record_id, scope }) => [record_id, scope]));
};

/** Lands movements of one wallet, page by page, each with the request that showed it. */
const landScope = async (
  context: Context,
  scope: string,
  pages: readonly MovementPage[],
  isIn: (row: WireRow) => boolean,
): Promise<void> => {
  for (const { rows, proof } of pages) {
    const found = rows.filter(isIn);
    if (found.length > 0) await landPage(context, scope, { rows: found, proof });
  }
};

type LandedPage = Omit<MovementPage, 'total'> & { readonly total?: number; readonly covers?: Cover };

const landPage = async (context: Context, scope: string, page: LandedPage): Promise<void> => {
  await landWalk(destination(context, STREAM, scope), walkOf(page), () => {});
};

async function* walkOf({ covers, ...page }: LandedPage): RecordWalk {
  yield { page: { ...page, isFull: false }, ...(covers && { covers }) };
}

const reportTotal = ({ work, entity }: Context, total: number, landed: number): Promise<void> =>
  report(work.db, work.run, {
    entity: entity.id,
    subject: `${STREAM}: total`,
    detail:
      landed > total
        ? `${landed - total} of ${landed} landed movements are not in the list over all Earn wallets; they stay in the books`
        : `the list over all Earn wallets counts ${total} movements, ${landed} distinct ones are landed; run npx tieout nightly --full`,
  });
