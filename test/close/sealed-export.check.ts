// A closed month: every profile has the sealed content, and one sealed by an earlier version has the reports of that version.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { switchDuties } from '../../src/actions/changes.ts';
import { reopenMonths } from '../../src/actions/close.ts';
import { ownRows } from '../../src/base/csv-file.ts';
import { exportReports } from '../../src/export/export.ts';
import { verifyAgainstBooks } from '../../src/verify/report/books.ts';
import { verifyFolder } from '../../src/verify/report/report.ts';
import { sealsSince } from '../../src/verify/report/seals-since.ts';
import { reportTexts } from '../export/report-texts.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';
import { AUTUMN, as, close, faultsIn, septemberClosed } from './month.ts';

/** As if trades.csv had been named fills.csv at that time, and fees.csv had not existed. */
const OLDER = `
  update decide.seal_files set name = 'fills.csv' where name = 'trades.csv';
  delete from decide.seal_files where name = 'fees.csv';
  update decide.seals set seal = jsonb_set(seal::jsonb, '{manifest,files}', (
    select jsonb_agg(case f ->> 'name' when 'trades.csv' then f || '{"name": "fills.csv"}' else f end order by f ->> 'name')
    from jsonb_array_elements(seal::jsonb -> 'manifest' -> 'files') as f
    where f ->> 'name' <> 'fees.csv'
  ))::text`;

const september = (stage: Stage, name: string, entities?: readonly string[]) =>
  exportReports({
    pool: stage.database.pool,
    period: '2026-09',
    outDir: join(stage.home, name),
    timezone: 'UTC',
    currency: 'EUR',
    ...(entities && { entities }),
  });

const pageIn = (dir: string): string => readFileSync(join(dir, 'report.html'), 'utf8');

test('an export of a sealed month has exactly the sealed files', async () => {
  const { stage } = await septemberClosed();
  await stage.rows(OLDER);
  const outDir = join(stage.home, 'september');
  const { files } = await exportReports({
    pool: stage.database.pool,
    period: '2026-09-01..2026-09-30',
    outDir,
    entities: ['main'],
    timezone: 'UTC',
    currency: 'EUR',
  });
  const names = files.map(({ name }) => name);
  expect(names).toContain('fills.csv');
  expect(names).not.toContain('fees.csv');
  expect(readdirSync(outDir).sort()).toEqual([...names, 'manifest.json'].sort());
  const manifest = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'));
  for (const { name, sha256 } of manifest.files)
    expect([
      name,
      createHash('sha256')
        .update(readFileSync(join(outDir, name)))
        .digest('hex'),
    ]).toEqual([name, sha256]);
});

test('a closed month has the sealed content in any profile, whatever the books contain now', async () => {
  const { stage, closed } = await septemberClosed();
  const { pool } = stage.database;
  const sealed = closed.find(({ entity }) => entity === 'main')?.sealed;
  const settings = { timezone: 'UTC', currency: 'EUR' };
  const september = { pool, period: '2026-09', entities: ['main'], settings, ...settings };
  const before = await exportReports({ ...september, outDir: join(stage.home, 'machine') });
  expect(before.manifest.seals).toEqual([
    {
      entity: 'main',
      period: '2026-09',
      seal_number: 1,
      root: sealed?.root,
      seal_sha256: sealed?.sealSha256,
    },
  ]);
  await stage.rows('truncate ledger.transfers');
  const spanish = await exportReports({
    ...september,
    outDir: join(stage.home, 'spanish'),
    profile: 'excel-es',
  });
  const rows = (dir: string, separator: ',' | ';') =>
    ownRows(readFileSync(join(dir, 'journal.csv'), 'utf8'), separator).length;
  expect(rows(spanish.dir, ';')).toBe(rows(before.dir, ','));
  for (const { dir, manifest } of [before, spanish]) {
    const { proofs } = await verifyFolder(dir);
    const all = [...proofs, ...(await verifyAgainstBooks(pool, dir, { manifest, settings }))];
    expect(all.filter(({ first }) => first !== null)).toEqual([]);
  }
  const quarter = { ...september, period: '2026-Q3', outDir: join(stage.home, 'quarter') };
  expect((await exportReports(quarter)).manifest.seals).toEqual(before.manifest.seals);
  const half = { ...september, period: '2026-09-01..2026-09-15', outDir: join(stage.home, 'half') };
  expect((await exportReports(half)).manifest.seals).toEqual([]);
});

test('the figures of a page over several entities are the same before and after each is closed', async () => {
  const stage = await openStageAfterNight(AUTUMN);
  const figuresIn = async (name: string) => {
    const { dir } = await september(stage, name);
    const { totals, values, months, fee_values, counterparties } = JSON.parse(
      readFileSync(join(dir, 'report.json'), 'utf8'),
    );
    return { totals, values, months, fee_values, counterparties };
  };
  const open = await figuresIn('open');
  expect([open.fee_values.length > 0, open.counterparties.length > 0]).toEqual([true, true]);
  expect((await close(stage, '2026-09', { only: 'main' })).closed).toHaveLength(1);
  expect(await figuresIn('half')).toEqual(open);
  expect((await close(stage, '2026-09')).closed).toHaveLength(2);
  expect(await figuresIn('closed')).toEqual(open);
});

