// Groups of entities in databases of their own, read at once through one request gate: consolidated, they equal the one database
// that has all entities, byte for byte; databases whose figures cannot be added are refused by name.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { placeOf } from '../../src/database/database.ts';
import { consolidate } from '../../src/export/export.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { night, openStage, type Stage } from './stage.ts';

const ends: (() => Promise<void>)[] = [];
let whole: Stage;
let middle: string;
let last: string;
let north: TestDatabase;
let south: TestDatabase;

/** A night of some entities of the same world into a database of their own, through the gate in the database of all. */
const nightOf = async (entities: string[]): Promise<TestDatabase> => {
  const database = await freshDatabase();
  ends.unshift(() => database.close());
  const { gateway, ...settings } = whole.settings(entities);
  const gated = { ...gateway, gateUrl: whole.database.url };
  const own = { ...settings, gateway: gated, databaseUrl: database.url, home: newFolder() };
  const { exitCode } = await night(own, { writesFiles: false });
  expect(exitCode).toBe(0);
  return database;
};

beforeAll(async () => {
  whole = await openStage({ entities: 3, days: 4, perDay: 8, faults: ['own-transfers:4'] }, (end) =>
    ends.push(end),
  );
  await whole.night();
  const ids = (await whole.rows('select entity_id from books.entities order by 1')).map(
    (row) => row.entity_id ?? '',
  );
  const rows = await whole.rows('select distinct to_entity from books.own_transfers where stands');
  last = rows[0]?.to_entity ?? '';
  middle = ids.find((id) => ![last, 'main'].includes(id)) ?? '';
  [north, south] = await Promise.all([nightOf(['main', last]), nightOf([middle])]);
});
afterAll(async () => {
  for (const end of ends) await end();
});

const TAXPAYER = `
  insert into decide.profiles (entity_id, version, taxpayer, by_name, at)
  select entity_id, 1, 'group', 'Ada Byron', '2026-11-03T00:00:00Z' from unnest($1::text[]) as entity_id`;

const report = async (urls: string[]): Promise<string> => {
  const { dir } = await consolidate(urls, join(newFolder(), 'group'));
  return readFileSync(join(dir ?? '', 'consolidated.csv'), 'utf8');
};

test('two databases give the bytes of one, whatever their order', async () => {
  const one = await report([whole.database.url]);
  expect(one.split('\n').length).toBeGreaterThan(3);
  expect(one).toMatch(/,[1-9]\d*,-?[\d.]+,-?[\d.]+,-?[\d.]+\n/); // with transfers between own entities
  expect(await report([north.url, south.url])).toBe(one);
  expect(await report([south.url, north.url])).toBe(one);
});

test('one gate draws the nonces of both databases, so that none is used twice', async () => {
  const sends = ({ pool }: TestDatabase) =>
    pool.query('select from run.sends').then(({ rows }) => rows.length);
  expect([await sends(north), await sends(south)]).toEqual([0, 0]);
  expect(await sends(whole.database)).toBeGreaterThan(0);
  const nonces = (await whole.log()).flatMap(({ nonce }) => (nonce === null ? [] : [nonce]));
  expect(nonces.length).toBeGreaterThan(100);
  expect(new Set(nonces).size).toBe(nonces.length);
});

test('the manifest names each database with its entities and the digest of its chains', async () => {
  const { dir, sources } = await consolidate([north.url, south.url], join(newFolder(), 'group'));
  const manifest = JSON.parse(readFileSync(join(dir ?? '', 'manifest.json'), 'utf8'));
  expect(manifest.sources).toEqual(sources);
  expect(sources.map(({ entities }) => entities.map(({ entity_id }) => entity_id))).toEqual([
    [last, 'main'].sort(),
    [middle],
  ]);
  expect(new Set(sources.map(({ links_sha256 }) => links_sha256)).size).toBe(2);
  expect(sources.every(({ links }) => links > 5)).toBe(true);
});

test('what cannot be added is refused in one sentence', async () => {
  const refusal = (urls: string[]) =>
    consolidate(urls).then(
      () => 'none',
      (error: Error) => error.message,
    );
  const [n, w] = [north, whole.database].map(({ url }) => placeOf(url));
  expect(await refusal([north.url, whole.database.url])).toContain(`${n} and ${w} both have books of`);
  await south.pool.query(`update run.entities set currency = 'USD'`);
  expect(await refusal([north.url, south.url])).toMatch(
    /has the reporting currency EUR, .* has USD: only equal/,
  );
  await south.pool.query(`update run.entities set currency = 'EUR', timezone = 'Europe/Madrid'`);
  expect(await refusal([north.url, south.url])).toMatch(
    /has the timezone UTC, .* has Europe\/Madrid: only equal/,
  );
  await south.pool.query(`update run.entities set timezone = 'UTC', fiscal_year_start = 4`);
  expect(await refusal([north.url, south.url])).toMatch(
    /has the first month of fiscal years 1, .* has 4: only equal/,
  );
  await south.pool.query(`update run.entities set fiscal_year_start = 1`);
  for (const { pool } of [north, south]) await pool.query(TAXPAYER, [['main', middle]]);
  expect(await refusal([north.url, south.url])).toMatch(
    /^main in .* belong to the taxpayer group, who has one set of lots: put all entities of a taxpayer into one database$/,
  );
  for (const { pool } of [north, south]) await pool.query('delete from decide.profiles');
  const { rows } = await south.pool.query(
    `select quote_literal(obj_description('books'::regnamespace)) as mark`,
  );
  const mark: string = rows[0].mark;
  await south.pool.query(`comment on schema books is ${mark.replace(/[0-9a-f]{64}/, '0'.repeat(64))}`);
  expect(await refusal([north.url, south.url])).toMatch(
    /^the books in .* have the schema of another version of tieout: run npx tieout migrate there with this version$/,
  );
  await south.pool.query(`comment on schema books is ${mark}`);
  const apart = await nightOf([last]);
  const others = await nightOf(['main']);
  expect(await refusal([others.url, apart.url])).toMatch(
    /^main in .* and .* in .* transfer to each other \(wallet-transactions .*\): put both into one database$/,
  );
});

test('a list that splits transfer partners or a taxpayer, as far as the books know, is refused', async () => {
  await expect(whole.night(['main', middle])).rejects.toThrow(
    new RegExp(`^GATEWAY_ENTITIES lists main and not ${last}, and they transfer to each other`),
  );
  await whole.database.pool.query(TAXPAYER, [['main', middle]]);
  await expect(whole.night(['main', last])).rejects.toThrow(
    `GATEWAY_ENTITIES lists main and not ${middle}, and both belong to the taxpayer group: list both, or read both into another database`,
  );
});
