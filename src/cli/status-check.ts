// status --check: whether every entity had a recent night, for probes and monitoring.
import { counted } from '../base/counted.ts';
import { MINUTE_MS } from '../base/time.ts';
import type { Database } from '../database/connection.ts';
import { bookedEntities, lateNights } from '../run/run.ts';
import type { LateNight } from '../run/verdicts.ts';
import { durationMs } from './duration.ts';
import { print, printJson } from './print.ts';

/** How old the last night may be: a day, and the time that a night takes. */
export const MAX_AGE = '26h';

export type CheckOptions = {
  readonly json?: boolean;
  readonly maxAge?: string;
  readonly clean?: boolean;
  readonly entity?: string;
};

/** Prints the entities whose last night is too old on one line; returns the exit code: 0 if there are none, else 1. */
export const checkNights = async ({ db }: Pick<Database, 'db'>, options: CheckOptions): Promise<0 | 1> => {
  const { maxAge = MAX_AGE } = options;
  const maxAgeSeconds = durationMs('max-age', maxAge) / 1_000;
  const entities = await bookedEntities({ db }, options.entity);
  const isLate = await (options.clean ? lateCleanNights : lateNights)(db, {
    maxAgeSeconds,
    entity: options.entity,
  });
  const exitCode = entities.length > 0 && isLate.length === 0 ? 0 : 1;
  if (options.json)
    printJson({ exit_code: exitCode, max_age_seconds: maxAgeSeconds, entities, late: isLate });
  else print(entities.length === 0 ? 'no night has run yet: npx tieout nightly' : sentence(isLate, options));
  return exitCode;
};

const lateCleanNights: typeof lateNights = async (db, { maxAgeSeconds, entity }) => {
  const { listedCleanNights } = await import('../monitor/monitor.ts');
  return (await listedCleanNights(db))
    .filter(({ entity_id: id }) => entity === undefined || id === entity)
    .filter(({ age_seconds: age }) => age === null || age < 0 || age > maxAgeSeconds)
    .sort((one, other) => (other.age_seconds ?? Infinity) - (one.age_seconds ?? Infinity));
};

const sentence = (
  [oldest, ...others]: readonly LateNight[],
  { maxAge = MAX_AGE, clean }: CheckOptions,
): string => {
  const night = clean ? 'clean night' : 'finished night';
  if (oldest === undefined) return `every entity has a ${night} of the last ${maxAge}`;
  const many = counted(others.length, 'other entity', 'other entities');
  const more = others.length === 0 ? '' : `, nor ${others.length === 1 ? 'has' : 'have'} ${many}`;
  return `${oldest.entity_id} has no ${night} of the last ${maxAge}: ${ageText(oldest)}${more}`;
};

const ageText = ({ age_seconds: seconds }: LateNight): string => {
  if (seconds === null) return 'it never had one';
  if (seconds < 0)
    return 'the last one began at a time that has not come, before the clock of the database was set back';
  const minutes = Math.floor((seconds * 1_000) / MINUTE_MS);
  const age = minutes < 120 ? counted(minutes, 'minute') : counted(Math.floor(minutes / 60), 'hour');
  return `the last one began ${age} ago`;
};
