// The extraction of one entity. A product that the entity does not have is a note; an operation refused while others
// answer is a finding; every other failure ends the entity's night.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { FailedError } from '../src/base/errors.ts';
import {
  type LandedStream,
  type Product,
  STREAM_NAMES,
  STREAMS,
  type StreamName,
  streamsOf,
} from '../src/base/streams.ts';
import { acting, type Source, type TimeLimit } from '../src/extract/extract.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import type { Failure } from '../src/gateway/errors.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import type { Destination } from '../src/land/pages.ts';
import { peopleKey } from '../src/privacy/people.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import type { Beside } from './beside.ts';
import type { Entity } from './entities.ts';

/** One entity's extraction. `isFull` reads every list again from its start. */
export type Extraction = {
  readonly work: Work;
  readonly gateway: ReadGateway;
  readonly entity: Entity;
  readonly isFull: boolean;
  /** Whether the lists may be skipped if nothing changed since they were read; not if a person requested this reading. */
  readonly maySkip?: boolean;
  /** The time limit for all walks over one list, and its clock. */
  readonly perList: Pick<TimeLimit, 'limitMs' | 'clockMs'>;
  /** The booking beside this reading, if there is one. */
  readonly beside?: Beside | undefined;
  /** To call once the balances have shown that the key belongs to these books. */
  readonly known: () => void;
};

/** What every request for an entity needs. */
export type Asking = Pick<Extraction, 'work' | 'gateway' | 'entity'> & {
  readonly source: Source;
  readonly key: Buffer;
  readonly answered: GatewayAnswers;
};

/** What all readings of one entity share. */
export type Context = Extraction &
  Asking & {
    /** The streams that move money of which a list was not read to its end: its time was over, or a cursor was refused. */
    readonly cutShort: Set<StreamName>;
  };

export const askingOf = async (
  { work, gateway, entity }: Pick<Extraction, 'work' | 'gateway' | 'entity'>,
  answered: GatewayAnswers,
): Promise<Asking> => ({
  work,
  gateway,
  entity,
  source: { gateway, ...acting(entity) },
  key: await peopleKey(work.db, entity.id),
  answered,
});

/** Whether the gateway has answered this key at all in this run, and the entities for which it refused an operation. */
export type GatewayAnswers = { isAny: boolean; readonly refused: Set<string> };

/**
 * The failures that another night meets again: the gateway does not do this, or not for this key. A block (423) and a second factor may
 * be lifted: they end the reading of the entity.
 */
const REFUSED: readonly Failure[] = ['refused', 'invalid', 'redirected'];

/** Calls a product's operation; null if the entity does not have the product or the gateway refuses it. */
export const askProduct = async <T>(
  context: Asking,
  operation: string,
  ask: () => Promise<T>,
): Promise<T | null> => {
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
        detail: `not offered to this entity: ${error.operation} answers 404`,
      });
      return null;
    }
    if (!REFUSED.includes(error.failure) || !answered.isAny) throw error;
    answered.refused.add(entity.id);
    await report(work.db, work.run, {
      entity: entity.id,
      subject: operation,
      detail: `refused, so none of its data is read, or not all (${error.message})`,
    });
    return null;
  }
};

/** The product whose balances an operation lists. */
const BALANCES: Readonly<Record<string, Product>> = {
  'trading-balance': 'trading',
  pockets: 'pocket',
  'earn-wallets': 'earn',
};

/** The product and the streams that an operation is about. */
const subjectOf = (
  operation: string,
): { readonly product: Product; readonly streams: readonly StreamName[] } => {
  const stream = STREAM_NAMES.find((name) => name === operation);
  if (stream) return { product: STREAMS[stream].product, streams: [stream] };
  const product = BALANCES[operation];
  assert(product, `neither a stream nor a list of balances: ${operation}`);
  return { product, streams: streamsOf(product) };
};

/** The prefix of each product's accounts; the accounts of bots start like those of trading. */
const ACCOUNTS = {
  trading: 'assets:trading',
  pocket: 'assets:pocket:',
  earn: 'assets:earn',
} as const satisfies Record<Product, string>;

/**
 * Whether the absence of a product hides data: it is in the books, landed but not booked, or in a balance of this run. A
 * product that was used once and is now empty is not a finding.
 */
const isKnown = async ({ work, entity }: Asking, operation: string): Promise<boolean> => {
  const { product, streams } = subjectOf(operation);
  const { rows } = await sql<{ known: boolean }>`
    select exists (select from books.balances where entity_id = ${entity.id} and starts_with(account, ${ACCOUNTS[product]}))
      or exists (select from land.inbox where entity_id = ${entity.id} and stream = any(${streams}::text[]))
      or exists (
        select from land.snapshots join land.balances using (entity_id, request_id)
        where entity_id = ${entity.id} and run_id = ${work.run.id}::uuid and product = ${product} and total <> 0
      ) as known`.execute(work.db);
  return rows[0]?.known ?? false;
};

/** Where to land the records of a stream. */
export const destination = (
  { work, entity, key }: Asking,
  stream: LandedStream,
  scope = '',
): Destination => ({
  db: work.db,
  run: work.run,
  entity: entity.id,
  stream,
  scope,
  key,
});
