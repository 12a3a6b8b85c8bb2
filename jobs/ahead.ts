// Work ahead: the only entity is valued and its files are drafted while the gateway is still being read. Trades and orders are
// answered a few a second, so that the machine has time: months that all lists have passed are complete while later trades are read,
// and all of them while orders are. The end of the night writes only what is not settled or changed since.
import { sql } from 'kysely';
import type { Work } from '../src/run/work.ts';
import { deriveAll } from '../src/valuation/value-all.ts';
import type { Ahead } from './beside.ts';
import { exportMonths } from './export.ts';
import { readRates } from './rates.ts';
import { readAssets } from './references.ts';
import type { Session } from './session.ts';

/** An ordinary night has fewer entries, and values and writes them once. */
const ENTRIES_MIN = 2_000;

/**
 * Reads rates, values and drafts files, for what was booked. A failure is only a warning: the end of the night does the same
 * work, and fails if it fails again.
 */
export const workAhead = (session: Session): Ahead => {
  const { work, options } = session;
  let done = '';
  return async (entity, { entries }, reading) => {
    if (entries < (options.versionsMin ?? ENTRIES_MIN)) return;
    try {
      const before = reading && (await monthOfTrades(work, entity));
      if (before !== undefined && before <= done) return;
      await valueAndDraft(session, entity, before);
      done = before ?? '';
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      work.tell({ event: 'warning', message: `work ahead of the end of the night stopped: ${reason}` });
    }
  };
};

const valueAndDraft = async (
  { work, gateway, options, prices }: Session,
  entity: string,
  before: string | undefined,
): Promise<void> => {
  await readRates(work, gateway, { entity, prices });
  await deriveAll(work, { before });
  await readAssets(work, gateway, entity);
  if (options.writesFiles ?? true) await exportMonths(work, { isDraft: true });
};

/** The month of the newest trade that the run booked, whose list is read oldest first; '' if it booked nothing of an earlier month. */
const monthOfTrades = async ({ db, run }: Work, entity: string): Promise<string> => {
  const { rows } = await sql<{ month: string }>`
    select max(period) filter (where stream = 'trades') as month from ledger.entries
    where entity_id = ${entity} and entry_number > (select entries_before from run.runs where run_id = ${run.id}::uuid)
    having min(period) < max(period) filter (where stream = 'trades')`.execute(db);
  return rows[0]?.month ?? '';
};
