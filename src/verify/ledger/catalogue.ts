// The catalogue compared with what the program ships. The schema is made anew beside the one that is there, in a transaction
// that is rolled back: Postgres then describes both in the same words, whatever its version, and nothing that was stored in
// the database, where it could be altered too, is believed.
import { SCHEMAS } from '../../database/books-mark.ts';
import { inSession, type Session } from '../../database/database.ts';
import { readSchemaFiles, type Shipped } from '../../database/schema-files.ts';
import { loadSql } from '../../database/sql.ts';
import { lockSchema } from '../../database/writer-lock.ts';
import { type Proof, proofOf } from '../proof.ts';

/** What the catalogue says of a thing, by aspect: its definition, its rights … */
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

/** Puts our schemas out of the way and makes them anew. Nobody else sees it, and no table that holds anything is locked. */
const makeAnew = async (session: Session, shipped: Shipped): Promise<void> => {
  const { rows } = await session.query<{ name: string }>(
    'select nspname as name from pg_namespace where nspname = any($1)',
    [SCHEMAS],
  );
  for (const { name } of rows) await session.query(`alter schema ${name} rename to tieout_aside_${name}`);
  for (const { up } of shipped.migrations) await session.query(up);
  await session.query(shipped.views);
};

const bothOf = (url: string, shipped: Shipped): Promise<{ found: Catalogue; made: Catalogue }> =>
  inSession(url, `tieout verify pid ${process.pid}`, async (session) => {
    await session.query('begin');
    try {
      await session.query(`set local lock_timeout = ${WAIT_MS}`);
      await session.query('set local search_path = pg_catalog'); // so that every name is written out
      const found = await catalogueOf(session);
      await makeAnew(session, shipped);
      return { found, made: await catalogueOf(session) };
    } finally {
      await session.query('rollback').catch(() => {}); // a lost session has rolled back already
    }
  });

const LENGTH_MAX = 120;
/** What is short enough for a line; a whole definition is not. */
const shown = (text: string | undefined): string | null =>
  text === undefined ? 'none' : text.length <= LENGTH_MAX && !text.includes('\n') ? text : null;

/** Of a list, what is on one side only; of anything else, both sides. */
const detailOf = (aspect: string, found: string | undefined, made: string | undefined): string => {
  if (aspect === 'rights') {
    const [is, ships] = [found, made].map((text) => text?.split(', ') ?? []) as [string[], string[]];
    const [more, less] = [is.filter((it) => !ships.includes(it)), ships.filter((it) => !is.includes(it))];
    return [more.length > 0 && `: more: ${more.join(', ')}`, less.length > 0 && `: less: ${less.join(', ')}`]
      .filter(Boolean)
      .join('');
  }
  const [is, ships] = [shown(found), shown(made)];
  return is === null || ships === null ? '' : `: ${is}; as shipped: ${ships}`;
};

const differenceOf = (thing: string, found: Aspects, made: Aspects): string | null => {
  const aspects = new Set([...found.keys(), ...made.keys()]);
  const differing = [...aspects].filter((name) => found.get(name) !== made.get(name));
  if (differing.length === 0) return null;
  const details = differing.map((name) => `${name}${detailOf(name, found.get(name), made.get(name))}`);
  return `${thing} is not as the program ships it (${details.join('; ')})`;
};

const faultOf = (thing: string, { found, made }: { found: Catalogue; made: Catalogue }): string | null => {
  const [is, ships] = [found.get(thing), made.get(thing)];
  if (is === undefined) return `${thing} is missing`;
  if (ships === undefined) return `${thing} is not of this program`;
  return differenceOf(thing, is, ships);
};

/** Relations before what is on them, so that the first fault names what is wrong, not what follows from it. */
const RANK = ['view', 'function', 'trigger', 'rule', 'policy', 'table', 'schema'];
const rankOf = (thing: string): number => {
  const rank = RANK.findIndex((kind) => thing.startsWith(`${kind} `));
  return rank < 0 ? RANK.length : rank;
};

/** Everything that was compared, each with what is wrong with it. Changes nothing; waits for a migration under way. */
export const compareCatalogue = async (ownerUrl: string): Promise<(string | null)[]> => {
  const shipped = await readSchemaFiles();
  const lock = await lockSchema(ownerUrl, WAIT_MS);
  try {
    const both = await bothOf(ownerUrl, shipped);
    const things = [...new Set([...both.found.keys(), ...both.made.keys()])];
    const faults = things.sort((a, b) => rankOf(a) - rankOf(b)).map((thing) => faultOf(thing, both));
    const groups = await groupsOf(ownerUrl);
    return [...faults, ...groups.map(({ thing, fault }) => fault && `${thing} ${fault}`)];
  } finally {
    await lock.release();
  }
};

/**
 * Proves that views, functions, rights, policies, triggers, tables and whatever else is in our schemas are what the program
 * makes, as the owner.
 */
export const proveCatalogue = async (ownerUrl: string): Promise<Proof> => {
  const proof = proofOf('views, rights and rules are those of this program');
  for (const fault of await compareCatalogue(ownerUrl)) proof.check(fault);
  return proof.done();
};

type Group = { readonly thing: string; readonly fault: string | null };

const groupsOf = (ownerUrl: string): Promise<Group[]> =>
  inSession(
    ownerUrl,
    'tieout verify',
    async (session) => (await session.query<Group>(loadSql('proofs/groups.sql'))).rows,
  );
