// The result of a run: 2 if something failed, 1 if there is something for finance to examine, 0 if all is clean.
import { counted } from '../src/base/counted.ts';
import { loadSql, readRows } from '../src/database/database.ts';
import { GatewayError } from '../src/gateway/gateway.ts';
import { costOf, report } from '../src/run/run.ts';
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
  const { pages, fewest } = await costOf(work.db, work.run.id);
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
      `${open.unvalued > 0 ? `${counted(open.unvalued, 'value finding')}, ` : ''}${counted(requests, 'request')} ` +
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
