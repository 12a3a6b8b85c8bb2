// `npm run replay [-- --records 100000]`: rebuilds two nights of a world of so many records twice; lands the same versions
// in another order and in pages of other sizes into other books, and rebuilds those too. Every derived table
// and every report must have the same hash in all. Exit 0 if they do, 1 if they do not.
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { type Hashes, type Rebuilt, rebuild } from '../../src/actions/rebuild.ts';
import type { StreamName, WireRecord } from '../../src/base/streams.ts';
import type { Config } from '../../src/config/environment.ts';
import { type Books, inSession, openDatabase } from '../../src/database/connection.ts';
import { newVersions, versionParts } from '../../src/land/records.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';
import { bookedEntities } from '../../src/run/entities.ts';
import { withBooks } from '../../src/run/entry.ts';
import { type Work, withRun } from '../../src/run/work.ts';
import { onStage, readAndBook } from '../bench/stage.ts';
import { urlOf } from '../database-url.ts';

const DAYS = 60;
const PAGE_MAX = 997;
const BOOKED_EVERY = 40;

type Column = { readonly name: string; readonly hashes: Hashes };

const main = async (): Promise<number> => {
  const { values } = parseArgs({ options: { records: { type: 'string', default: '100000' } } });
  const perDay = Math.ceil((Number(values.records) * 1.1) / DAYS);
  const columns = await onStage({ seed: 3, days: DAYS, perDay, entities: 2, rpm: 100_000 }, async (stage) => {
    await readAndBook(stage.config);
    await stage.advance(1);
    await readAndBook(stage.config);
    const landed = await withBooks(stage.config, async ({ db }) => {
      const { rows } = await sql<{
        versions: string;
      }>`select count(*)::text as versions from land.records`.execute(db);
      return rows[0]?.versions ?? '0';
    });
    say(`${landed} versions of records landed over two nights`);
    const once = await rebuilt(stage.config);
    const twice = await rebuilt(stage.config, once.after);
    const server = await openServer(stage.config.home); // held open: other books on it are reached by its address
    try {
      const other = await otherBooks(stage.config, server.url);
      const otherwise = await rebuilt(other);
      return [
        { name: 'as the nights left it', hashes: once.before },
        { name: 'rebuilt', hashes: once.after },
        { name: 'rebuilt again', hashes: twice.after },
        { name: 'landed otherwise', hashes: otherwise.before },
        { name: '… and rebuilt', hashes: otherwise.after },
      ];
    } finally {
      await server.release();
    }
  });
  return print(columns);
};

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const inRun = async <T>(config: Config, job: (work: Work) => Promise<T>): Promise<T> => {
  const made: T[] = [];
  const result = { exitCode: 0, requests: 0, pages: 0, fewest: 0, summary: '' } as const;
  await withRun(config, 'replay', {
    tell: () => {},
    as: 'owner',
    work: async (work) => {
      made.push(await job(work));
      return result;
    },
  });
  return made[0] as T;
};

const rebuilt = (config: Config, before?: Hashes): Promise<Rebuilt> =>
  inRun(config, (work) => rebuild(work, { clockless: true, ...(before && { before }) }));

/** Books in a second database, with the same versions landed in another order, in pages of any size. */
const otherBooks = async (config: Config, url: string): Promise<Config> => {
  const databaseUrl = urlOf(url, 'other');
  await inSession(urlOf(url, 'postgres'), 'replay', (session) =>
    session.query(`create database other template ${new URL(url).pathname.slice(1)}`),
  );
  await inSession(databaseUrl, 'replay', (session) => session.query(EMPTY));
  const { rows } = await inSession(url, 'replay', (from) => from.query<Version>(VERSIONS));
  const to = openDatabase(databaseUrl, { name: 'replay' });
  await landOtherwise(rows, to.db).finally(to.close);
  await inSession(databaseUrl, 'replay', (session) => session.query(PEOPLE));
  return { ...config, databaseUrl };
};

const EMPTY = `create table public.people_kept as table land.people;
  truncate land.records, land.people, land.inbox, ledger.transfers, ledger.entries, ledger.daily, ledger.totals,
  ledger.outcomes, reconcile.tie_outs, run.conservation, value.postings, value.monthly, value.lots, value.open_lots, value.uses, value.findings, value.months`;

