// Checks: one SQL file each in sql/checks, all of one shape. Adding a check is adding a file; its header says what becomes
// of a row.
import { basename } from 'node:path';
import { CompiledQuery, type Kysely } from 'kysely';
import type { DB } from '../db-types.ts';
import { type Run, report } from '../run.ts';
import { bindSql, readSql, sqlPaths } from '../sql.ts';
import type { Wrong } from './breaks.ts';

/** A break has a life of its own; a finding ends a run with 1; a note is only said; what is counted is counted elsewhere. */
const SEVERITIES = ['break', 'finding', 'note', 'counted'] as const;
type Severity = (typeof SEVERITIES)[number];

/** `isAcross`: it looks at all entities at once, so that it is asked when the last of them is booked. */
export type Check = {
  readonly name: string;
  readonly path: string;
  readonly severity: Severity;
  readonly isAcross: boolean;
};

/** The checks of some severities, by name. */
export const checksOf = (...severities: readonly Severity[]): Check[] =>
  sqlPaths('checks')
    .map((path) => ({
      ...{ name: basename(path, '.sql'), path, severity: severityIn(path) },
      isAcross: /^-- .*\bAcross entities\./m.test(readSql(path).text),
    }))
    .filter(({ severity }) => severities.includes(severity));

/** Throws where a header does not say what becomes of a row. */
const severityIn = (path: string): Severity => {
  const said = /^-- .*\bSeverity: (\w+)\./m.exec(readSql(path).text)?.[1];
  const known = SEVERITIES.find((severity) => severity === said);
  if (!known)
    throw new Error(`sql/${path} must say Severity: ${SEVERITIES.join(', ')}, each with a full stop`);
  return known;
};

/** What a check says of one entity in a run: the file as psql would run it, narrowed from outside. */
export const rowsOf = async (
  tx: Kysely<DB>,
  run: Run,
  { entity, path }: { readonly entity: string; readonly path: string },
): Promise<Wrong[]> => {
  const { text, values } = bindSql(readSql(path), { run: run.id });
  const narrowed = `select * from (${text}\n) as found where entity_id = $${values.length + 1}`;
  const { rows } = await tx.executeQuery<Wrong>(CompiledQuery.raw(narrowed, [...values, entity]));
  return rows;
};

/** So many rows of one note are told one by one: the others are in the check. */
const NOTES_MAX = 20;

/** Writes down the findings and notes of the checks, once a run has compared for the last time; rows by check, where there are some. */
export const tellChecks = async (
  db: Kysely<DB>,
  run: Run,
  { entity }: { readonly entity: string },
): Promise<{ readonly [check: string]: number }> => {
  const counts: Record<string, number> = {};
  for (const { name, path, severity } of checksOf('finding', 'note', 'counted')) {
    const rows = await rowsOf(db, run, { entity, path });
    if (rows.length > 0) counts[name] = rows.length;
    if (severity === 'counted' || severity === 'break') continue;
    const told = severity === 'note' ? rows.slice(0, NOTES_MAX) : rows;
    for (const { subject, reason } of told)
      await report(db, run, { entity, severity, subject, detail: reason });
    if (told.length < rows.length)
      await report(db, run, {
        ...{ entity, severity, subject: name },
        detail: `${rows.length - told.length} more: psql -v run=${run.id} -f sql/${path}`,
      });
  }
  return counts;
};
