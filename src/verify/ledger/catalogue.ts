// Compares the database's catalogue with the schema that the program ships. The shipped schema is created beside the existing
// one in a transaction that is rolled back: Postgres describes both in the same words, whatever its version, and the check
// trusts nothing that is stored in the database, where it could be altered too.

import type { Session } from '../../database/client.ts';
import type { Stopping } from '../../database/connection.ts';
import { inSession, loadSql, lockSchema } from '../../database/database.ts';
import { partitioned, partitionsIn, readSchemaFiles, SCHEMAS } from '../../database/schema.ts';
import type { Shipped } from '../../database/schema-files.ts';
import { type Proof, proofOf } from '../proof.ts';

/** What the catalogue states about an object, by aspect: its definition, its rights … */
type Aspects = ReadonlyMap<string, string>;
type Catalogue = ReadonlyMap<string, Aspects>;

const WAIT_MS = 60_000;

const catalogueOf = async (session: Session): Promise<Catalogue> => {
  const { rows } = await session.query<{ thing: string; aspect: string; text: string }>(
    loadSql('proofs/catalogue.sql', { schemas: SCHEMAS.join(',') }),
  );
  const things = new Map<string, Map<string, string>>();
  for (const { thing, aspect, text } of rows)
    things.set(thing, (things.get(thing) ?? new Map()).set(aspect, text));
  return things;
};

/** Renames our schemas and creates the shipped ones. No other session sees it, and no table with rows is locked. */
const createShippedSchema = async (session: Session, shipped: Shipped): Promise<void> => {
  const { rows } = await session.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1)',
    [SCHEMAS],
  );
  const partitions = await partitionsIn(session);
  for (const { name } of rows) await session.query(`alter schema ${name} rename to tieout_aside_${name}`);
  for (const { up } of shipped.migrations) await session.query(partitioned(up, partitions));
  await session.query(shipped.views);
};

const readCatalogues = (
  url: string,
  shipped: Shipped,
  stopping: Stopping,
): Promise<{ found: Catalogue; made: Catalogue }> => {
  const reading = async (session: Session) => {
    await session.query('begin');
    try {
      await session.query(`set local lock_timeout = ${WAIT_MS}`);
      await session.query('set local search_path = pg_catalog'); // so that every name is written out
      const found = await catalogueOf(session);
      await createShippedSchema(session, shipped);
      return { found, made: await catalogueOf(session) };
    } finally {
      await session.query('rollback').catch(() => {}); // a lost session has rolled back already
    }
  };
  return inSession(url, `tieout verify pid ${process.pid}`, reading, stopping);
};

const LENGTH_MAX = 120;
/** Text short enough for one line; null for a whole definition. */
const shown = (text: string | undefined): string | null =>
  text === undefined ? 'none' : text.length <= LENGTH_MAX && !text.includes('\n') ? text : null;

/** For a list, the members on one side only; for anything else, both sides. */
const detailOf = (aspect: string, found: string | undefined, made: string | undefined): string => {
  if (aspect === 'rights') {
    const [present, shipped] = [found, made].map((text) => text?.split(', ') ?? []) as [string[], string[]];
    const extra = present.filter((right) => !shipped.includes(right));
    const missing = shipped.filter((right) => !present.includes(right));
    return [
      extra.length > 0 && `: more: ${extra.join(', ')}`,
      missing.length > 0 && `: less: ${missing.join(', ')}`,
    ]
      .filter(Boolean)
      .join('');
  }
  const [present, shipped] = [shown(found), shown(made)];
  return present === null || shipped === null ? '' : `: ${present}; as shipped: ${shipped}`;
};

const differenceOf = (thing: string, found: Aspects, made: Aspects): string | null => {
  const aspects = new Set([...found.keys(), ...made.keys()]);
  const differing = [...aspects].filter((name) => found.get(name) !== made.get(name));
  if (differing.length === 0) return null;
  const details = differing.map((name) => `${name}${detailOf(name, found.get(name), made.get(name))}`);
  return `${thing} is not as the program ships it (${details.join('; ')})`;
};

const faultOf = (thing: string, { found, made }: { found: Catalogue; made: Catalogue }): string | null => {
  const [present, shipped] = [found.get(thing), made.get(thing)];
  if (present === undefined) return `${thing} is missing`;
  if (shipped === undefined) return `${thing} is not of this program`;
  return differenceOf(thing, present, shipped);
};

/** Relations before their dependents, so that the first fault names the cause, not a consequence. */
const RANK = ['view', 'function', 'trigger', 'rule', 'policy', 'table', 'schema'];
const rankOf = (thing: string): number => {
  const rank = RANK.findIndex((kind) => thing.startsWith(`${kind} `));
  return rank < 0 ? RANK.length : rank;
};

/** One element per compared thing: its fault or null. Changes nothing; waits for a migration that is running. */
export const compareCatalogue = async (
  ownerUrl: string,
  stopping: Stopping = {},
): Promise<(string | null)[]> => {
  const shipped = await readSchemaFiles();
  const lock = await lockSchema(ownerUrl, WAIT_MS, stopping);
  try {
    const both = await readCatalogues(ownerUrl, shipped, stopping);
    const things = [...new Set([...both.found.keys(), ...both.made.keys()])];
    const faults = things.sort((a, b) => rankOf(a) - rankOf(b)).map((thing) => faultOf(thing, both));
    const powers = await powersOf(ownerUrl, stopping);
    return [...faults, ...powers.map(({ thing, fault }) => fault && `${thing} ${fault}`)];
  } finally {
    await lock.release();
  }
};

/** Proves, as the owner, that views, functions, rights, policies, triggers, tables and all else in our schemas are as shipped. */
export const proveCatalogue = async (ownerUrl: string, stopping: Stopping = {}): Promise<Proof> => {
  const proof = proofOf('views, rights and rules are those of this program');
  for (const fault of await compareCatalogue(ownerUrl, stopping)) proof.check(fault);
  return proof.done();
};

type Power = { readonly thing: string; readonly fault: string | null };

/** What the schema does not show: roles that pass their rights, settings and event triggers that pass the schema, sequences turned back. */
const powersOf = (ownerUrl: string, stopping: Stopping): Promise<Power[]> =>
  inSession(
    ownerUrl,
    'tieout verify',
    async (session) => {
      const groups = await session.query<Power>(loadSql('proofs/groups.sql'));
      const bypasses = await session.query<Power>(loadSql('proofs/bypasses.sql'));
      const sequences = await session.query<Power>(loadSql('proofs/sequences.sql'));
      return [...groups.rows, ...bypasses.rows, ...sequences.rows];
    },
    stopping,
  );
