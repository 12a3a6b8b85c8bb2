// Alterations: one random change of the landed tables, rolled back afterwards; verification must name its list and interval.
import { type Kysely, sql } from 'kysely';
import type { Books } from '../../src/database/connection.ts';
import type { DB } from '../../src/database/db-types.ts';
import type { Random } from '../../src/sandbox/random.ts';
import { type ListVerified, verifyCoverage } from '../../src/verify/coverage/coverage.ts';
import { ALTERATIONS, type Alteration } from './alteration-kinds.ts';
import type { Named, Row } from './altered-row.ts';

export type Altered = {
  readonly what: string;
  readonly isNamed: boolean;
  /** The result of verification, if it did not name the alteration. */
  readonly said: string;
};

type Asking = {
  readonly random: Random;
  /** The result of verification on the entity's unaltered lists. */
  readonly before: readonly ListVerified[];
  readonly verify?: typeof verifyCoverage;
};

/** Alters one row, runs the proof, and rolls the alteration back. */
export const alter = async (
  db: Books,
  entity: string,
  { random, before, verify = verifyCoverage }: Asking,
): Promise<Altered> => {
  for (const alteration of shuffled(ALTERATIONS, random)) {
    const tried = await rolledBack(db, async (tx) => {
      const row = await pick(tx, { entity, alteration, random, before });
      if (row === null) return null;
      const expected = await alteration.intervals(tx, { entity, ...row });
      await sql`set local session_replication_role = replica`.execute(tx);
      await alteration.run(tx, { entity, ...row });
      return judge(alteration, row, { before, expected, after: await verify(tx, { entity }) });
    });
    if (tried !== null) return tried;
  }
  return { what: 'nothing', isNamed: false, said: 'nothing is landed that could be altered' };
};

type Picking = {
  readonly entity: string;
  readonly alteration: Alteration;
  readonly random: Random;
  readonly before: readonly ListVerified[];
};

const pick = async (tx: Kysely<DB>, { entity, alteration, random, before }: Picking): Promise<Row | null> => {
  const rows = (await alteration.rows(tx, entity)).filter((row) => {
    const list = before.find((it) => it.stream === row.stream && it.scope === row.scope);
    return list?.fault === null || !alteration.needsSound;
  });
  return rows.length === 0 ? null : random.pick(rows);
};

class RolledBack extends Error {}

const rolledBack = async <T>(db: Books, use: (tx: Kysely<DB>) => Promise<T>): Promise<T> => {
  let result: T | undefined;
  try {
    await db.transaction().execute(async (tx) => {
      result = await use(tx);
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
  return result as T;
};

type Judging = {
  readonly before: readonly ListVerified[];
  readonly after: readonly ListVerified[];
  readonly expected: readonly Named[];
};

const judge = (alteration: Alteration, row: Row, { before, after, expected }: Judging): Altered => {
  const name = ({ stream, scope }: { stream: string; scope: string }) => `${stream} ${scope}`;
  const was = new Map(before.map((it) => [name(it), JSON.stringify(it.fault)]));
  const changed = after.filter((it) => JSON.stringify(it.fault) !== (was.get(name(it)) ?? 'null'));
  const [found] = changed;
  const isThere =
    changed.length === 1 && found && name(found) === (alteration.list ?? name(row)) && found.fault;
  const isInterval =
    expected.length === 0 ||
    expected.some(({ from, to }) => found?.fault?.from === from && found.fault.to === to);
  return {
    what: `${alteration.name} of ${name(row)}`,
    isNamed: Boolean(isThere) && isInterval,
    said:
      isThere && isInterval
        ? ''
        : JSON.stringify({ found: changed.map((it) => [name(it), it.fault]), expected }),
  };
};

const shuffled = <T>(items: readonly T[], random: Random): T[] => {
  const rest = [...items];
  return items.map(() => rest.splice(random.below(rest.length), 1)[0] as T);
};
