// Landing and booking beside COPY of all rows that they write into the same tables, and reading a page beside JSON.parse.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bookLanded, prove } from '../../jobs/book.ts';
import { storeEntity } from '../../jobs/entities.ts';

import { parseExact } from '../../src/base/json.ts';
import type { WireRecord } from '../../src/base/streams.ts';
import { together } from '../../src/base/together.ts';
import type { Config } from '../../src/config/environment.ts';
import { landReading, landWalk } from '../../src/land/land.ts';
import { peopleKey } from '../../src/privacy/people.ts';
import type { Work } from '../../src/run/work.ts';
import { withRun } from '../../src/run/work.ts';
import type { World } from '../../src/sandbox/world.ts';
import { type BenchServer, onBooks } from './books.ts';
import { median, took } from './clock.ts';
import { copyTablesSeconds } from './copy.ts';
import type { Figure } from './figure.ts';
import { chapterOf, LISTS, pagesOf, type WirePage } from './wire-pages.ts';

const SIZES = [10_000, 100_000];
/** A longer history is made in chapters, so that only one is in memory. */
const CHAPTER_MAX = 100_000;
const COPY_TIMES_MAX = 4;
const PARSE_TIMES_MAX = 3;

type LandingOptions = { readonly records?: number; readonly server: BenchServer };

/** Both ratios at the usual sizes, or at one. */
export const landing = async ({ records, server }: LandingOptions): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const size of records === undefined ? SIZES : [records]) {
    figures.push(await onBooks(server, (config, ownerUrl) => landingAt(config, ownerUrl, size)));
    if (records === undefined || size <= CHAPTER_MAX) figures.push(parsing(size));
  }
  return figures;
};

const landingAt = async (config: Config, ownerUrl: string, records: number): Promise<Figure> => {
  const { landed, booked } = await landAndBook(config, records);
  const folder = mkdtempSync(join(tmpdir(), 'tieout-copy-'));
  const copied = await copyTablesSeconds(ownerUrl, { tables: WRITTEN, folder }).finally(() =>
    rmSync(folder, { recursive: true }),
  );
  const ratio = (landed + booked) / copied;
  return {
    what: `land and book ${records} records, all lists`,
    figure: `${landed.toFixed(1)} s + ${booked.toFixed(1)} s ÷ ${copied.toFixed(2)} s = ${ratio.toFixed(2)}`,
    limit: `COPY of the rows written, into the same tables; at most ${COPY_TIMES_MAX}`,
    isKept: ratio <= COPY_TIMES_MAX,
  };
};

/** The tables that landing and booking fill, in the order of their foreign keys. */
const WRITTEN = [
  'land.requests',
  'land.records',
  'land.people',
  'land.pages',
  'land.leaves',
  'land.coverage',
  'ledger.entries',
  'ledger.transfers',
  'ledger.outcomes',
  'ledger.daily',
  'ledger.totals',
  'run.conservation',
];

type Seconds = { readonly landed: number; readonly booked: number };

/** Lands a history chapter by chapter, every list of a chapter beside the others as a night reads them, books each, and proves all at the end. */
const landAndBook = async (config: Config, records: number): Promise<Seconds> => {
  let [landed, booked] = [0, 0];
  await withRun(config, 'bench', {
    tell: () => {},
    begins: true,
    work: async (work) => {
      await storeEntity(work, { id: 'main' });
      for (let chapter = 0; chapter * CHAPTER_MAX < records; chapter += 1) {
        const world = chapterOf(Math.min(CHAPTER_MAX, records), chapter);
        const lists = pagesOf(world).map((pages) => pages.map(readPage));
        const to = { db: work.db, run: work.run, entity: 'main', key: await peopleKey(work.db, 'main') };
        await landPockets(work, world, lists);
        landed += await took(() =>
          together(
            lists.map((steps) => {
              const [first] = steps;
              const { stream = 'movements', scope = '' } = first ?? {};
              return landWalk({ ...to, stream, scope }, walkOf(steps), () => {});
            }),
          ),
        );
        booked += await took(() => bookLanded(work, 'main'));
      }
      booked += await took(() => prove(work, 'main'));
      return { exitCode: 0, requests: 0, pages: 0, fewest: 0, summary: '' };
    },
  });
  return { landed, booked };
};

type ReadPage = Omit<WirePage, 'body'> & { readonly rows: readonly WireRecord[] };

const readPage = ({ body, ...page }: WirePage): ReadPage => ({
  ...page,
  rows: LISTS[page.stream].page.parse(parseExact(body)).rows,
});

async function* walkOf(steps: readonly ReadPage[]) {
  for (const { rows, step } of steps) yield { ...step, page: { ...step.page, rows } };
}

/** Without their list, every pocket would be our own. */
const landPockets = async (work: Work, world: World, [first]: readonly ReadPage[][]): Promise<void> => {
  const receipt = first?.[0]?.step.page.proof;
  if (!receipt) return;
  const rows = world.pockets('main').map(({ id, currency, balance, blocked, blockedOutput }) => ({
    id,
    currency,
    balance,
    blockedBalance: blocked,
    blockedOutputBalance: blockedOutput,
  }));
  const to = { run: work.run, entity: 'main', key: await peopleKey(work.db, 'main') };
  await landReading(work.db, to, { product: 'pocket', phase: 'before', rows, receipts: [receipt] });
};

/** The first rounds compile; the median is one of the others. */
const ROUNDS = 11;

/** All pages of a history as bytes: read exactly and validated, beside JSON.parse. */
const parsing = (records: number): Figure => {
  const pages = pagesOf(chapterOf(records, 0))
    .flat()
    .map(({ stream, body }) => ({ operation: LISTS[stream], bytes: Buffer.from(body) }));
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const [exactly, plainly]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    plainly.push(seconds(() => pages.forEach(({ bytes }) => void JSON.parse(decoder.decode(bytes)))));
    exactly.push(
      seconds(() =>
        pages.forEach(({ operation, bytes }) => void operation.page.parse(parseExact(decoder.decode(bytes)))),
      ),
    );
  }
  const ratio = median(exactly) / median(plainly);
  return {
    what: `read and validate ${pages.length} pages of ${records} records`,
    figure: `${median(exactly).toFixed(2)} s ÷ ${median(plainly).toFixed(2)} s = ${ratio.toFixed(2)}`,
    limit: `JSON.parse of the same bytes; at most ${PARSE_TIMES_MAX}`,
    isKept: ratio <= PARSE_TIMES_MAX,
  };
};

const seconds = (work: () => void): number => {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1_000;
};
