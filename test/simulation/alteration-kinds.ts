// The kinds of alterations: every table that the proof depends on, every way to change it.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../../src/database/db-types.ts';
import type { Named, Row } from './altered-row.ts';

type At = Row & { readonly entity: string };

export type Alteration = {
  readonly name: string;
  /** Only on a list without faults: otherwise verification would name a gap first. */
  readonly needsSound: boolean;
  /** The expected list, if it is not that of the row. */
  readonly list?: string;
  readonly rows: (tx: Kysely<DB>, entity: string) => Promise<Row[]>;
  readonly run: (tx: Kysely<DB>, target: At) => Promise<unknown>;
  /** The intervals that may be named; none if any will do. */
  readonly intervals: (tx: Kysely<DB>, target: At) => Promise<Named[]>;
};

const raw = (tx: Kysely<DB>, text: string) => sql.raw<Record<string, string>>(text).execute(tx);

const rowsOf =
  (table: string, where = 'true') =>
  async (tx: Kysely<DB>, entity: string): Promise<Row[]> => {
    const request = table === 'coverage' ? 'null' : 'request_id';
    const { rows } = await sql<Row>`
      select stream, scope, ctid::text as ctid, ${sql.raw(request)}::text as request_id
      from ${sql.raw(`land.${table}`)} as it where entity_id = ${entity} and ${sql.raw(where)}
      order by stream, scope, ctid`.execute(tx);
    return rows;
  };

/** The interval that a request helped to prove: that of the first leaf at or after it. */
const provedBy = async (
  tx: Kysely<DB>,
  { entity, stream, scope, request_id }: At,
  later = 0,
): Promise<Named> => {
  const { rows } = await sql<Named>`
    select lower(covered) as "from", upper(covered) as "to" from land.leaves
    where entity_id = ${entity} and stream = ${stream} and scope = ${scope} and request_id >= ${request_id}::bigint + ${later}::int
    order by leaf_id limit 1`.execute(tx);
  return rows[0] ?? { from: null, to: null };
};

const byRequest = async (tx: Kysely<DB>, place: At): Promise<Named[]> => [
  await provedBy(tx, place),
  await provedBy(tx, place, 1),
];

/** A leaf's own interval, and the next one: the chain breaks there. */
const byLeaf = async (tx: Kysely<DB>, { entity, stream, scope, ctid }: At): Promise<Named[]> => {
  const { rows } = await sql<Named>`
    select lower(covered) as "from", upper(covered) as "to" from land.leaves
    where entity_id = ${entity} and stream = ${stream} and scope = ${scope}
      and leaf_id >= (select leaf_id from land.leaves where ctid = ${ctid}::tid)
    order by leaf_id limit 2`.execute(tx);
  return [...rows, { from: null, to: null }];
};

const moved = `covered = tstzrange(lower(covered), upper(covered) + interval '1 hour')`;

/** A moved leaf is named with its new interval. */
const whereItStands = async (tx: Kysely<DB>, { ctid }: At): Promise<Named[]> => {
  const { rows } = await sql<Named>`
    select lower(covered) as "from", upper(covered) + interval '1 hour' as "to" from land.leaves where ctid = ${ctid}::tid`.execute(
    tx,
  );
  return rows;
};

/** An addition after the last interval is in no interval. */
const nowhere = async (): Promise<Named[]> => [{ from: null, to: null }];

const anywhere = async (): Promise<Named[]> => [];

type Table = { readonly table: string; readonly where?: string; readonly intervals: Alteration['intervals'] };

const changing = ({ table, where, intervals }: Table, sets: readonly string[]): Alteration[] =>
  sets.map((set) => ({
    name: `${table}: ${set}`,
    needsSound: table === 'coverage',
    rows: rowsOf(table, where),
    intervals,
    run: (tx, { ctid }) => raw(tx, `update land.${table} set ${set} where ctid = '${ctid}'`),
  }));

const removing = ({ table, where, intervals }: Table): Alteration => ({
  name: `${table}: delete`,
  needsSound: table === 'coverage',
  rows: rowsOf(table, where),
  intervals,
  run: (tx, { ctid }) => raw(tx, `delete from land.${table} where ctid = '${ctid}'`),
});

const copying = ({ table, where, intervals }: Table, columns: string, values: string): Alteration => ({
  name: `${table}: insert`,
  needsSound: false,
  rows: rowsOf(table, where),
  intervals,
  run: (tx, { ctid }) =>
    raw(
      tx,
      `insert into land.${table} (${columns}) select ${values} from land.${table} as it where ctid = '${ctid}'`,
    ),
});

const RECORDS: Table = { table: 'records', intervals: byRequest };
const PAGES: Table = { table: 'pages', intervals: byRequest };
const LEAVES: Table = { table: 'leaves', intervals: byLeaf };
const COVERAGE: Table = { table: 'coverage', intervals: anywhere };

