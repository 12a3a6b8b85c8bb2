// Partitioned books: the same night gives the same books as without partitions, byte for byte.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { rebuild } from '../../src/actions/rebuild.ts';
import { dumpFile, openDump, restoreFile } from '../../src/backup/backup.ts';
import { ownRows } from '../../src/base/csv-file.ts';
import { migrate } from '../../src/database/schema.ts';
import { RECORDING_TIMES } from '../../src/export/export.ts';
import { csvText } from '../../src/export/reports/csv.ts';
import { withRun } from '../../src/run/run.ts';
import type { Work } from '../../src/run/work.ts';
import { compareCatalogue } from '../../src/verify/ledger/catalogue.ts';
import { emptyDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { journalOf, openStage } from './stage.ts';

/** A report without the times of recording, if it has them. */
const unrecorded = (text: string): string => {
  const rows = ownRows(text);
  const isKept = (rows[0] ?? []).map((column) => !RECORDING_TIMES.has(column));
  if (isKept.every((is) => is)) return text;
  return csvText(rows.map((row) => row.filter((_, place) => isKept[place])));
};

/** What was read then: instants, and the age of prices. */
const READ = /\d{4}-[\d-]+T[\d:.]+Z(?:,\d+(?=,-?\d+\.\d\d$))?/gm;
const isRead = (name: string): boolean =>
  /^(coverage|holdings|open_lots|valuation|tie_outs|closing_balances|reconciliation)\./.test(name);

/** The files, without the instants at which lists and balances were read and entries recorded, which differ from night to night. */
const timeless = (home: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(home, 'exports'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.name.endsWith('.csv'))
      .map(({ name, parentPath }) => {
        const text = readFileSync(join(parentPath, name), 'utf8');
        const timelessText = isRead(name) ? text.replaceAll(READ, 'T') : unrecorded(text);
        return [join(basename(parentPath), name), timelessText];
      }),
  );

const inPartitions = async () => {
  const database = await emptyDatabase();
  await migrate(database.url, { partitions: 3 });
  return database;
};

test('a dump moves books into partitions and back, and a rebuild there gives the same books', async () => {
  const plain = await openStage({ days: 2, perDay: 6 });
  await plain.night();
  const [into, back] = [await inPartitions(), await emptyDatabase()];
  onTestFinished(async () => {
    await into.close();
    await back.close();
  });
  const folder = newFolder();
  const move = async (from: string, to: string, name: string) => {
    const dumped = await dumpFile(from, join(folder, name), {});
    expect(await restoreFile(to, await openDump(join(folder, name)), {})).toEqual(dumped);
  };
  await move(plain.database.url, into.url, 'there.gz');
  expect(await journalOf(into)).toBe(await plain.journal());
  const config = { ...plain.settings(), databaseUrl: into.url };
  const work = async (run: Work) => {
    const { before, after, result } = await rebuild(run);
    expect(after).toEqual(before);
    return result;
  };
  await withRun(config, 'rebuild', { as: 'owner', tell: () => {}, work });
  await move(into.url, back.url, 'back.gz');
  expect(await journalOf(back)).toBe(await plain.journal());
  expect((await compareCatalogue(into.url)).filter((fault) => fault !== null)).toEqual([]);
});

test('a night over partitions gives the same journal and files, and the number of partitions is fixed', async () => {
  const world = { days: 2, perDay: 6 };
  const plain = await openStage(world);
  const parted = await openStage(world, undefined, inPartitions);
  await plain.nightWithFiles();
  await parted.nightWithFiles();
  const rows = await parted.rows(
    `select count(*)::int as parts from pg_inherits where inhparent = 'ledger.entries'::regclass`,
  );
  expect(rows).toEqual([{ parts: 3 }]);
  expect(await parted.journal()).toBe(await plain.journal());
  expect(Object.keys(timeless(parted.home)).length).toBeGreaterThan(20);
  expect(timeless(parted.home)).toEqual(timeless(plain.home));
  expect((await compareCatalogue(parted.database.url)).filter((fault) => fault !== null)).toEqual([]);
  await expect(migrate(parted.database.url, { partitions: 4 })).rejects.toThrow(
    'the books exist with 3 partitions, which migrate does not change: leave out --partitions',
  );
  await expect(migrate(plain.database.url, { partitions: 3 })).rejects.toThrow(
    'the books exist without partitions',
  );
});
