// Answers: what the gateway tells beside records and balances, landed as told with the request that brought it.
import type { Kysely } from 'kysely';
import { canonical } from '../base/json.ts';
import type { DB } from '../database/db-types.ts';
import type { Receipt } from '../gateway/client.ts';
import type { Run } from '../run/run.ts';
import { landedAt, storeRequest } from './land.ts';

/** Balances told as JSON numbers, limits of working capital, and the names of all currencies. */
export type AnswerName = 'balance-numbers' | 'working-capital' | 'catalog';

/** What was told, and how many rows or members it has. Nothing in it is personal. */
export type AnswerPage = { readonly told: unknown; readonly rows: number; readonly receipt: Receipt };

/** Lands an answer in one transaction with its request. */
export const landAnswer = (
  db: Kysely<DB>,
  to: { readonly run: Run; readonly entity: string },
  { operation, told: answer, rows, receipt }: AnswerPage & { readonly operation: AnswerName },
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { request_id: requestId } = await storeRequest(tx, { ...to, stream: operation }, { receipt, rows });
    await tx
      .insertInto('land.answers')
      .values({
        entity_id: to.entity,
        request_id: requestId,
        operation,
        payload: canonical(answer),
        taken_at: landedAt(receipt),
      })
      .execute();
  });