/** Only lists have a proof; balances are readings. */
const REQUESTS: Table = {
  table: 'requests',
  where:
    'exists (select from land.pages p where (p.entity_id, p.request_id) = (it.entity_id, it.request_id))',
  intervals: byRequest,
};

const NEW_PAGE = '(select max(request_id) + 1000 from land.requests)';
const PAGE_COLUMNS =
  'stream, scope, walk_id, is_full, oldest_at, list_offset, list_total, cursor_in, cursor_out, brought, fresh, brought_sum, seal';
const REQUEST_COLUMNS =
  'entity_id, run_id, stream, scope, method, target, status, gateway_date, gateway_request_id, body_sha256, rows, sent_at';
const LEAF_COLUMNS =
  'entity_id, stream, scope, walk_id, run_id, request_id, proof, list_total, records, records_sum, seal';

export const ALTERATIONS: readonly Alteration[] = [
  removing(RECORDS),
  ...changing(RECORDS, [
    `payload = payload || ' '`,
    `payload = payload || ' ', digest = sha256(convert_to(payload || ' ', 'UTF8'))`,
    'digest = sha256(digest)',
    `record_at = record_at + interval '1 hour'`,
    `landed_at = landed_at + interval '1 millisecond'`,
    `record_id = record_id || 'x'`,
    'version = version + 1000',
    'request_id = request_id + 1',
  ]),
  copying(
    RECORDS,
    'entity_id, stream, record_id, version, scope, digest, payload, record_at, landed_at, request_id',
    `entity_id, stream, 'invented', 1, scope, digest, payload, record_at, landed_at, request_id`,
  ),
  removing(PAGES),
  ...changing(PAGES, [
    'is_full = not is_full',
    `oldest_at = coalesce(oldest_at, '2026-01-01') - interval '1 second'`,
    'list_offset = coalesce(list_offset, 0) + 1',
    'list_total = coalesce(list_total, 0) + 1',
    `cursor_in = coalesce(cursor_in, '') || 'x'`,
    `cursor_out = coalesce(cursor_out, '') || 'x'`,
    'brought = brought + 1',
    'fresh = fresh + 1',
    `brought_sum = repeat('f', 64)`,
    `seal = repeat('f', 64)`,
    'walk_id = gen_random_uuid()',
  ]),
  {
    ...copying(PAGES, `entity_id, request_id, ${PAGE_COLUMNS}`, `entity_id, ${NEW_PAGE}, ${PAGE_COLUMNS}`),
    intervals: nowhere,
  },
  removing(REQUESTS),
  ...changing(REQUESTS, [
    `target = target || '&limit=1'`,
    `method = 'POST'`,
    'status = status + 1',
    'rows = rows + 1',
    `body_sha256 = repeat('f', 64)`,
    `gateway_date = coalesce(gateway_date, '2026-01-01') + interval '1 second'`,
    `sent_at = sent_at + interval '1 millisecond'`,
    `gateway_request_id = coalesce(gateway_request_id, '') || 'x'`,
    'run_id = gen_random_uuid()',
    `stream = 'pockets'`,
  ]),
  { ...copying(REQUESTS, REQUEST_COLUMNS, REQUEST_COLUMNS), intervals: nowhere },
  removing(LEAVES),
  ...changing(LEAVES, [
    `proof = case proof when 'window' then 'cursor' else 'window' end`,
    'list_total = coalesce(list_total, 0) + 1',
    'records = records + 1',
    `records_sum = repeat('f', 64)`,
    `seal = repeat('f', 64)`,
    'request_id = request_id - 1',
    'walk_id = gen_random_uuid()',
    'run_id = gen_random_uuid()',
  ]),
  ...changing({ ...LEAVES, intervals: whereItStands }, [moved]),
  { ...copying(LEAVES, `${LEAF_COLUMNS}, covered`, `${LEAF_COLUMNS}, covered`), intervals: byLeaf },
  removing(COVERAGE),
  ...changing(COVERAGE, [
    `covered = covered - tstzmultirange(tstzrange('2026-05-20', '2026-05-21'))`,
    `covered = covered + tstzmultirange(tstzrange(upper(covered), upper(covered) + interval '1 hour'))`,
    'landed = landed + 1',
    `records_sum = repeat('f', 64)`,
    `page_seal = repeat('f', 64)`,
    `leaf_seal = repeat('f', 64)`,
    `newest_at = coalesce(newest_at, '2026-01-01') + interval '1 hour'`,
  ]),
  {
    ...copying(COVERAGE, 'entity_id, stream, scope, covered', `entity_id, stream, 'ghost', covered`),
    list: 'movements ghost',
    rows: rowsOf('coverage', `stream = 'movements'`),
    intervals: anywhere,
  },
];
