// The lists of a seeded world as the gateway would page them: the text of each answer, and the steps of each walk.
import { sha256 } from '../../src/base/json.ts';
import { STREAM_NAMES, STREAMS, type StreamName, type WireRecord } from '../../src/base/streams.ts';
import { DAY_MS, isoOf } from '../../src/base/time.ts';
import type { Cover, WalkStep } from '../../src/extract/step.ts';
import type { Receipt } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { worldOf } from '../../src/sandbox/sandbox.ts';
import { exact, type WireObject, writeJson } from '../../src/sandbox/wire-json.ts';
import type { Listed, World } from '../../src/sandbox/world.ts';

/** One page: the text of the answer, and its place in its list. */
export type WirePage = {
  readonly stream: StreamName;
  readonly scope: string;
  readonly body: string;
  readonly step: Omit<WalkStep<WireRecord, Receipt>, 'page'> & {
    readonly page: Omit<NonNullable<WalkStep<WireRecord, Receipt>['page']>, 'rows'>;
  };
};

/** The operation that lists each stream. */
export const LISTS = {
  movements: CONTRACT.trading.movements,
  trades: CONTRACT.trading.trades,
  'wallet-transactions': CONTRACT.wallet.transactions,
  'earn-movements': CONTRACT.earn.walletMovements,
} as const satisfies Record<StreamName, unknown>;

const DAYS = 60;

/** A world of about `records` records in sixty days; the chapters of one history follow each other. */
export const chapterOf = (records: number, chapter: number): World =>
  worldOf({
    seed: chapter + 1,
    days: DAYS,
    perDay: Math.ceil(records / DAYS),
    entities: 1,
    until: isoOf(Date.UTC(2012, 0, 1) + chapter * (DAYS + 1) * DAY_MS),
  });

/** Every page of a world's lists, list by list. */
export const pagesOf = (world: World): WirePage[][] =>
  STREAM_NAMES.flatMap((stream) => listsOf(world, stream).map((list) => listPages(world, list)));

type WireList = { readonly stream: StreamName; readonly scope: string; readonly rows: readonly Listed[] };

const listsOf = (world: World, stream: StreamName): WireList[] => {
  const rows = world.rows('main', stream);
  if (!STREAMS[stream].isPerItem) return [{ stream, scope: '', rows }];
  const scopes = [...new Set(rows.map(({ scope = '' }) => scope))];
  return scopes.map((scope) => ({ stream, scope, rows: rows.filter((row) => row.scope === scope) }));
};

/** Lists by offset are read oldest first, the others newest first. */
const listPages = (world: World, { stream, scope, rows }: WireList): WirePage[] => {
  const isByOffset = stream === 'trades' || stream === 'earn-movements';
  const ordered = isByOffset ? rows : rows.toReversed();
  const size = STREAMS[stream].pageMax;
  const count = Math.max(1, Math.ceil(ordered.length / size));
  return Array.from({ length: count }, (_, nth) => {
    const page = ordered.slice(nth * size, (nth + 1) * size);
    const place = { nth, isLast: nth === count - 1, size, total: rows.length };
    const body = bodyOf(stream, page, place);
    const proof = receiptOf(`/${stream}?page=${nth}`, body, world.now());
    return { stream, scope, body, step: stepOf(stream, { page, place, proof, world, ordered }) };
  });
};

type PagePlace = {
  readonly nth: number;
  readonly isLast: boolean;
  readonly size: number;
  readonly total: number;
};

const bodyOf = (stream: StreamName, page: readonly Listed[], { isLast, nth, total }: PagePlace): string => {
  const data: WireObject[] = page.map(({ body }) => body);
  if (stream === 'movements') return writeJson(data);
  const pageInfo = { hasNextPage: !isLast, endCursor: isLast ? null : `cursor ${nth}` };
  const count = exact(String(total));
  return writeJson(stream === 'wallet-transactions' ? { data, pageInfo } : { total: count, count, data });
};

const receiptOf = (target: string, body: string, sentAtMs: number): Receipt => ({
  method: 'GET',
  target,
  status: 200,
  date: isoOf(sentAtMs),
  bodySha256: sha256(body),
  requestId: null,
  sentAtMs,
  tries: 1,
});

type PageStep = {
  readonly page: readonly Listed[];
  readonly place: PagePlace;
  readonly proof: Receipt;
  readonly world: World;
  readonly ordered: readonly Listed[];
};

/** The step of a walk that had this page: windows prove page by page, lists and cursors at their end. */
const stepOf = (stream: StreamName, { page, place, proof, world, ordered }: PageStep): WirePage['step'] => {
  const { nth, isLast, size, total } = place;
  const startMs = world.now() - (DAYS + 1) * DAY_MS;
  const from = isoOf(isLast ? startMs : (page.at(-1)?.at ?? startMs));
  const to = isoOf(nth === 0 ? world.now() : (ordered[nth * size - 1]?.at ?? world.now()));
  const isFull = !isLast;
  const covers = (cover: Cover) => (isLast && cover.from !== cover.to ? { covers: cover } : {});
  if (stream === 'movements')
    return { page: { proof, isFull }, ...(from < to && { covers: { from, to, proof: 'window' } }) };
  const whole = { from: isoOf(startMs), to: isoOf(world.now()) };
  if (stream === 'wallet-transactions') {
    const cursors = {
      cursorIn: nth === 0 ? null : `cursor ${nth - 1}`,
      cursorOut: isLast ? null : `cursor ${nth}`,
    };
    const resume = isLast ? null : JSON.stringify(cursors);
    return { page: { proof, isFull, ...cursors }, ...covers({ ...whole, proof: 'cursor' }), resume };
  }
  return {
    page: { proof, isFull, offset: nth * size, total },
    ...covers({ ...whole, proof: 'list', total }),
  };
};
