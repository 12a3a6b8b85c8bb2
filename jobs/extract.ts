// Extracts and lands one entity: balances, every stream, balances again.
import type { StreamName } from '../src/base/streams.ts';
import { DAY_MS, isoOf, msOf } from '../src/base/time.ts';
import { together } from '../src/base/together.ts';
import { earnMovementWalk, movementWalk, tradeWalk } from '../src/extract/extract.ts';
import type { Interval } from '../src/extract/step.ts';
import { earnWalletId, type WireRow } from '../src/gateway/contract/contract.ts';
import { isPathPart } from '../src/gateway/gateway.ts';
import { landedAbove, landedBelow, landedSoFar, notFinal, windowsToWalk } from '../src/land/land.ts';
import type { Late } from '../src/land/plan.ts';
import { databaseTime, type NightReading, report } from '../src/run/run.ts';
import { hasCapitalMoved, readSupplements } from './answers.ts';
import { mustReport, readBalances } from './balances.ts';
import { readEarn } from './earn.ts';
import { askingOf, askProduct, type Context, type Extraction, type GatewayAnswers } from './extraction.ts';
import { landList, readAgain, readingOf } from './lists.ts';
import { reasonToRead } from './lists-due.ts';
import { readOrders, readReferences } from './references.ts';
import { readWalletTransactions } from './wallet-transactions.ts';

/**
 * What was read of an entity, and the reading of the orders that its trades name, to be called once: they move no money, so the
 * records may be booked, valued and drafted beside it.
 */
export type EntityReading = NightReading & { readonly explain: () => Promise<void> };

/**
 * Reads the balances and lists of an entity that have not landed yet, or only its balances if nothing can have changed. Throws
 * GatewayError for failures that may pass.
 */
export const extract = async (extraction: Extraction, answered: GatewayAnswers): Promise<EntityReading> => {
  const { work, entity } = extraction;
  const beganAt = await databaseTime(work.db);
  const full = await fullness(extraction);
  const asking = await askingOf(extraction, answered);
  const context = { ...extraction, ...asking, isFull: full === 'due', cutShort: new Set<StreamName>() };
  const before = await readBalances(context, 'before');
  await mustReport(context, before);
  extraction.known();
  const reason = await reasonToRead(extraction, full);
  if (reason === null) return { beganAt, reason, isFull: false, explain: async () => {} };
  const capitalMoved = await hasCapitalMoved(context);
  const wallets = await earnWalletIds(context, before.earn ?? []);
  const readWallet = (walletId: string) =>
    askProduct(context, 'earn-movements', () => readEarnMovements(context, walletId));
  const others = together([
    askProduct(context, 'wallet-transactions', () => readWalletTransactions(context)).then(() =>
      readReferences(context),
    ),
    askProduct(context, 'movements', () => readMovements(context, before.trading ?? [])),
    ...(before.earn ? [readEarn(context, { wallets, isDue: full !== 'recent', readWallet })] : []),
  ]).then(([references]) => {
    extraction.beside?.onlyTradesLeft();
    return references;
  });
  const trades = askProduct(context, 'trades', () => readTrades(context));
  const [references] = await together([others, trades]);
  await readBalances(context, 'after');
  if (before.trading) await readSupplements(context, { capitalMoved });
  const explain = async () => {
    await readOrders(context, references);
    const isWhole = context.cutShort.size === 0 && !answered.refused.has(entity.id);
    if (full !== 'recent' && isWhole) await noteFullRead(extraction);
  };
  return { beganAt, reason, isFull: context.isFull, explain };
};

/** Reads the balances of an entity, which shows whether the key belongs to these books. Throws a UsageError if not. */
export const proveKey = async (
  extraction: Pick<Extraction, 'work' | 'gateway' | 'entity'>,
  isAny = false,
): Promise<void> =>
  void (await readBalances(await askingOf(extraction, { isAny, refused: new Set() }), 'before'));

/** Whether to read every list from its start: because it was requested, or is due by age. A first night always does. */
const fullness = async ({
  work,
  gateway,
  entity,
  isFull,
}: Extraction): Promise<'first' | 'due' | 'recent'> => {
  const row = await work.db
    .selectFrom('run.entities')
    .select('full_read_at')
    .where('entity_id', '=', entity.id)
    .executeTakeFirst();
  if (isFull) return 'due';
  if (!row?.full_read_at) return 'first';
  const ageMs = gateway.nowMs() - msOf(row.full_read_at);
  // A time in the future comes from a wrong clock and does not show the age of the reading.
  return ageMs < -DAY_MS || ageMs > work.config.fullDays * DAY_MS ? 'due' : 'recent';
};

const noteFullRead = ({ work, gateway, entity }: Extraction) =>
  work.db
    .updateTable('run.entities')
    .set({ full_read_at: isoOf(gateway.nowMs()) })
    .where('entity_id', '=', entity.id)
    .execute();

const readMovements = async (context: Context, wallets: readonly WireRow[]): Promise<void> => {
  const reading = readingOf(context, 'movements');
  const { list, source } = reading;
  const words = {
    currencies: [...new Set(wallets.map((row) => String(row.currency)))],
    wallets: wallets.map((row) => String(row.id)),
  };
  const since = await readAgain(context, list);
  const late = since === null ? [] : await notFinal(context.work.db, list, since);
  for (const window of await windowsToWalk(context.work.db, list, since)) {
    const above = window.to === null ? [] : await landedAbove(context.work.db, list, window.to);
    const below = window.from === null ? [] : await landedBelow(context.work.db, list, window.from);
    await landList(context, movementWalk(source, { window, above, below }, words), reading);
  }
  for (const window of instantsOf(late))
    await landList(context, movementWalk(source, { window }, words), reading);
};

/** Movements cannot be requested by id, so the millisecond of each one is read again. */
const instantsOf = (late: readonly Late[]): Interval[] => {
  const starts = new Set(late.flatMap(({ recordAt }) => (recordAt === null ? [] : [msOf(recordAt)])));
  return [...starts].map((ms) => ({ from: isoOf(ms), to: isoOf(ms + 1) }));
};

const readTrades = async (context: Context): Promise<void> => {
  const reading = readingOf(context, 'trades');
  const soFar = await landedSoFar(context.work.db, reading.list);
  await landList(context, tradeWalk(reading.source, { ...soFar, isFull: context.isFull }), reading);
};

/**
 * The wallets whose movements can be requested. An id that does not fit in a path is a finding and affects only its own
 * list.
 */
const earnWalletIds = async ({ work, entity }: Context, wallets: readonly WireRow[]): Promise<string[]> => {
  const ids = [...new Set(wallets.map(earnWalletId))];
  for (const id of ids.filter((one) => !isPathPart(one))) {
    const detail = `the wallet ${JSON.stringify(id.slice(0, 80))} has an id that does not fit in a request path: its movements are not read`;
    await report(work.db, work.run, { entity: entity.id, subject: 'earn-wallets', detail });
  }
  return ids.filter(isPathPart);
};

const readEarnMovements = async (context: Context, walletId: string): Promise<void> => {
  const reading = readingOf(context, 'earn-movements', walletId);
  const { list, source } = reading;
  const soFar = await landedSoFar(context.work.db, list);
  // The count does not change when a movement is completed or cancelled, and movements cannot be requested by id.
  const open = await notFinal(context.work.db, list, 'infinity');
  const isFull = context.isFull || open.length > 0;
  await landList(context, earnMovementWalk(source, walletId, { ...soFar, isFull }), reading);
};
