// Checks: one SQL file each in sql/checks, all of one form. To add a check, add a file; its header has the severity of its
// rows.
import { basename } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { atMost, together } from '../base/together.ts';
import { type CheckRow, openChecks, settleBreaks } from '../breaks/breaks.ts';
import { loadSql, readRows, readSql, sqlPaths } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { BoundSql } from '../database/sql.ts';
import type { Run } from '../run/job-run.ts';
import { reportAll } from '../run/run.ts';
import { settleLows } from './lows.ts';

/**
 * A break has a life cycle; a finding ends a run with 1; a note is only reported, and becomes a break if its check says so
 * and the next reading has it too; counted rows are counted elsewhere.
 */
const SEVERITIES = ['break', 'finding', 'note', 'counted'] as const;
type Severity = (typeof SEVERITIES)[number];

/**
 * `isAcross`: it looks at all entities at once, so it runs after the last of them is booked. `isOfLanded`: it looks at
 * nothing but the records that the run landed, and those before it that no run has looked at, so without any it need not run.
 */
export type Check = {
  readonly name: string;
  readonly path: string;
  readonly severity: Severity;
  /** The same note in two consecutive readings is a break. */
  readonly stays: boolean;
  readonly isAcross: boolean;
  readonly isOfLanded: boolean;
};

/** The checks of the given severities, by name. */
export const checksOf = (...severities: readonly Severity[]): Check[] =>
  sqlPaths('checks')
    .map((path) => ({
      name: basename(path, '.sql'),
      path,
      ...severityIn(path),
      isAcross: /^-- .*\bAcross entities\./m.test(readSql(path).text),
      isOfLanded: /^-- .*\bOf what the run landed\./m.test(readSql(path).text),
    }))
    .filter(({ severity }) => severities.includes(severity));

/** Throws if a header has no severity. */
const severityIn = (path: string): Pick<Check, 'severity' | 'stays'> => {
  const [, severityWord, stays] =
    /^-- .*\bSeverity: (\w+)(, a break when it stays)?\./m.exec(readSql(path).text) ?? [];
  const severity = SEVERITIES.find((known) => known === severityWord);
  if (!severity || (stays !== undefined && severity !== 'note'))
    throw new Error(`sql/${path} must say Severity: ${SEVERITIES.join(', ')}, each with a full stop`);
  return { severity, stays: stays !== undefined };
};

/** A check for some entities: the file as psql runs it, planned once and run for one entity after the other, each found by indexes. */
export const narrowedTo = (entities: readonly string[], { text, values }: BoundSql): BoundSql => ({
  text: `select found.* from unnest($${values.length + 1}::text[]) as wanted (entity_id)
    cross join lateral (select * from (${text}\n) as whole where whole.entity_id = wanted.entity_id offset 0) as found`,
  values: [...values, entities],
});

/** The rows of a check for some entities. */
export const rowsOf = (
  tx: Kysely<DB>,
  run: Run,
  { entities, path }: { readonly entities: readonly string[]; readonly path: string },
): Promise<CheckRow[]> => readRows(tx, narrowedTo(entities, loadSql(path, { run: run.id })));

/** Checks only read, so that the database may work on several at once. */
const SIDE_BY_SIDE = 2;

/** At most this many rows of one note are reported one by one; the check has the others. Of a note that becomes a break, all. */
const NOTES_MAX = 20;

/** The number of rows by check. */
type RowCounts = { readonly [check: string]: number };

/**
 * Stores the findings and notes of the checks after the last comparison of a run, each check once for all entities.
 * Returns the number of rows of each entity by check.
 */
export const reportChecks = async (
  db: Kysely<DB>,
  run: Run,
  { entities }: { readonly entities: readonly string[] },
): Promise<ReadonlyMap<string, RowCounts>> => {
  const counts = new Map<string, Record<string, number>>(entities.map((entity) => [entity, {}]));
  if (entities.length === 0) return counts;
  const hasLanded = await hasLandedRecords(db, run, entities);
  const open = await openChecks(db, entities);
  const checks = checksOf('finding', 'note', 'counted').filter(({ isOfLanded }) => hasLanded || !isOfLanded);
  const limit = atMost(SIDE_BY_SIDE);
  const rowsFound = await together(
    checks.map(({ path }) => limit(() => rowsOf(db, run, { entities, path }))),
  );
  for (const [index, check] of checks.entries()) {
    const found = groupBy(rowsFound[index] ?? [], ({ entity_id }) => entity_id);
    for (const [entity, counted] of counts) {
      const rows = found.get(entity) ?? [];
      if (rows.length > 0) counted[check.name] = rows.length;
      if (check.stays && (rows.length > 0 || open.has(`${entity} ${check.name}`)))
        await breakStaying(db, run, { entity, check, rows });
      await reportRows(db, run, { entity, check, rows });
    }
  }
  await settleLows(db, entities);
  return counts;
};

const hasLandedRecords = async (db: Kysely<DB>, run: Run, entities: readonly string[]): Promise<boolean> => {
  const { rows } = await sql`
    select from books_internal.unchecked_entities
    where run_id = ${run.id}::uuid and entity_id = any (${entities}::text[]) limit 1`.execute(db);
  return rows.length > 0;
};

type CheckResult = { readonly entity: string; readonly check: Check; readonly rows: readonly CheckRow[] };

const reportRows = async (
  db: Kysely<DB>,
  run: Run,
  { entity, check: { name, path, severity, stays }, rows }: CheckResult,
): Promise<void> => {
  if (severity === 'counted' || severity === 'break') return;
  const shown = severity === 'note' && !stays ? rows.slice(0, NOTES_MAX) : rows;
  const findings = shown.map(({ subject, reason }) => ({ entity, severity, subject, detail: reason }));
  const others = `${rows.length - shown.length} more: npx tieout query --file sql/${path} --set run=${run.id}`;
  if (shown.length < rows.length) findings.push({ entity, severity, subject: name, detail: others });
  await reportAll(db, run, findings);
};

/** The same note in two consecutive readings opens a break, which is resolved when the note no longer occurs. */
const breakStaying = (
  db: Kysely<DB>,
  run: Run,
  { entity, check: { name }, rows }: CheckResult,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const before = await notesBefore(tx, entity);
    const staying = rows.filter(({ subject, reason }) => before.has(`${subject}: ${reason}`));
    await settleBreaks(tx, run, { entity, check: name, rows: staying, causes: new Map() });
  });

/** The notes of the run that read the balances the time before last. */
const notesBefore = async (db: Kysely<DB>, entity: string): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ note: string }>`
    with last as (
      select run_id from land.snapshots where entity_id = ${entity} order by request_id desc limit 1
    ), before as (
      select run_id from land.snapshots
      where entity_id = ${entity} and run_id <> (select run_id from last)
      order by request_id desc limit 1
    )
    select subject || ': ' || detail as note
    from run.findings where entity_id = ${entity} and severity = 'note' and run_id = (select run_id from before)`.execute(
    db,
  );
  return new Set(rows.map(({ note }) => note));
};
