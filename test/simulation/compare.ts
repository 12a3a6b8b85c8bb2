// The comparison: what is landed beside what the world shows. Every difference has a kind; only gaps may occur.
import type { StreamName } from '../../src/base/streams.ts';
import { order } from '../../src/base/time.ts';
import type { Books } from '../../src/database/connection.ts';
import { type Claim, claimsOf, coverageOf, findingsOf, type LandedVersion, versionsOf } from './landed.ts';
import type { Life, SimWorld } from './life.ts';
import type { Slept } from './nights.ts';
import { present } from './world.ts';

/**
 * missed: listed, not landed, and in no gap. stale: landed with other content than the list shows. silent: a night
 * claimed an instant complete, and lacks a record that was listed there all the time. duplicated: landed twice, with
 * content that the list never had, or without being a record at all. unsaid: an expected finding is missing.
 */
export type Difference = {
  readonly word: 'missed' | 'stale' | 'silent' | 'duplicated' | 'unsaid' | 'gap' | 'failed';
  readonly stream: StreamName;
  readonly detail: string;
};

const differenceIn = (word: Difference['word'], { stream, id, time }: Life): Difference => ({
  word,
  stream,
  detail: `${id} of ${time}`,
});

type Latest = ReadonlyMap<string, LandedVersion>;
const keyOf = (stream: string, id: string): string => `${stream} ${id}`;

const latestOf = (versions: readonly LandedVersion[]): Latest =>
  new Map(versions.map((version) => [keyOf(version.stream, version.id), version]));

const isIn = (life: Life, claims: readonly Claim[]): boolean => {
  const time = life.time;
  return claims.some(
    ({ stream, scope, lower, upper }) =>
      stream === life.stream &&
      scope === life.scope &&
      (lower === '-infinity' || order(lower, time) <= 0) &&
      (upper === 'infinity' || order(time, upper) < 0),
  );
};

const revisionOf = ({ bodies }: Life): string => String(bodies.at(-1)?.revision);

/**
 * What a night claims and lacks, among all that was listed, unchanged, from its last attempt's first request to its end.
 * A count cannot detect a record that replaced another, nor an edited one: only a full night proves those.
 */
export const silentIn = async (
  db: Books,
  entity: string,
  { world, slept }: { readonly world: SimWorld; readonly slept: Slept },
): Promise<Difference[]> => {
  const claims = await claimsOf(db, entity, slept.run.id);
  if (claims.length === 0) return [];
  const latest = latestOf(await versionsOf(db, entity));
  const isCounted = (stream: StreamName) => stream === 'trades' || stream === 'earn-movements';
  return present(world)
    .filter((life) => life.since <= slept.tick && life.changed <= slept.tick && isIn(life, claims))
    .filter((life) => slept.isWhole || !(isCounted(life.stream) && world.hidden.has(life.stream)))
    .filter((life) => latest.get(keyOf(life.stream, life.id))?.revision !== revisionOf(life))
    .map((life) => differenceIn('silent', life));
};

export type Compared = {
  readonly differences: readonly Difference[];
  readonly records: number;
  /** Listed records that are in a stored gap and not landed. */
  readonly gapped: number;
};

/** The whole comparison, after the last night. */
export const compare = async (db: Books, entity: string, world: SimWorld): Promise<Compared> => {
  const versions = await versionsOf(db, entity);
  const coverage = await coverageOf(db, entity);
  const findings = await findingsOf(db, entity);
  const latest = latestOf(versions);
  const listed = present(world);
  const absent = listed.filter((life) => !latest.has(keyOf(life.stream, life.id)));
  const stale = listed.filter((life) => {
    const landed = latest.get(keyOf(life.stream, life.id));
    return landed !== undefined && landed.revision !== revisionOf(life);
  });
  const isReported = (stream: StreamName, what: RegExp) =>
    findings.some(({ subject }) => subject === stream || (subject.startsWith(stream) && what.test(subject)));
  const gaps = world.plan.streams.filter((stream) => isOpen(stream, world, coverage));
  const differences = [
    ...absent.filter((life) => isIn(life, coverage)).map((life) => differenceIn('missed', life)),
    ...stale.filter((life) => isIn(life, coverage)).map((life) => differenceIn('stale', life)),
    ...doubled(versions, world),
    ...gaps.map((stream): Difference => ({ word: 'gap', stream, detail: gapsIn(stream, coverage) })),
    ...gaps
      .filter((stream) => !isReported(stream, /gap|total|cursor|order|window/))
      .map((stream): Difference => ({ word: 'unsaid', stream, detail: 'a gap without a finding' })),
    ...world.plan.streams
      .filter(
        (stream) =>
          !gaps.includes(stream) && isTakenFrom(stream, world, latest) && !isReported(stream, /disappeared/),
      )
      .map(
        (stream): Difference => ({
          word: 'unsaid',
          stream,
          detail: 'a record disappeared without a finding',
        }),
      ),
  ];
  return {
    differences,
    records: listed.length,
    gapped: absent.filter((life) => !isIn(life, coverage)).length,
  };
};

/** Landed, covered, and no longer listed. */
const isTakenFrom = (stream: StreamName, { lives }: SimWorld, latest: Latest): boolean =>
  lives.some((life) => life.stream === stream && life.gone !== null && latest.has(keyOf(stream, life.id)));

/** Each list must be covered from the beginning of time in one piece. */
const isOpen = (stream: StreamName, { cast }: SimWorld, coverage: readonly Claim[]): boolean => {
  const scopes = stream === 'earn-movements' ? cast.earn.map(({ id }) => id) : [''];
  return scopes.some((scope) => {
    const parts = coverage.filter((it) => it.stream === stream && it.scope === scope);
    return parts.length !== 1 || parts[0]?.lower !== '-infinity';
  });
};

const gapsIn = (stream: StreamName, coverage: readonly Claim[]): string =>
  coverage
    .filter((it) => it.stream === stream)
    .map(({ lower, upper }) => `[${lower}, ${upper})`)
    .join(' ') || 'nothing is covered';

/** Each version must be a content that the list had, in order, and no two successive ones may be equal. */
const doubled = (versions: readonly LandedVersion[], { lives }: SimWorld): Difference[] => {
  const known = new Map(lives.map((life) => [keyOf(life.stream, life.id), life]));
  const found: Difference[] = [];
  let previous: LandedVersion | null = null;
  for (const version of versions) {
    const life = known.get(keyOf(version.stream, version.id));
    const before = previous?.stream === version.stream && previous.id === version.id ? previous : null;
    const isNext = version.version === (before?.version ?? 0) + 1 && version.digest !== before?.digest;
    const isKnown =
      life?.scope === version.scope && life.bodies.some(({ revision }) => revision === version.revision);
    const isLater = Number.parseInt(version.revision, 10) > Number.parseInt(before?.revision ?? '-1', 10);
    if (!(isNext && isKnown && isLater))
      found.push({
        word: 'duplicated',
        stream: version.stream,
        detail: `${version.id}, version ${version.version}`,
      });
    previous = version;
  }
  return found;
};
