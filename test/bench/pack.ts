// The pack of a month, every report and the page, beside one sequential scan of that month's postings and value lines; no statement
// of it may take long alone. And memory: the peak of each command as a process of its own, over histories of growing size.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { FailedError } from '../../src/base/errors.ts';
import { packageRoot } from '../../src/base/root.ts';
import { inSession, type Session } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { readSql, sqlPaths } from '../../src/database/sql.ts';
import { type BenchServer, onBooks } from './books.ts';
import { timed, took } from './clock.ts';
import { copyOut } from './copy.ts';
import type { Figure } from './figure.ts';

const SIZES = [10_000, 100_000]; // entries over two years
const ENTITIES = 4;
const MONTH = { period: '2026-11', from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
const PACK_MAX = 6;
const STATEMENT_MAX = 5;
const GROWTH_MAX = 1.3;
const PEAK_MB_MAX = 400;

type BenchOptions = { readonly server: BenchServer; readonly records?: number };

/** Books with a synthetic history, on a server of their own. */
const withHistory = <T>(
  { server, entries }: { readonly server: BenchServer; readonly entries: number },
  use: (books: { readonly home: string; readonly url: string; readonly isOwn: boolean }) => Promise<T>,
): Promise<T> =>
  onBooks(server, async ({ home, databaseUrl }, url) => {
    await migrate(url);
    const history = readFileSync(join(packageRoot, 'test/bench/history.sql'), 'utf8');
    const filled = history.replaceAll('{entries}', `${entries}`).replaceAll('{entities}', `${ENTITIES}`);
    await inSession(url, 'bench', async (session) => {
      await session.query("set synchronous_commit = off; set work_mem = '128MB'");
      await session.query(filled);
      await session.query('vacuum analyze');
    });
    return use({ home, url, isOwn: databaseUrl === null });
  });

/** The pack of the last month at each size, and its slowest statements. */
export const pack = async ({ server, records }: BenchOptions): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const entries of records === undefined ? SIZES : [records])
    figures.push(...(await withHistory({ server, entries }, (books) => packOf(books, entries))));
  return figures;
};

type HistoryBooks = { readonly home: string; readonly url: string; readonly isOwn: boolean };

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

/** Seconds of each statement of the reports and the page alone. */
const statementSeconds = async (session: Session): Promise<{ path: string; seconds: number }[]> => {
  const found = [];
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
  return found;
};

const TELL_PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))';

/** Runs a command as a process of its own: its seconds, and its peak of memory in megabytes. */
const command = async ({ home, url, isOwn }: HistoryBooks, words: readonly string[]) => {
  const program = join(packageRoot, 'dist', 'src', 'cli', 'main.js');
  const env = { PATH: process.env.PATH ?? '', TIEOUT_HOME: home, TIEOUT_TIMEZONE: 'UTC' };
  const began = performance.now();
  const { stderr } = await execa(process.execPath, ['--import', TELL_PEAK, program, ...words], {
    env: isOwn ? env : { ...env, DATABASE_URL: url },
    extendEnv: false,
    cwd: home,
    reject: false,
    stdout: 'ignore',
  });
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  if (!kilobytes) throw new FailedError(`${words.join(' ')} did not state its memory: ${stderr}`);
  return { seconds: (performance.now() - began) / 1_000, peakMb: Number(kilobytes) / 1_024 };
};

const POSTINGS = 'select * from postings';

/** The commands whose memory is measured. A table shows 10,000 rows at most. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'export csv': ['export', '--period', '2026', '--out', 'csv'],
  'export xlsx': ['export', '--period', MONTH.period, '--format', 'xlsx', '--out', 'xlsx'],
  'export hledger': ['export', '--period', '2026', '--format', 'hledger', '--out', 'hledger'],
  'query csv': ['query', '--format', 'csv', POSTINGS],
  'query json': ['query', '--format', 'json', POSTINGS],
  'query table': ['query', '--format', 'table', POSTINGS],
  'verify ledger': ['verify', 'ledger'],
  'breaks list': ['breaks', 'list'],
  status: ['status'],
};

/** The peak of memory of each command at each size, beside the smallest. */
export const memory = async ({ server, records }: BenchOptions): Promise<Figure[]> => {
  const sizes = records === undefined ? SIZES : [SIZES[0] ?? records, records];
  const peaks: Record<string, number[]> = {};
  for (const entries of sizes)
    await withHistory({ server, entries }, async (books) => {
      for (const [what, words] of Object.entries(COMMANDS)) {
        const { peakMb } = await command(books, words);
        peaks[what] = [...(peaks[what] ?? []), peakMb];
      }
    });
  return Object.entries(peaks).map(([what, mb]) => memoryFigure(what, mb, sizes));
};

const memoryFigure = (what: string, mb: readonly number[], sizes: readonly number[]): Figure => {
  const [small = 0, large = 0] = [mb[0], mb.at(-1)];
  return {
    what: `memory of ${what}, ${sizes.join(' and ')} entries`,
    figure: `${large.toFixed(0)} MB ÷ ${small.toFixed(0)} MB = ${(large / small).toFixed(2)}`,
    limit: `at most ${GROWTH_MAX}, and ${PEAK_MB_MAX} MB`,
    isKept: large <= GROWTH_MAX * small && large <= PEAK_MB_MAX,
  };
};
