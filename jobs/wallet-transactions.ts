// Wallet transactions: an interrupted walk goes on at its stored cursor, then the newest are read. So several nights share a full
// reading that takes longer than one. A gateway may have forgotten a cursor, and each has its own way to say so: what a request
// without a cursor is answered then decides.
import {
  hasNoPage,
  observed,
  walletTransactionReads,
  walletTransactionWalk,
} from '../src/extract/extract.ts';
import type { Failure } from '../src/gateway/errors.ts';
import { GATEWAY_FAILED, GatewayError, OF_NAME } from '../src/gateway/gateway.ts';
import { isProvedBefore, notFinal, storedPlace } from '../src/land/land.ts';
import { report } from '../src/run/run.ts';
import type { Context } from './extraction.ts';
import { type ListReading, landList, readAgain, readingOf } from './lists.ts';

type WalletReading = ListReading<'wallet-transactions'>;

/** Reads the list from where an interrupted walk stopped, then from the newest record, then single records that are not final. */
export const readWalletTransactions = async (context: Context): Promise<void> => {
  const { db } = context.work;
  const reading = readingOf(context, 'wallet-transactions');
  const { list, source } = reading;
  const place = await storedPlace(db, list);
  const { lost, isWhole } = place === null ? NOTHING_RESUMED : await resume(context, reading, place);
  const since = await readAgain({ ...context, isFull: context.isFull && !isWhole }, list);
  const until = since !== null && (await isProvedBefore(db, list, since)) ? since : null;
  await readNewest(context, reading, until);
  if (lost !== null) await noteLostCursor(context, lost);
  const late = until === null ? [] : await notFinal(db, list, until);
  if (late.length === 0) return;
  const ids = late.map(({ recordId }) => recordId);
  await landList(context, walletTransactionReads(source, ids), reading);
};

/** The failures by which a gateway may answer a cursor that it has forgotten. */
const FORGOTTEN: readonly Failure[] = [...OF_NAME, 'refused', ...GATEWAY_FAILED];

/** How the walk from a stored cursor ended. */
type Resumed = {
  /** Why the gateway does not answer that cursor. */
  readonly lost: GatewayError | null;
  /** Whether the end of the list was reached, so that the interrupted walk and this one have read all of it. */
  readonly isWhole: boolean;
};

const NOTHING_RESUMED: Resumed = { lost: null, isWhole: false };

/**
 * Goes on at a stored cursor. If the gateway does not answer that cursor, the walk from the newest record then reads everything, or
 * shows that the gateway answers nothing.
 */
const resume = async (context: Context, reading: WalletReading, place: string): Promise<Resumed> => {
  let [isAnswered, isWhole] = [false, false];
  const walk = observed(walletTransactionWalk(reading.source, place, null), ({ covers }) => {
    isAnswered = true;
    isWhole ||= covers?.from === null;
  });
  try {
    await landList(context, walk, reading);
    return { lost: null, isWhole };
  } catch (error) {
    const isLost =
      error instanceof GatewayError && (isAnswered ? OF_NAME : FORGOTTEN).includes(error.failure);
    if (!isLost) throw error;
    return { lost: error, isWhole };
  }
};

/**
 * Reads from the newest record; once again, if the gateway refuses a cursor that it has just given. A second refusal is a finding: what
 * was read stays, and the rest is not proved.
 */
const readNewest = async (context: Context, reading: WalletReading, until: string | null): Promise<void> => {
  const lost = await readUntilRefused(context, reading, until);
  if (lost === null) return;
  const again = await readUntilRefused(context, reading, until);
  await noteLostCursor(context, lost);
  if (again === null) return;
  const { work, entity, cutShort } = context;
  cutShort.add('wallet-transactions');
  const detail = `the gateway twice refused a cursor that it had just given: the list was not read to its end (${again.message})`;
  await report(work.db, work.run, { entity: entity.id, subject: 'wallet-transactions: cursor', detail });
};

/** Reads from the newest record; returns the error if the gateway refuses a cursor. */
const readUntilRefused = async (
  context: Context,
  reading: WalletReading,
  until: string | null,
): Promise<GatewayError | null> => {
  try {
    await landList(context, walletTransactionWalk(reading.source, null, until), reading);
    return null;
  } catch (error) {
    if (hasNoPage(error) && /[?&]cursor=/.test(error.target)) return error;
    throw error;
  }
};

const noteLostCursor = ({ work, entity }: Context, { message }: GatewayError): Promise<void> =>
  report(work.db, work.run, {
    entity: entity.id,
    severity: 'note',
    subject: 'wallet-transactions',
    detail: `the stored cursor is no longer accepted, so the list is read again from the newest record (${message})`,
  });
