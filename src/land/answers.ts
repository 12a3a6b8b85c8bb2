// Answers: what the gateway returns besides records and balances, landed as received with its request.
import type { Kysely } from 'kysely';
import { canonical } from '../base/json.ts';
import type { DB } from '../database/db-types.ts';
import type { Receipt } from '../gateway/client.ts';
import type { Run } from '../run/job-run.ts';
import { landedAt, storeRequest } from './pages.ts';

/** Balances as JSON numbers, the limits of the platform advance, and the names of all currencies. */
export type AnswerName = 'balance-numbers' | 'working-capital' | 'catalog';

/** The content, and the number of its rows or members. It holds no personal data. */
export type AnswerPage = { readonly answer: unknown; readonly rows: number; readonly receipt: Receipt };

/** Lands an answer in one transaction with its request. */
export const landAnswer = (
  db: Kysely<DB>,
  to: { readonly run: Run; readonly entity: string },
  { operation, answer, rows, receipt }: AnswerPage & { readonly operation: AnswerName },
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
