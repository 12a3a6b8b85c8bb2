// Charts of accounts: proposes one, and lists the versions, their lines, and the code of each account of the books.
import { sql } from 'kysely';
import { type ChartLine, chartChange, templateLines, type WantedChart } from '../approvals/approvals.ts';
import { UsageError } from '../base/errors.ts';
import type { Books } from '../database/connection.ts';
import { bookedEntities } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { type SubmittedProposal, submitProposal } from './proposals.ts';

/** Proposes a chart of accounts from a file, or a template of the program if `lines` is null. */
export const proposeChart = async (
  work: Work,
  {
    lines,
    by,
    ...wanted
  }: Omit<WantedChart, 'lines'> & { readonly lines: readonly ChartLine[] | null; readonly by: string },
): Promise<SubmittedProposal> => {
  await bookedEntities(work, wanted.entity ?? undefined);
  const chart = { ...wanted, lines: lines ?? (await templateLines(work.db, wanted.chart)) };
  const content = await chartChange(work.db, chart, work.config.fiscalYearStart);
  const signature = { by, reason: `the chart of accounts ${wanted.chart}`, evidence: null };
  return submitProposal(work, signature, { entity: work.config.entity, content });
};

export type ChartRow = Readonly<Record<'chart' | 'from_month', string>> & {
  readonly version: number;
  readonly for_entity: string | null;
  readonly lines: string;
  readonly imported_by: string | null;
};

/** Every version, the newest first. */
export const chartRows = async (db: Books): Promise<ChartRow[]> => {
  const { rows } = await sql<ChartRow>`
    select version, chart, for_entity, from_month, lines::text as lines, imported_by from books.charts
    order by version desc`.execute(db);
  return rows;
};

/** The lines of a version or of a template. Throws UsageError if there is no such chart. */
export const chartLineRows = async (db: Books, name: string): Promise<ChartLine[]> => {
  const { rows } = await sql<ChartLine>`
    select account, class, currency, code, name_en, name_es, name_de, statement, statement_class
    from (
      select template as name, * from books.chart_templates
      union all
      select version::text, ${name}::text, line, account, class, currency, code, name_en, name_es, name_de, statement, statement_class
      from books.chart_lines
    ) as known
    where known.name = ${name} order by line`.execute(db);
  if (rows.length === 0)
    throw new UsageError(
      `no chart of accounts ${name.slice(0, 60)}: write ifrs, pgc, skr03, skr04, or the version of an imported one (npx tieout chart list)`,
    );
  return rows;
};

type AccountRow = Readonly<
  Record<'entity_id' | 'account' | 'currency' | 'asset_class', string> &
    Record<'code' | 'name_en' | 'statement_class', string | null>
>;

/** The code of each account of the books by the newest chart. */
export const accountRows = async (db: Books, only: string | undefined): Promise<AccountRow[]> => {
  const { rows } = await sql<AccountRow>`
    select entity_id, account, currency, asset_class, code, name_en, statement_class from books.chart_of_accounts
    where ${only ?? null}::text is null or entity_id = ${only ?? null}
    order by entity_id collate "C", account collate "C", currency collate "C"`.execute(db);
  return rows;
};
