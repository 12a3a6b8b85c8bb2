// Finds objects that others built in the same database, before and after a migration, so that none disappears with our
// views unnoticed. It compares the two lists instead of following dependencies, because a view, a default, a policy or a
// function can depend on our objects through any of several catalogues.
import { SCHEMAS } from './books-mark.ts';
import type { Session } from './database.ts';

const OBJECTS = `
  with ours as (
    select oid from pg_namespace where nspname = any($1) or nspname ~ '^pg_' or nspname = 'information_schema'
  ), relations as (
    select oid from pg_class where relnamespace not in (select oid from ours)
  ), objects (classid, objid, objsubid) as (
    select 'pg_class'::regclass, oid, 0 from relations
    union all
    select 'pg_class'::regclass, attrelid, attnum from pg_attribute
    where attrelid in (select oid from relations) and attnum > 0 and not attisdropped
    union all
    select 'pg_proc'::regclass, oid, 0 from pg_proc where pronamespace not in (select oid from ours)
    union all
    select 'pg_constraint'::regclass, oid, 0 from pg_constraint where connamespace not in (select oid from ours)
    union all
    select 'pg_policy'::regclass, oid, 0 from pg_policy where polrelid in (select oid from relations)
    union all
    select 'pg_attrdef'::regclass, oid, 0 from pg_attrdef where adrelid in (select oid from relations)
    union all
    select 'pg_trigger'::regclass, oid, 0 from pg_trigger where tgrelid in (select oid from relations) and not tgisinternal
  )
  select concat_ws('/', classid::oid, objid, objsubid) as key, type || ' ' || identity as name
  from objects cross join pg_identify_object(classid, objid, objsubid)
  order by name`;

/** Every object in a database that is not ours, by a key that stays the same for the object's lifetime. */
export const dependentsOf = async (session: Session): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await session.query<{ key: string; name: string }>(OBJECTS, [SCHEMAS]);
  return new Map(rows.map(({ key, name }) => [key, name]));
};

/** The names of the objects that disappeared. The columns of a dropped view are not listed separately. */
export const lostBetween = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] => {
  const isLost = (key: string) => before.has(key) && !after.has(key);
  const whole = (key: string) => key.replace(/\d+$/, '0');
  const lost = [...before].filter(([key]) => isLost(key) && (key === whole(key) || !isLost(whole(key))));
  return lost.map(([, name]) => name);
};
