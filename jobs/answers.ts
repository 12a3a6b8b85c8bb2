// Reads what the checks need beside records and balances: balances as JSON numbers, the limits of working capital, and
// the catalogue of currencies if the books contain one that is not in it.

import { sql } from 'kysely';
import { DAY_MS } from '../src/base/time.ts';
import { acting } from '../src/extract/extract.ts';
import { CONTRACT } from '../src/gateway/contract/contract.ts';
import { GatewayError, REQUEST_REFUSED } from '../src/gateway/gateway.ts';
import type { AnswerName, AnswerPage } from '../src/land/answers.ts';
import { landAnswer } from '../src/land/land.ts';
import type { Work } from '../src/run/work.ts';
import { type Context, destination } from './extraction.ts';
import { askOptional, type Question } from './optional.ts';

/**
 * Reads the trading balances again as JSON numbers, and the limits of working capital if any moved recently. Only checks depend
 * on them: where the gateway lacks one, that is a note.
 */
export const readSupplements = async (
  context: Context,
  { capitalMoved }: { readonly capitalMoved: boolean },
): Promise<void> => {
  const { gateway, source } = context;
  const query = acting(source);
  await storeAnswer(context, 'balance-numbers', async () => {
    const { page, receipt } = await gateway.call(CONTRACT.trading.balance, query);
    const balances = page.rows.map(({ id, currency, balance, blockedBalance }) => ({
      id,
      currency,
      balance,
      blockedBalance,
    }));
    return { answer: balances, rows: balances.length, receipt };
  });
  if (!capitalMoved) return;
  await storeAnswer(context, 'working-capital', async () => {
    const { page, receipt } = await gateway.call(CONTRACT.trading.workingCapital, query);
    return { answer: page.rows, rows: page.rows.length, receipt };
  });
};

const storeAnswer = async (
  context: Context,
  operation: AnswerName,
  ask: () => Promise<AnswerPage>,
): Promise<void> => {
  const question: Question = {
    entity: context.entity.id,
    subject: operation,
    cost: 'so a check that compares it finds nothing',
    severity: (failure) => (REQUEST_REFUSED.includes(failure) ? 'finding' : 'note'),
  };
  const answer = await askOptional(context.work, question, ask);
  if (!(answer instanceof GatewayError))
    await landAnswer(context.work.db, destination(context, 'movements'), { ...answer, operation });
};

/**
 * Whether working capital moved recently, as far as it is booked: asked before the lists are read, because booking runs beside
 * the reading. The limits' window is one day (section Limits), so movements before yesterday no longer count.
 */
export const hasCapitalMoved = async ({ work, gateway, entity }: Context): Promise<boolean> => {
  const { rows } = await sql`
    select from ledger.daily
    where entity_id = ${entity.id} and account = 'liabilities:working-capital'
      and effective_day >= to_timestamp(${(gateway.nowMs() - 2 * DAY_MS) / 1_000}::float8)::date
    limit 1`.execute(work.db);
  return rows.length > 0;
};

/** Reads the catalogue, on behalf of `entity`, if there is none yet or the books contain a currency that it lacks. */
export const readCatalog = async (work: Work, gateway: Context['gateway'], entity: string): Promise<void> => {
  const { rows } = await sql`
    select from books.balances b
    where not exists (select from books.currencies c where c.currency = b.currency)
    limit 1`.execute(work.db);
  if (rows.length === 0) return;
  const answer = await askOptional(work, unnamed(entity), () =>
    gateway.call(CONTRACT.currency.catalog, { query: { type: 'all' } }),
  );
  if (answer instanceof GatewayError) return;
  const { page, receipt } = answer;
  const names = { answer: page.names, rows: Object.keys(page.names).length, receipt };
  await landAnswer(work.db, { run: work.run, entity }, { ...names, operation: 'catalog' });
};

const unnamed = (entity: string): Question => ({
  entity,
  subject: CONTRACT.currency.catalog.name,
  cost: 'so the list of currencies is not updated',
  severity: () => 'note',
});
