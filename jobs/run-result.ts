// The result of a run: 2 if something failed, 1 if there is something for finance to examine, 0 if all is clean.
import { sql } from 'kysely';
import { counted } from '../src/base/counted.ts';
import { STREAM_NAMES, STREAMS } from '../src/base/streams.ts';
import { loadSql, readRows, unnest } from '../src/database/database.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { SINGLE_ANSWER } from '../src/land/land.ts';
import { report } from '../src/run/run.ts';
import type { Result, Work } from '../src/run/work.ts';

type RunOutcome = {
  readonly entities: readonly string[];
  readonly failures: ReadonlyMap<string, Error>;
  readonly skipped?: ReadonlySet<string>;
  readonly requests: number;
};

/** Stores each failure as a finding, and rethrows an error that is not the gateway's (a setting, a bug, the database). */
export const reportFailures = async (work: Work, failures: ReadonlyMap<string, Error>): Promise<void> => {
  for (const [entity, error] of failures)
    await report(work.db, work.run, { entity, subject: 'failed', detail: error.message });
  for (const error of failures.values()) if (!(error instanceof GatewayError)) throw error;
};

/** The pages read, and the fewest possible: one per list, or as many as the new records fill. */
type Cost = { readonly pages: number; readonly fewest: number };

const costOf = async (work: Work): Promise<Cost> => {
  const limits = STREAM_NAMES.map((stream) => ({ stream, page_max: STREAMS[stream].pageMax }));
  const { rows } = await sql<Cost>`
    with page as (
      select p.entity_id, p.stream, p.scope, p.fresh, starts_with(q.target, ${SINGLE_ANSWER}) as is_single
      from land.pages p join land.requests q using (entity_id, request_id) where q.run_id = ${work.run.id}::uuid
    ), list as (
      select count(*) as pages, count(*) filter (where is_single) + greatest(1, ceil(sum(fresh)::numeric / min(page_max))) as fewest
      from page join ${unnest(limits, { stream: 'text', page_max: 'integer' })} using (stream) group by entity_id, stream, scope
    )
    select coalesce(sum(pages), 0)::int as pages, coalesce(sum(fewest), 0)::int as fewest from list`.execute(
    work.db,
  );
  return rows[0] ?? { pages: 0, fewest: 0 };
};

type OpenItems = {
  unvalued: number;
  breaks: number;
  gaps: number;
  rejects: number;
  findings: number;
  entries: number;
};

/** The result, from the open items of the entities and the gateway's failures. */
export const concludeRun = async (
  work: Work,
  { entities, failures, skipped, requests }: RunOutcome,
): Promise<Result> => {
  const open = await openIn(work, entities);
  const { pages, fewest } = await costOf(work);
  const isOpen = open.breaks + open.gaps + open.rejects + open.findings > 0;
  return {
    exitCode: failures.size > 0 ? 2 : isOpen ? 1 : 0,
    requests,
    pages,
    fewest,
    summary:
      `${counted(open.entries, 'entry', 'entries')} booked, ${counted(open.breaks, 'open break')}, ${counted(open.rejects, 'reject')}, ` +
      `${counted(open.gaps, 'gap')}, ${counted(open.findings, 'finding')}, ` +
      `${skipped?.size ? `${counted(skipped.size, 'entity', 'entities')} skipped as unchanged, ` : ''}` +
      `${open.unvalued > 0 ? `${counted(open.unvalued, 'item')} without a value, ` : ''}${counted(requests, 'request')} ` +
      `(${counted(pages, 'page')} of lists, fewest ${fewest})${failuresText(failures)}`,
  };
};

/** A summary is one line: it names so many failures, and each is a finding of its entity. */
const FAILURES_SHOWN = 3;

const failuresText = (failures: ReadonlyMap<string, Error>): string => {
  if (failures.size === 0) return '';
  const shown = [...failures]
    .slice(0, FAILURES_SHOWN)
    .map(([entity, error]) => `${entity}: ${error.message}`);
  const others = failures.size - shown.length;
  return `; failed: ${shown.join('; ')}${others > 0 ? `; and ${counted(others, 'other entity', 'other entities')}` : ''}`;
};

const openIn = async (work: Work, entities: readonly string[]): Promise<OpenItems> => {
  const [open] = await readRows<OpenItems>(
    work.db,
    loadSql('status/open_items.sql', { entities, run: work.run.id }),
  );
  return open ?? { unvalued: 0, breaks: 0, gaps: 0, rejects: 0, findings: 0, entries: 0 };
};
