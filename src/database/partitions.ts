// Hash partitions by entity for the tables that grow with every record, chosen once, when the schema is created. Every key
// starts with entity_id, so the statements of the migrations stay as they are, and so does every query.
import assert from 'node:assert/strict';
import { UsageError } from '../base/errors.ts';
import type { Session } from './client.ts';

/** The tables. Personal fields are not among them: a right that is taken away on a table does not count on its partitions. */
const TABLES = [
  'land.requests',
  'land.records',
  'land.pages',
  'ledger.entries',
  'ledger.transfers',
  'ledger.outcomes',
  'ledger.daily',
  'value.postings',
  'value.uses',
  'value.lots',
  'reconcile.tie_outs',
];

/** The fewest and the most partitions of a table. */
export const PARTITION_COUNTS = [2, 1_024] as const;
/** Identity columns of partitioned tables exist from this version on. */
const SERVER_MIN = 170_000;

/** The partitions of each table, 0 without any. */
export const partitionsIn = async (session: Session): Promise<number> => {
  const { rows } = await session.query<{ count: number }>(
    `select count(*)::int4 as count from pg_inherits where inhparent = to_regclass('land.records')`,
  );
  return rows[0]?.count ?? 0;
};

/** Throws unless a new schema can have this many partitions. */
export const refusePartitions = async (session: Session, count: number): Promise<void> => {
  const [min, max] = PARTITION_COUNTS;
  assert(Number.isInteger(count) && count >= min && count <= max, `${count} partitions`);
  const { rows } = await session.query(`select current_setting('server_version_num')::int4 as number`);
  if (rows[0].number < SERVER_MIN)
    throw new UsageError('--partitions needs PostgreSQL 17 or newer: update the server, or leave it out');
};

/** The text of a migration with those tables partitioned, unchanged for 0. Storage parameters belong to the partitions. */
export const partitioned = (up: string, count: number): string =>
  (count === 0 ? [] : TABLES).reduce((text, table) => {
    const start = text.indexOf(`create table ${table} (`);
    if (start < 0) return text;
    const end = text.indexOf('\n)', start) + 2;
    const stop = text.indexOf(';', end);
    const storage = text.slice(end, stop);
    const parts = Array.from(
      { length: count },
      (_, part) =>
        `create table ${table}_${part} partition of ${table} for values with (modulus ${count}, remainder ${part})${storage};`,
    );
    return `${text.slice(0, end)} partition by hash (entity_id);\n${parts.join('\n')}${text.slice(stop + 1)}`;
  }, up);
