// Extract and land, for one entity: balances before, every stream, balances after. A product that an entity does not
// have is noted; an operation refused while others answer is a finding; weather ends the entity's night.
import { FailedError } from '../src/errors.ts';
import {
  earnMovementWalk,
  movementWalk,
  type RecordWalk,
  type Source,
  tradeWalk,
  walletTransactionReads,
  walletTransactionWalk,
} from '../src/extract/extract.ts';
import type { Gateway } from '../src/gateway/client.ts';
import {
  earnWallets,
  type Operation,
  pockets,
  tradingBalance,
  type WireRow,
} from '../src/gateway/contract.ts';
import { GatewayError } from '../src/gateway/errors.ts';
import { landReading, type Phase, type Product } from '../src/land/balances.ts';
import { type Destination, landWalk, peopleKey } from '../src/land/land.ts';
import {
  isProvedBefore,
  keptPlace,
  type List,
  landedCount,
  notFinal,
  readAgainFrom,
  windowsToWalk,
} from '../src/land/plan.ts';
import { report } from '../src/run.ts';
import type { StreamName } from '../src/streams.ts';
import { isoOf, msOf } from '../src/time.ts';
import type { Entity } from './entities.ts';
import type { Work } from './work.ts';

/** One entity's extraction. `isFull` reads every list again from its start. */
export type Extraction = {
  readonly work: Work;
  readonly gateway: Gateway;
  readonly entity: Entity;
  readonly isFull: boolean;
};

type Context = Extraction & { readonly source: Source; readonly key: Buffer; readonly answered: Answered };
type Answered = { isAny: boolean };

const HOUR_MS = 3_600_000;

/** Reads everything the gateway knows of an entity that is not landed yet. Throws GatewayError for weather. */
export const extract = async (extraction: Extraction, answered: Answered): Promise<void> => {
  const { work, gateway, entity } = extraction;
  const source = { gateway, ...(entity.subaccount !== undefined && { subaccount: entity.subaccount }) };
  const full = await fullness(extraction);
  const context = {
    ...extraction,
    isFull: full === 'due',
    source,
    key: await peopleKey(work.db, entity.id),
    answered,
  };
  const before = await readBalances(context, 'before');
  await offered(context, 'movements', () => readMovements(context, before.trading ?? []));
  await offered(context, 'trades', () => readTrades(context));
  await offered(context, 'wallet-transactions', () => readWalletTransactions(context));
  for (const { walletId } of before.earn ?? []) {
    await offered(context, 'earn-movements', () => readEarnMovements(context, String(walletId)));
  }
  await readBalances(context, 'after');
  if (full !== 'recent') await noteFullRead(extraction);
};

const DAY_MS = 86_400_000;

/** Whether every list is to be read from its start: asked for, or due by its age. A first night does so by itself. */
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
  return msOf(row.full_read_at) < gateway.nowMs() - work.config.fullDays * DAY_MS ? 'due' : 'recent';
};

const noteFullRead = ({ work, gateway, entity }: Extraction) =>
  work.db
    .updateTable('run.entities')
    .set({ full_read_at: isoOf(gateway.nowMs()) })
    .where('entity_id', '=', entity.id)
    .execute();

type Readings = { [product in Product]?: readonly WireRow[] };

const readBalances = async (context: Context, phase: Phase): Promise<Readings> => ({
  ...(await readBalance(context, phase, {
    product: 'trading',
    operation: tradingBalance,
    query: { amountFormat: 'string' },
  })),
  ...(await readBalance(context, phase, { product: 'pocket', operation: pockets })),
  ...(await readBalance(context, phase, { product: 'earn', operation: earnWallets })),
});

type Balance = {
  readonly product: Product;
  readonly operation: Operation<{ rows: WireRow[] }>;
  readonly query?: Record<string, string>;
};

const readBalance = async (
  context: Context,
  phase: Phase,
  { product, operation, query = {} }: Balance,
): Promise<Readings> => {
  const rows = await offered(context, operation.name, async () => {
    const { page, receipt } = await context.gateway.call(operation, { ...acting(context), query });
    await landReading(context.work.db, destination(context, 'movements'), {
      product,
      phase,
      rows: page.rows,
      receipt,
    });
    return page.rows;
  });
  return rows === null ? {} : { [product]: rows };
};

const acting = ({ entity }: Context) =>
  entity.subaccount === undefined ? {} : { subaccount: entity.subaccount };

