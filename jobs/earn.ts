// Earn movements: the list of each wallet, and the list over all of them, which proves that no wallet is missing. On a quiet
// night its count alone, one request, proves every wallet. Movements of wallets that are not listed land in their wallet's scope.
import { sql } from 'kysely';
import { ID_MAX, keyText } from '../src/base/key-text.ts';
import { STREAMS } from '../src/base/streams.ts';
import { isoOf } from '../src/base/time.ts';
import { together } from '../src/base/together.ts';
import { acting, hasNoPage, type RecordWalk, readWhole } from '../src/extract/extract.ts';
import type { OffsetPage } from '../src/extract/offset-pages.ts';
import type { Cover } from '../src/extract/step.ts';
import type { Receipt } from '../src/gateway/client.ts';
import { CONTRACT, type WireRow } from '../src/gateway/contract/contract.ts';
import { GatewayError, REQUEST_REFUSED } from '../src/gateway/gateway.ts';
import { landWalk, notFinal } from '../src/land/land.ts';
import { report } from '../src/run/run.ts';
import { type Context, destination } from './extraction.ts';

type EarnReading = {
  /** The listed wallets; for the list over all of them, those whose own lists were read. */
  readonly wallets: readonly string[];
  /** On a first night and a full reading, every list is read even if nothing shows that it has changed. */
  readonly isDue: boolean;
  /** Reads the list of one wallet; null if the gateway refuses it. */
  readonly readWallet: (walletId: string) => Promise<unknown>;
};

type MovementPage = OffsetPage<WireRow, Receipt>;

const STREAM = 'earn-movements';
const idOf = (row: WireRow): string => keyText(String(row[STREAMS[STREAM].id]), ID_MAX);
/** The wallet of a movement, which is its scope; a movement that names none has a scope of its own. */
const walletOf = ({ walletId }: WireRow): string =>
  typeof walletId === 'string' ? keyText(walletId, ID_MAX) : '';

/** Reads what may have changed: nothing but a count on a quiet night, otherwise each wallet, then the list over all. */
export const readEarn = async (context: Context, reading: EarnReading): Promise<void> => {
  const before = await countsByScope(context);
  if (before.size === 0 && reading.wallets.length === 0 && !reading.isDue) return;
  const scopes = [...new Set([...before.keys(), ...reading.wallets])];
  const mayBeQuiet = !reading.isDue && !(await mayHaveChanged(context, scopes));
  const since = isoOf(context.gateway.nowMs());
  const page = mayBeQuiet ? await firstPage(context) : undefined;
  if (page?.total === sumOf(before, 'listed') && (await areLanded(context, page))) {
    for (const scope of scopes)
      await cover(context, scope, { page, since, counted: before.get(scope)?.listed ?? 0 });
    return;
  }
  const read = await together(reading.wallets.map(reading.readWallet));
  const wallets = reading.wallets.filter((_, index) => read[index] !== null); // of the others the list over all is read
  if (page !== null) await readAllEarn(context, { ...reading, wallets });
};

/** Compares the list over all wallets with what is landed, lands what is missing, and reports a difference that stays. */
export const readAllEarn = async (context: Context, reading: EarnReading): Promise<void> => {
  const before = await countsByScope(context);
  const since = isoOf(context.gateway.nowMs());
  const page = await firstPage(context);
  if (page === null) return;
  const isWhole =
    page.total > sumOf(before, 'listed') ||
    !(await areLanded(context, page)) ||
    (await mayHaveChanged(context, unlisted(before, reading)));
  const total = isWhole ? await landWhole(context, page, reading) : page.total;
  const counts = await countsByScope(context);
  const landed = sumOf(counts, 'landed');
  if (total < sumOf(counts, 'listed') || total > landed) return reportTotal(context, total, landed);
  for (const scope of unlisted(counts, reading))
    await cover(context, scope, { page, since, counted: counts.get(scope)?.listed ?? 0 });
};

/** Whether a page shows no movement that took the place of a landed one, which leaves the count as it was. */
const areLanded = async (context: Context, { rows }: MovementPage): Promise<boolean> => {
  const scopes = await scopesOf(context, rows.map(idOf));
  return rows.every((row) => scopes.has(idOf(row)));
};

type Counted = { readonly page: MovementPage; readonly since: string; readonly counted: number };

/** All counted movements are landed, and so those of one wallet: as many as are listed. */
const cover = (context: Context, scope: string, { page, since, counted: total }: Counted): Promise<void> =>
  landPage(context, scope, {
    rows: [],
    proof: page.proof,
    total,
    covers: { from: null, to: since, proof: 'list', total },
  });