test('the report page of a closed month is the sealed one; a page over several entities shows the others by their seals', async () => {
  const { stage, closed } = await septemberClosed();
  const root = closed.find(({ entity }) => entity === 'main')?.sealed?.root ?? '';
  const alone = await september(stage, 'alone', ['main']);
  const page = pageIn(alone.dir);
  expect([page.includes(`<code>${root}</code>`), page.includes('Clean: every balance ties')]).toEqual([
    true,
    true,
  ]);
  const together = (await september(stage, 'both')).dir;
  const both = pageIn(together);
  const json = readFileSync(join(together, 'report.json'), 'utf8');
  expect([JSON.parse(json).ties.length > 0, JSON.parse(json).totals.closing.cost]).not.toContain('0');
  expect(both.includes('2 entities are closed and sealed (<a href="#seals">')).toBe(true);
  expect(both.includes(`<code>${root}</code>`)).toBe(true);

  await stage.rows(`insert into reconcile.breaks (entity_id, break_id, check_name, subject, status, reason, opened_at, since, run_id)
    select 'main', 'late', 'conservation', 'trades', 'open', 'came later', now(), now(), run_id from run.runs limit 1`);
  expect(pageIn((await september(stage, 'alone', ['main'])).dir)).toBe(page);
  await stage.rows('truncate value.monthly'); // the money of closed months is in their seals
  const bare = (await september(stage, 'both')).dir;
  expect(readFileSync(join(bare, 'report.json'), 'utf8')).toBe(json);
  expect(pageIn(bare)).toBe(both);
  expect(await faultsIn(stage, [root])).toEqual([]);
});

/** As if the list of entries had not existed when these entities were closed. */
const withoutEntries = (entities: readonly string[]): string => `
  delete from decide.seal_files where name = 'journal_entries.csv' and entity_id in (${entities.map((entity) => `'${entity}'`)});
  update decide.seals set seal = jsonb_set(seal::jsonb, '{manifest,files}', (
    select jsonb_agg(f order by f ->> 'name') from jsonb_array_elements(seal::jsonb -> 'manifest' -> 'files') as f
    where f ->> 'name' <> 'journal_entries.csv'
  ))::text where entity_id in (${entities.map((entity) => `'${entity}'`)})`;

const REPORTS = ['journal_entries.csv', 'journal.csv'];

test('a month that was closed before the list of entries existed is exported without, and verifies', async () => {
  const { stage } = await septemberClosed();
  const { pool } = stage.database;
  const entities = (await stage.rows('select entity_id from books.entities order by 1')).map(
    ({ entity_id = '' }) => entity_id,
  );
  const settings = { timezone: 'UTC', currency: 'EUR' };
  const rowsIn = async (name: string): Promise<[number, number]> => {
    const { dir, manifest } = await september(stage, name);
    const { proofs } = await verifyFolder(dir);
    const all = [...proofs, ...(await verifyAgainstBooks(pool, dir, { manifest, settings }))];
    expect(all.filter(({ first }) => first !== null)).toEqual([]);
    const rows = REPORTS.map((report) => manifest.files.find(({ name: file }) => file === report)?.rows);
    return rows.map((many) => many ?? -1) as [number, number];
  };
  const texts = await reportTexts(pool, { period: '2026-09' }, REPORTS);
  const [all = 0, postings] = texts.map((report) => ownRows(report, ',').length - 1);
  await stage.rows(withoutEntries(entities.slice(0, 1)));
  const [some, same] = await rowsIn('one');
  expect(some).toBeGreaterThan(0);
  expect([some < all, same]).toEqual([true, postings]);
  await stage.rows(withoutEntries(entities));
  expect(await rowsIn('none')).toEqual([-1, postings]);
});

test('verify report names first the month that was closed, closed again or reopened after the export', async () => {
  const stage = await openStageAfterNight(AUTUMN);
  const settings = { timezone: 'UTC', currency: 'EUR' };
  const faultsOf = async ({ dir, manifest }: Awaited<ReturnType<typeof september>>) =>
    (await verifyAgainstBooks(stage.database.pool, dir, { manifest, settings }))[0]?.first;
  const reopen = () =>
    as(stage, (work) => reopenMonths(work, { period: '2026-09', by: 'Grace', reason: 'late', only: 'main' }));
  const open = await september(stage, 'open');
  await close(stage, '2026-09', { only: 'main' });
  const closed =
    '2026-09 of main is closed with seal 1, which the manifest does not name: if the month was closed after this export, export it again';
  expect(await faultsOf(open)).toBe(closed);
  const first = await september(stage, 'first');
  for (const seals of [undefined, 'none', [null], [{}]])
    expect(sealsSince(seals, first.manifest.seals)).toEqual([closed]);
  await reopen();
  expect(await faultsOf(first)).toBe(
    '2026-09 of main is open, the manifest names seal 1: if the month was reopened after this export, export it again',
  );
  await close(stage, '2026-09', { only: 'main' });
  const closedAgain =
    /^2026-09 of main has seal 2 \(SHA-256 \w{64}\), the manifest names seal 1 \(\w{64}\): if the month was/;
  await as(stage, (work) => switchDuties(work, { isOnePerson: true, by: 'Ada', reason: 'alone' }));
  expect(await faultsOf(first), 'also after a decision').toMatch(closedAgain);
});