/** Does what a product's operation answers to; null where the entity does not have it or the key may not ask. */
const offered = async <T>(context: Context, operation: string, ask: () => Promise<T>): Promise<T | null> => {
  const { work, entity, answered } = context;
  try {
    const result = await ask();
    answered.isAny = true;
    return result;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (error.failure === 'refused' && !answered.isAny) {
      throw new FailedError(
        `the gateway refuses this key: check GATEWAY_API_KEY and GATEWAY_API_SECRET (${error.message})`,
      );
    }
    if (error.failure === 'missing') {
      const severity = (await isKnown(context, operation)) ? 'finding' : 'note';
      await report(work.db, work.run, {
        entity: entity.id,
        severity,
        subject: operation,
        detail: `not offered to this entity (${error.message})`,
      });
      return null;
    }
    if (error.failure !== 'refused') throw error;
    await report(work.db, work.run, {
      entity: entity.id,
      subject: operation,
      detail: `refused, so nothing of it is known (${error.message})`,
    });
    return null;
  }
};

/** Which records speak of a product: one that has them and is no longer offered is a finding. */
const STREAM_OF: Record<string, StreamName> = {
  'trading-balance': 'movements',
  pockets: 'wallet-transactions',
  'earn-wallets': 'earn-movements',
};

const isKnown = async ({ work, entity }: Context, operation: string): Promise<boolean> => {
  const row = await work.db
    .selectFrom('land.records')
    .select('record_id')
    .where('entity_id', '=', entity.id)
    .where('stream', '=', STREAM_OF[operation] ?? operation)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

const destination = ({ work, entity, key }: Context, stream: StreamName, scope = ''): Destination => ({
  db: work.db,
  run: work.run,
  entity: entity.id,
  stream,
  scope,
  key,
});

const landed = async (context: Context, walk: RecordWalk, { stream, scope }: List): Promise<void> => {
  const { work, entity } = context;
  const tell = (done: boolean) => (tally: { pages: number; rows: number; fresh: number; changed: number }) =>
    work.tell({ event: done ? 'stream' : 'page', entity: entity.id, stream, scope, ...tally });
  tell(true)(await landWalk(destination(context, stream, scope), walk, tell(false)));
};

const listOf = ({ entity }: Context, stream: StreamName, scope = ''): List => ({
  entity: entity.id,
  stream,
  scope,
});

const again = (context: Context, list: List): Promise<string | null> =>
  context.isFull
    ? Promise.resolve(null)
    : readAgainFrom(context.work.db, list, context.work.config.lagHours[list.stream] * HOUR_MS);

const readMovements = async (context: Context, wallets: readonly WireRow[]): Promise<void> => {
  const list = listOf(context, 'movements');
  const words = {
    currencies: [...new Set(wallets.map((row) => String(row.currency)))],
    wallets: wallets.map((row) => String(row.id)),
  };
  for (const window of await windowsToWalk(context.work.db, list, await again(context, list))) {
    await landed(context, movementWalk(context.source, window, words), list);
  }
};

const readTrades = async (context: Context): Promise<void> => {
  const list = listOf(context, 'trades');
  await landed(
    context,
    tradeWalk(context.source, await landedCount(context.work.db, list), context.isFull),
    list,
  );
};

const readEarnMovements = async (context: Context, walletId: string): Promise<void> => {
  const list = listOf(context, 'earn-movements', walletId);
  const known = await landedCount(context.work.db, list);
  await landed(context, earnMovementWalk(context.source, walletId, { known, isFull: context.isFull }), list);
};

const readWalletTransactions = async (context: Context): Promise<void> => {
  const { db } = context.work;
  const list = listOf(context, 'wallet-transactions');
  const place = await keptPlace(db, list);
  if (place !== null)
    await unlessStale(context, () =>
      landed(context, walletTransactionWalk(context.source, place, null), list),
    );
  const since = await again(context, list);
  const until = since !== null && (await isProvedBefore(db, list, since)) ? since : null;
  const walk = () => landed(context, walletTransactionWalk(context.source, null, until), list);
  if (!(await unlessStale(context, walk))) await walk();
  const late = until === null ? [] : await notFinal(db, list, until);
  if (late.length > 0) await landed(context, walletTransactionReads(context.source, late), list);
};

/**
 * Walks on, unless the gateway no longer takes a cursor that it gave; that is said, and the walk from the newest reads
 * what is missing. Returns whether the walk came to its end.
 */
const unlessStale = async ({ work, entity }: Context, walk: () => Promise<void>): Promise<boolean> => {
  try {
    await walk();
    return true;
  } catch (error) {
    const isStale =
      error instanceof GatewayError &&
      ['invalid', 'missing'].includes(error.failure) &&
      /[?&]cursor=/.test(error.target);
    if (!isStale) throw error;
    const detail = `a cursor no longer serves, so the list is read again from the newest (${error.message})`;
    await report(work.db, work.run, {
      entity: entity.id,
      severity: 'note',
      subject: 'wallet-transactions',
      detail,
    });
    return false;
  }
};