/** The wallets with landed movements whose own lists were not read. */
const unlisted = (counts: ScopeCounts, { wallets }: EarnReading): string[] =>
  [...counts.keys()].filter((scope) => !wallets.includes(scope));

/** On a full reading, and while a movement is not final: the count does not change when its status does. */
const mayHaveChanged = async (
  { work, entity, isFull }: Context,
  scopes: readonly string[],
): Promise<boolean> => {
  if (isFull) return scopes.length > 0;
  const open = await Promise.all(
    scopes.map((scope) => notFinal(work.db, { entity: entity.id, stream: STREAM, scope }, 'infinity')),
  );
  return open.some((late) => late.length > 0);
};

/** Null if the gateway does not offer the list. One that refuses it, or does not take these parameters, is a note. */
const firstPage = async (context: Context): Promise<MovementPage | null> => {
  try {
    return await fetchPage(context, 0);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.failure === 'missing') return null;
    if (![...REQUEST_REFUSED, 'invalid'].includes(error.failure)) throw error;
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

const fetchPage = async ({ gateway, source }: Context, offset: number): Promise<MovementPage> => {
  const query = { limit: STREAMS[STREAM].pageMax, ...(offset > 0 && { offset }) };
  const { page, receipt } = await gateway.call(CONTRACT.earn.movements, {
    ...acting(source),
    query,
  });
  return { rows: page.rows, total: page.total, proof: receipt };
};

/** Of each list: the distinct landed movements, and how many of them were listed when it was last proved. */
type ScopeCounts = ReadonlyMap<string, { readonly landed: number; readonly listed: number }>;

const countsByScope = async ({ work, entity }: Context): Promise<ScopeCounts> => {
  const { rows } = await sql<{ scope: string; landed: number; gone: number }>`
    select c.scope, c.landed, coalesce(p.landed - p.total, 0) as gone
    from land.coverage c left join books_internal.proved_totals p using (entity_id, stream, scope)
    where c.entity_id = ${entity.id} and c.stream = ${STREAM} and c.landed > 0
    order by c.scope collate "C"`.execute(work.db);
  return new Map(rows.map(({ scope, landed, gone }) => [scope, { landed, listed: landed - gone }]));
};

const sumOf = (counts: ScopeCounts, field: 'landed' | 'listed'): number =>
  [...counts.values()].reduce((total, count) => total + count[field], 0);

/**
 * Reads the whole list. What is of a wallet that is not listed lands in that wallet's scope; a wallet with a movement that
 * came after its own list was read is read again. Returns the last count of the gateway.
 */
const landWhole = async (
  context: Context,
  first: MovementPage,
  { wallets, readWallet }: EarnReading,
): Promise<number> => {
  const { pages, total } = await readPages(context, first);
  const rows = pages.flatMap((page) => page.rows);
  const scopes = await scopesOf(context, rows.map(idOf));
  const isNew = (row: WireRow) => !scopes.has(idOf(row));
  const isIn = (scope: string) => (row: WireRow) =>
    walletOf(row) === scope && (scopes.get(idOf(row)) ?? scope) === scope;
  for (const scope of new Set(rows.map(walletOf))) {
    if (!wallets.includes(scope)) await landScope(context, scope, pages, isIn(scope));
    else if (rows.some((row) => isNew(row) && walletOf(row) === scope)) await readWallet(scope);
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
  const fetch = async (offset: number): Promise<MovementPage> => {
    if (offset === 0) return first;
    if (clockMs() >= endMs) {
      context.cutShort.add(STREAM);
      return { ...first, rows: [] };
    }
    const page = await fetchPage(context, offset);
    pages.push(page);
    return page;
  };
  const { total } = await readWhole(fetch, idOf, hasNoPage);
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
  yield { page: { ...page, isFull: false }, ...(covers && { covers, resume: null }) };
}

const reportTotal = ({ work, entity }: Context, total: number, landed: number): Promise<void> =>
  report(work.db, work.run, {
    entity: entity.id,
    severity: landed > total ? 'note' : 'finding',
    subject: `${STREAM}: total`,
    detail:
      landed > total
        ? `${landed - total} of ${landed} landed movements are not in the list over all Earn wallets; they stay in the books`
        : `the list over all Earn wallets counts ${total} movements, ${landed} distinct ones are landed; run npx tieout nightly --full`,
  });
