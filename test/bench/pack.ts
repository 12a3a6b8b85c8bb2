// The complete export of a year, every report and the page, as the program writes it: its time beside COPY of the same
// queries, and whether its memory is constant. The program also lands and books the world.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import pg from 'pg';
import { FailedError } from '../../src/base/errors.ts';
import { packageRoot } from '../../src/base/root.ts';
import { inSession, type Session } from '../../src/database/connection.ts';
import { readSql, sqlPaths } from '../../src/database/sql.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { took } from './clock.ts';
import { copyOut } from './copy.ts';
import type { Figure } from './figure.ts';
import { onStage, readAndBook, type Stage } from './stage.ts';

const SIZES = [66_000, 265_000]; // records; they give a million postings, or a quarter of that
const DAYS = 60;
const YEAR = { period: '2026', from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
const GROWTH_MAX = 1.5;

type Measured = {
  readonly postings: number;
  readonly seconds: number;
  readonly copySeconds: number;
  readonly bytes: number;
  readonly peakMb: number;
};

/** Makes books of two sizes and exports each. Takes a quarter of an hour. */
export const pack = async (): Promise<Figure[]> => {
  const measured: Measured[] = [];
  for (const records of SIZES) {
    const world = { seed: 3, days: DAYS, perDay: Math.ceil(records / DAYS), entities: 2 };
    measured.push(await onStage({ ...world, until: '2026-12-01T00:00:00Z', rpm: 1_000_000 }, measure));
  }
  const [small, large] = measured as [Measured, Measured];
  const grown = large.peakMb / small.peakMb;
  return [
    {
      what: `the whole pack of ${large.postings} postings, ${(large.bytes / 1_048_576).toFixed(0)} MB`,
      figure: `${large.seconds.toFixed(1)} s ÷ ${large.copySeconds.toFixed(1)} s = ${(large.seconds / large.copySeconds).toFixed(2)} (${small.postings} postings: ${small.seconds.toFixed(1)} s ÷ ${small.copySeconds.toFixed(1)} s)`,
      limit: 'COPY … TO STDOUT of the same queries; measured, no limit set',
      isKept: true,
    },
    {
      what: `the program's memory at its most, beside ${small.postings} postings`,
      figure: `${large.peakMb.toFixed(0)} MB ÷ ${small.peakMb.toFixed(0)} MB = ${grown.toFixed(2)}`,
      limit: `at most ${GROWTH_MAX}`,
      isKept: grown <= GROWTH_MAX,
    },
  ];
};

const measure = async ({ config }: Stage): Promise<Measured> => {
  await readAndBook(config);
  const server = await openServer(config.home); // held open, so that no command starts it again
  const outDir = mkdtempSync(join(tmpdir(), 'tieout-pack-'));
  try {
    let peakMb = 0;
    const seconds = await took(async () => {
      peakMb = await written(config.home, join(outDir, 'pack'));
    });
    const { postings, copySeconds } = await inSession(server.url, 'bench', copied);
    return { postings, seconds, copySeconds, bytes: sizeOf(join(outDir, 'pack')), peakMb };
  } finally {
    rmSync(outDir, { recursive: true, force: true });
    await server.release();
  }
};

const TELL_PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))';

/** Exports in a process of its own; returns the peak memory in megabytes. */
const written = async (home: string, out: string): Promise<number> => {
  const program = join(packageRoot, 'dist', 'src', 'cli', 'main.js');
  const args = ['--import', TELL_PEAK, program, 'export', '--period', YEAR.period, '--out', out];
  const env = { PATH: process.env.PATH ?? '', TIEOUT_HOME: home, TIEOUT_TIMEZONE: 'UTC' };
  const { stderr } = await execa(process.execPath, args, { env, extendEnv: false, cwd: home });
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  if (!kilobytes) throw new FailedError(`the export did not tell its memory: ${stderr}`);
  return Number(kilobytes) / 1_024;
};

/** Seconds that Postgres takes for all queries of the reports, without any other work. */
const copied = async (session: Session): Promise<Pick<Measured, 'postings' | 'copySeconds'>> => {
  const { rows } = await session.query('select 2 * count(*) as postings from ledger.transfers');
  const cut = { from: YEAR.from, to: YEAR.to, by: 'posted_at', entity: '' };
  const copySeconds = await took(async () => {
    for (const path of sqlPaths('reports')) {
      const { text, parameters } = readSql(path);
      const query = text.replaceAll(/\$(\d+)/g, (_, nth: string) =>
        pg.escapeLiteral(cut[parameters[Number(nth) - 1] as keyof typeof cut]),
      );
      for await (const _ of copyOut(session, `${query.replace(/;\s*$/, '')}\n`));
    }
  });
  return { postings: Number(rows[0].postings), copySeconds };
};

const sizeOf = (dir: string): number =>
  readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
