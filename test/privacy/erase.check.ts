// Erasing after real nights: no digest, proof, report or ledger row changes, and the next night lands nothing because of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { ownRows } from '../../src/base/csv-file.ts';
import { sha256 } from '../../src/base/json.ts';
import { exportReports, FORMATS } from '../../src/export/export.ts';
import { type Erased, erase } from '../../src/privacy/privacy.ts';
import { withRun } from '../../src/run/work.ts';
import { verifyCoverage } from '../../src/verify/coverage/coverage.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { as } from '../close/month.ts';
import { exported, openStage, openStageAfterNight, type Stage } from '../jobs/stage.ts';

/** After every landing: a record without a time of its own is as old as its landing. */
const AT = '2099-01-01T00:00:00.000Z';

const eraseAll = async (stage: Stage): Promise<Erased[]> => {
  const request = {
    person: null,
    entities: await entities(stage),
    retentionYears: 0,
    isDryRun: false,
    by: 'Ana Ruiz',
    reason: 'test',
    at: AT,
  };
  return stage.database.db.transaction().execute((tx) => erase(tx, request));
};

const entities = async (stage: Stage) =>
  (await stage.rows('select entity_id from run.entities order by 1')).map(({ entity_id }) => entity_id ?? '');

/** Every file of every format over the whole year, manifests too, and of the nights, as digests. A workbook equals the CSV. */
const files = async (stage: Stage, folder: string): Promise<Record<string, string>> => {
  const all: Record<string, string> = { ...exported(stage.home) };
  for (const format of FORMATS.filter((format) => !['xlsx', 'parquet'].includes(format))) {
    const outDir = join(stage.home, folder, format);
    const { pool } = stage.database;
    await exportReports({ pool, period: '2026', timezone: 'UTC', currency: 'EUR', format, outDir });
    for (const name of readdirSync(outDir))
      all[`${format} ${name}`] = sha256(withoutAccounts(name, readFileSync(join(outDir, name), 'utf8')));
  }
  return all;
};

/**
 * The only change in reports: the masked account of a payment disappears from the cash list. Files with
 * digests of other files are compared without them.
 */
const withoutAccounts = (name: string, text: string): string => {
  if (/^(manifest\.json|report\.html)$/.test(name)) return text.replace(/[0-9a-f]{16,64}/g, '');
  if (name !== 'cash_list.csv') return text;
  const [head = [], ...rows] = ownRows(text, ',');
  const position = head.indexOf('masked_account');
  return [head, ...rows].map((row) => row.toSpliced(position, 1).join('|')).join('\n');
};

/** Everything stored except personal data, by table, as counts and digests. */
const stored = async (stage: Stage) => {
  const tables = await stage.rows(`
    select schemaname || '.' || tablename as name from pg_tables
    where schemaname in ('run', 'land', 'ledger', 'reconcile')
      and tablename not in ('people', 'erasures', 'erased_records') order by 1`);
  const digests = await Promise.all(
    tables.map(async ({ name }) => {
      const [row] = await stage.rows(
        `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as md5 from ${name} t`,
      );
      return [name, row?.md5];
    }),
  );
  return Object.fromEntries(digests);
};

const proofs = async (stage: Stage) => {
  const { db, pool } = stage.database;
  const { proofs: all, ...ledger } = await verifyLedger({ pool, timezone: 'UTC', programs: [] });
  const counted = all.map((it) => (it.proof === ERASURES ? { ...it, checked: null } : it)); // it counts them
  return { coverage: await verifyCoverage(db, {}), ledger: { ...ledger, proofs: counted } };
};

const ERASURES = 'records marked as erased are those of an erasure';

const people = async (stage: Stage) => (await stage.rows('select count(*) as n from land.people'))[0]?.n;

test('everything except personal data is the same to the byte, and still proved', async () => {
  const stage = await openStage({ faults: ['hostile'] });
  await stage.nightWithFiles();
  await stage.advance(1);
  await stage.nightWithFiles();
  expect(Number(await people(stage))).toBeGreaterThan(50);
  const before = {
    files: await files(stage, 'before'),
    stored: await stored(stage),
    proofs: await proofs(stage),
  };
  expect(before.proofs.ledger.holds).toBe(true);
  expect(before.proofs.coverage.filter(({ fault }) => fault !== null)).toEqual([]);

  const erased = await eraseAll(stage);
  expect(erased.flatMap(({ streams }) => streams).every(({ records }) => records > 0)).toBe(true);
  expect(await people(stage)).toBe('0');
  const after = {
    files: await files(stage, 'after'),
    stored: await stored(stage),
    proofs: await proofs(stage),
  };
  expect(after).toEqual(before);
  expect(await stage.rows("select payload from books.rejects where payload like '%personal:%'")).toEqual([]);
});

test('a rebuild after an erasure gives equal hashes', async () => {
  const stage = await openStage();
  await stage.nightWithFiles();
  await eraseAll(stage);
  const { before, after } = await as(stage, rebuild, 'owner');
  expect(after).toEqual(before);
});

test('a full night after it lands nothing, and one with new records lands personal data of those only', async () => {
  const stage = await openStageAfterNight();
  await eraseAll(stage);
  const records = () =>
    stage.rows(
      "select stream, record_id, version, encode(digest, 'hex') as digest from land.records order by 1, 2, 3",
    );
  const before = await records();
  const settings = stage.settings();
  const work: Parameters<typeof withRun>[2]['work'] = (it) => nightly(it, settings, { isFull: true });
  await withRun(settings, 'nightly', { tell: () => {}, work });
  expect(await records()).toEqual(before);
  expect(await people(stage)).toBe('0');

  await stage.advance(2);
  await stage.night();
  const back = await stage.rows(`
    select distinct p.record_id from land.people p join land.erased_records e using (entity_id, stream, record_id)`);
  expect(back).toEqual([]);
  expect(Number(await people(stage))).toBeGreaterThan(0);
  const [changed] = await stage.rows(`
    select count(*) as n from land.erased_records e join land.records r using (entity_id, stream, record_id) where r.version > 1`);
  expect(Number(changed?.n)).toBeGreaterThan(0); // some of the erased records did change
});
