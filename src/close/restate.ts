// Restatement: what a closed month would show today. Compares its sealed reports with the same reports computed as if the
// month were open; changes nothing.
import { createHash } from 'node:crypto';
import type { Database } from '../database/connection.ts';
import { loadSql } from '../database/database.ts';
import { eachLine, restatable, sealedColumns, type Version } from '../export/export.ts';

/** One report: the rows that would disappear, and those that would replace or join them. */
type Restated = {
  readonly report: string;
  readonly header: string;
  readonly removed: readonly string[];
  readonly added: readonly string[];
};

/** An entry that belongs to the month but is posted in a later one. */
type Late = Readonly<Record<string, string>>;

export type Restatement = {
  readonly entity: string;
  readonly period: string;
  readonly late: readonly Late[];
  readonly reports: readonly Restated[];
};

/**
 * Compares rows in any order with the sealed ones; a report or column that the program has gained since then is no
 * difference. Memory use is one digest per row of the longer report.
 */
export const restateMonth = async (
  pool: Database['pool'],
  month: {
    readonly entity: string;
    readonly period: string;
    readonly from: string;
    readonly to: string;
  },
): Promise<Restatement> => {
  const { entity, period } = month;
  const late = await pool.query<Late>(loadSql('seal/late.sql', { entity, period }));
  const sealed = await sealedColumns(pool, { entity, period });
  const reports: Restated[] = [];
  for (const path of restatable().filter((it) => sealed === null || sealed.has(it))) {
    const read =
      (version: Version): Read =>
      (visit) =>
        eachLine(pool, path, { version, visit });
    const then = read({ of: 'seal', entity, period });
    const now = read({ of: 'books', cut: { ...month, by: `${entity} ${period}` }, only: sealed?.get(path) });
    const difference = await differenceOf(then, now);
    if (difference.removed.length + difference.added.length > 0)
      reports.push({ report: path.replace(/^.*\/|\.sql$/g, ''), ...difference });
  }
  return { entity, period, late: late.rows, reports };
};

type Read = (visit: (line: string) => void) => Promise<void>;

/** The multiset difference of the lines. The first line of each report is its header. */
const differenceOf = async (then: Read, now: Read): Promise<Omit<Restated, 'report'>> => {
  const left = new Map<string, number>();
  await then(afterHead((line) => void left.set(digestOf(line), (left.get(digestOf(line)) ?? 0) + 1)));
  let header = '';
  const added: string[] = [];
  await now(
    afterHead(
      (line) => void (take(left, line) || added.push(line)),
      (head) => {
        header = head;
      },
    ),
  );
  const removed: string[] = [];
  await then(afterHead((line) => void (take(left, line) && removed.push(line))));
  return { header, removed, added };
};

const afterHead = (
  visit: (line: string) => void,
  onHead: (line: string) => void = () => {},
): ((line: string) => void) => {
  let isHead = true;
  return (line) => {
    if (isHead) onHead(line);
    else visit(line);
    isHead = false;
  };
};

/** Removes one occurrence of a line; false if none is left. */
const take = (counts: Map<string, number>, line: string): boolean => {
  const digest = digestOf(line);
  const count = counts.get(digest) ?? 0;
  if (count === 0) return false;
  counts.set(digest, count - 1);
  return true;
};

const digestOf = (line: string): string => createHash('sha256').update(line).digest('base64');
