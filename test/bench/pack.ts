// The pack of a month, every report and the page, beside one sequential scan of that month's postings and value lines; no statement
// of it may take long alone.
import { join } from 'node:path';
import pg from 'pg';
import type { Session } from '../../src/database/client.ts';
import { inSession } from '../../src/database/connection.ts';
import { readSql, sqlPaths } from '../../src/database/sql.ts';
import { SETTINGS } from '../../src/export/reports/lanes.ts';
import { timed, took } from './clock.ts';
import { command } from './command.ts';
import { copyOut } from './copy.ts';
import type { Figure } from './figure.ts';
import { type BenchOptions, type HistoryBooks, MONTH, withHistory } from './history.ts';

const SIZES = [10_000, 100_000]; // entries over two years
const PACK_MAX = 6;
const STATEMENT_MAX = 5;

/** The pack of the last month at each size, and its slowest statements. */
export const pack = async ({ server, records }: BenchOptions): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const entries of records === undefined ? SIZES : [records])
    figures.push(...(await withHistory({ server, entries }, (books) => packOf(books, entries))));
  return figures;
};

const packOf = async (books: HistoryBooks, entries: number): Promise<Figure[]> => {
  const scan = await inSession(books.url, 'bench', scanSeconds);
  const { seconds } = await command(books, [
    'export',
    '--period',
    MONTH.period,
    '--out',
    join(books.home, 'pack'),
  ]);
  const statements = await inSession(books.url, 'bench', statementSeconds);
  const [slowest] = statements.sort((a, b) => b.seconds - a.seconds);
  const over = statements.filter((it) => it.seconds > STATEMENT_MAX * scan).map(({ path }) => path);
  return [
    {
      what: `the pack of a month, ${entries} entries in two years`,
      figure: `${seconds.toFixed(2)} s ÷ ${scan.toFixed(3)} s = ${(seconds / scan).toFixed(1)}`,
      limit: `one sequential scan of the month's postings and value lines to CSV; at most ${PACK_MAX}`,
      isKept: seconds <= PACK_MAX * scan,
    },
    {
      what: `the slowest statement of it, ${slowest?.path}`,
      figure: `${slowest?.seconds.toFixed(3)} s ÷ ${scan.toFixed(3)} s = ${((slowest?.seconds ?? 0) / scan).toFixed(1)}; over the limit: ${over.join(', ') || 'none'}`,
      limit: `at most ${STATEMENT_MAX}`,
      isKept: over.length === 0,
    },
  ];
};

/** Seconds to write a month's postings and value lines, which lie together in tables of their own, as CSV. */
const scanSeconds = async (session: Session): Promise<number> => {
  await session.query(`
    create temporary table month_postings as
    select e.*, t.leg, t.debit, t.credit, t.currency, t.amount
    from ledger.entries e join ledger.transfers t using (entity_id, entry_id) where e.period = '${MONTH.period}'`);
  await session.query(
    `create temporary table month_values as select * from value.postings where period = '${MONTH.period}'`,
  );
  const scan = () =>
    took(async () => {
      for (const table of ['month_postings', 'month_values'])
        for await (const _ of copyOut(session, `select * from ${table}`));
    });
  await scan();
  return Math.min(await scan(), await scan(), await scan());
};

const CUT: Readonly<Record<string, string>> = {
  ...MONTH,
  by: 'posted_at',
  entity: '',
  timezone: 'UTC',
  unit: 'day',
  step: '1 day',
};

/** Seconds of each statement of the reports and the page alone, under the settings of an export. */
const statementSeconds = async (session: Session): Promise<{ path: string; seconds: number }[]> => {
  const found = [];
  await session.query('begin');
  for (const setting of SETTINGS) await session.query(setting);
  for (const path of [...sqlPaths('reports'), ...sqlPaths('page')]) {
    const { text, parameters } = readSql(path);
    const query = text.replaceAll(/\$(\d+)/g, (_, nth: string) =>
      pg.escapeLiteral(CUT[parameters[Number(nth) - 1] ?? ''] ?? ''),
    );
    const { seconds } = await timed(async () => {
      for await (const _ of copyOut(session, `${query.replace(/;\s*$/, '')}\n`));
    });
    found.push({ path, seconds });
  }
  await session.query('commit');
  return found;
};
