// Finds objects that others built in the same database, before and after a migration, so that none disappears with our
// views unnoticed. It compares the two lists instead of following dependencies, because a view, a default, a policy or a
// function can depend on our objects through any of several catalogues.
import { SCHEMAS } from './books-mark.ts';
import type { Session } from './client.ts';
import { loadSql } from './sql.ts';

/** Every object in a database that is not ours, by a key that stays the same for the object's lifetime. */
export const dependentsOf = async (session: Session): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await session.query<{ key: string; name: string }>(
    loadSql('dictionary/dependents.sql', { schemas: SCHEMAS }),
  );
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
