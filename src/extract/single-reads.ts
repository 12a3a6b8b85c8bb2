// Single wallet transactions, for those that are not final and older than the walk reaches. What the gateway answers for one of them
// affects only that one.
import { counted } from '../base/counted.ts';
import { storable } from '../base/json.ts';
import { CONTRACT } from '../gateway/contract/contract.ts';
import { GatewayError, OF_NAME, OF_REQUEST } from '../gateway/gateway.ts';
import { acting, type RecordWalk, type Source } from './source.ts';
import type { Trouble } from './step.ts';

/**
 * A failure that is not of the one record may be of the operation or of the gateway. After as many of these in a row no more records are requested, because each may have
 * taken minutes of retries. If it is the gateway, the next request of the night fails too.
 */
const IN_ROW_MAX = 3;

/** Requests each record. One that is not answered is a trouble, every night until it is final, and the others are still requested. */
export async function* walletTransactionReads(source: Source, ids: readonly string[]): RecordWalk {
  let inRow = 0;
  for (const [nth, id] of ids.entries()) {
    const answer = await source.gateway
      .call(CONTRACT.wallet.transaction, { ...acting(source), path: { id } })
      .catch(unanswered);
    inRow = answer instanceof GatewayError && !OF_NAME.includes(answer.failure) ? inRow + 1 : 0;
    const left = inRow < IN_ROW_MAX ? 0 : ids.length - nth - 1;
    if (answer instanceof GatewayError) yield { trouble: lost(answer, left) };
    if (inRow >= IN_ROW_MAX) return;
    if (answer instanceof GatewayError) continue;
    const rows = answer.page.rows.filter((row) => storable(String(row.id)) === id);
    const page = { rows, proof: answer.receipt, isFull: false };
    yield rows.length > 0 ? { page } : { page, trouble: silent(id) };
  }
}

/** The failure of one record; others are thrown, such as a ban. */
const unanswered = (error: unknown): GatewayError => {
  if (error instanceof GatewayError && OF_REQUEST.includes(error.failure)) return error;
  throw error;
};

const SUBJECT = 'not final';

const silent = (id: string): Trouble => ({
  subject: SUBJECT,
  detail:
    `${id} is not final, and asked for by itself it comes without its id, its status, or what a completed one has: nothing new is known of it; ` +
    'npx tieout nightly --full reads the whole list',
});

const lost = ({ message }: GatewayError, left: number): Trouble => {
  const others =
    left > 0 ? `, and after ${IN_ROW_MAX} failures in a row ${counted(left, 'other')} are not asked for` : '';
  return {
    subject: SUBJECT,
    detail: `a record that is not final cannot be asked for by itself${others}; npx tieout nightly --full reads the whole list (${message})`,
  };
};