/** Payloads contain commitments in place of personal data, and one report shows masked accounts, not commitments. */
const PEOPLE =
  'truncate land.people; insert into land.people table public.people_kept; drop table public.people_kept';

type Version = {
  entity_id: string;
  stream: StreamName;
  scope: string;
  record_id: string;
  version: number;
  payload: string;
};

const VERSIONS = 'select entity_id, stream, scope, record_id, version, payload from land.records';

/** A number derived from a text, the same in every run. */
const chance = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE(0);

/** The versions of one record keep their order; everything else is shuffled, list by list. */
const shuffled = (versions: readonly Version[]): Version[] => {
  const place = ({ entity_id, stream, scope, record_id }: Version) =>
    `${chance(`${entity_id} ${stream} ${scope}`)} ${chance(`${entity_id} ${stream} ${record_id}`)}`;
  const places = new Map(versions.map((version) => [version, place(version)]));
  const order = (a: Version, b: Version) => ((places.get(a) ?? '') < (places.get(b) ?? '') ? -1 : 1);
  return versions.toSorted((a, b) => a.version - b.version || order(a, b));
};

/** Pages of 1 to 997 rows of one list; at intervals, what is landed so far is booked. */
const landOtherwise = async (versions: readonly Version[], db: Books): Promise<void> => {
  const keys = new Map<string, Buffer>();
  const all = shuffled(versions);
  for (let start = 0, pages = 0; start < all.length; pages += 1) {
    const size = 1 + (chance(`page ${start}`) % PAGE_MAX);
    const list = listOf(all[start]);
    const end = all.findIndex(
      (version, index) => index >= start && (index >= start + size || listOf(version) !== list),
    );
    const page = all.slice(start, end === -1 ? all.length : end);
    await landPage(db, page, keys);
    if (pages % BOOKED_EVERY === 0) await bookSoFar(db);
    start += page.length;
  }
};

const listOf = (version: Version | undefined): string =>
  `${version?.version} ${version?.entity_id} ${version?.stream} ${version?.scope}`;

const landPage = async (db: Books, page: readonly Version[], keys: Map<string, Buffer>): Promise<void> => {
  const [first] = page;
  if (!first) return;
  const { entity_id: entity, stream, scope } = first;
  const key = keys.get(entity) ?? (await peopleKey(db, entity));
  keys.set(entity, key);
  await db.transaction().execute(async (tx) => {
    const to = { entity, stream, scope, key };
    const records = page.map(({ payload }) => JSON.parse(payload) as WireRecord);
    const { versions } = await newVersions(tx, to, { rows: records, target: '/' });
    const request = sql`request as (
      insert into land.requests (entity_id, run_id, stream, scope, method, target, status, body_sha256, rows, sent_at)
      select ${entity}, run_id, ${stream}, ${scope}, 'GET', '/', 200, '', ${page.length}, now() from run.runs limit 1
      returning request_id
    )`;
    await sql`with ${sql.join([request, ...versionParts(to, versions)])} select from request`.execute(tx);
  });
};

const bookSoFar = async (db: Books): Promise<void> => {
  for (const entity of await bookedEntities({ db }))
    await normalize(db, { entity, timezone: 'UTC', currency: 'EUR' });
};

/** Prints the hashes side by side; returns exit code 1 if one differs. */
const print = (columns: readonly Column[]): number => {
  const names = Object.keys(columns[0]?.hashes ?? {});
  const width = Math.max(...names.map((name) => name.length));
  say(`${''.padEnd(width)}  ${'rows'.padStart(8)}  ${columns.map(({ name }) => name.padEnd(21)).join('  ')}`);
  let isEqual = true;
  for (const name of names) {
    const hashes = columns.map((column) => column.hashes[name]?.hash ?? 'missing');
    const isAlike = new Set(hashes).size === 1;
    isEqual &&= isAlike;
    const rows = columns[0]?.hashes[name]?.rows ?? '';
    say(
      `${name.padEnd(width)}  ${rows.padStart(8)}  ${hashes.map((hash) => hash.slice(0, 18).padEnd(21)).join('  ')}  ${isAlike ? 'equal' : 'DIFFERS'}`,
    );
  }
  say(isEqual ? 'All are equal.' : 'They are not all equal.');
  return isEqual ? 0 : 1;
};

process.exitCode = await main();
