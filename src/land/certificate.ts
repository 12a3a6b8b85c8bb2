// The certificate, written while landing: the request and the records of each page, and the interval that it proves.
// `tieout verify coverage` recomputes all of it from landed rows alone.
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { storable } from '../base/json.ts';
import { type LandedStream, timeFieldOf } from '../base/streams.ts';
import { earlier, order, readInstant } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { Cover, Trouble } from '../extract/step.ts';
import type { Run } from '../run/job-run.ts';
import type { CountedVersion } from './records.ts';
import { addSums, leafSeal, pageSeal, sumOf } from './seals.ts';
import { unlistedRecords } from './unlisted.ts';
import type { RecordStep } from './watch.ts';

/** A request as it is stored, without the number that the database gives it. */
export type RequestRow = Omit<Selectable<DB['land.requests']>, 'request_id'>;

type ListCertificate = {
  readonly entity: string;
  readonly stream: LandedStream;
  readonly scope: string;
  readonly run: Run;
};

/** The state of a list's certificate; changed while a step lands, and saved with it. */
export type Certificate = {
  landed: number;
  recordsSum: string;
  pageSeal: string;
  leafSeal: string;
  newestAt: string | null;
};

type CoverageRow = Pick<
  Selectable<DB['land.coverage']>,
  'landed' | 'records_sum' | 'page_seal' | 'leaf_seal' | 'newest_at'
>;

/** Reads the state of the certificate, and locks its row until the step is landed. */
export const openCertificate = async (
  tx: Kysely<DB>,
  { entity, stream, scope }: ListCertificate,
): Promise<Certificate> => {
  const read = () => readCertificate(tx, { entity, stream, scope });
  const known = await read();
  if (known) return known;
  await sql`
    insert into land.coverage (entity_id, stream, scope, covered) values (${entity}, ${stream}, ${scope}, '{}')
    on conflict do nothing`.execute(tx);
  const begun = await read();
  if (!begun) throw new Error(`the certificate of ${entity} ${stream} ${scope} has no row`);
  return begun;
};

type CertificateKey = Omit<ListCertificate, 'run'>;

const readCertificate = async (
  tx: Kysely<DB>,
  { entity, stream, scope }: CertificateKey,
): Promise<Certificate | null> => {
  const { rows } = await sql<CoverageRow>`
    select landed, records_sum, page_seal, leaf_seal, newest_at
    from land.coverage where entity_id = ${entity} and stream = ${stream} and scope = ${scope} for update`.execute(
    tx,
  );
  const [row] = rows;
  return row
    ? {
        landed: row.landed,
        recordsSum: row.records_sum,
        pageSeal: row.page_seal,
        leafSeal: row.leaf_seal,
        newestAt: row.newest_at,
      }
    : null;
};

/** The request of the page that the same statement adds. */
const THIS_REQUEST = sql<string>`(select request_id from request)`;

/** The request of the last page of a list. */
const lastRequest = ({ entity, stream, scope }: CertificateKey) => sql<string>`(
  select coalesce(max(request_id), 0) from land.pages
  where entity_id = ${entity} and stream = ${stream} and scope = ${scope}
)`;

type Page = {
  readonly page: NonNullable<RecordStep['page']>;
  readonly walkId: string;
  readonly certificate: Certificate;
  readonly request: RequestRow;
  readonly brought: readonly CountedVersion[];
};

/** The part of a statement that adds a page: its place in the walk, and the versions that it was the first to show. */
export const pagePart = (tx: Kysely<DB>, to: ListCertificate, landedPage: Page): RawBuilder<unknown> => {
  const { page, certificate, request, brought } = landedPage;
  const times = page.rows
    .map((row) => readInstant(row[timeFieldOf(to.stream)]))
    .filter((time) => time !== null);
  const fields = {
    entity_id: to.entity,
    stream: to.stream,
    scope: to.scope,
    walk_id: landedPage.walkId,
    is_full: page.isFull,
    oldest_at: times.reduce<string | null>((least, time) => earlier(time, least), null),
    list_offset: page.offset ?? null,
    list_total: page.total ?? null,
    cursor_in: cursorText(page.cursorIn),
    cursor_out: cursorText(page.cursorOut),
    brought: brought.length,
    fresh: brought.filter(({ version }) => version === 1).length,
    brought_sum: sumOf(to.scope, brought),
  };
  const seal = pageSeal(certificate.pageSeal, { ...request, ...fields });
  certificate.pageSeal = seal;
  certificate.landed += fields.fresh;
  certificate.recordsSum = addSums(certificate.recordsSum, fields.brought_sum);
  for (const { recordAt } of brought) {
    if (recordAt !== null && (certificate.newestAt === null || order(recordAt, certificate.newestAt) > 0))
      certificate.newestAt = recordAt;
  }
  return sql`page as (${tx.insertInto('land.pages').values({ ...fields, request_id: THIS_REQUEST, seal })})`;
};

const cursorText = (cursor: string | null | undefined): string | null =>
  cursor === null || cursor === undefined ? null : storable(cursor);

type Leaf = {
  readonly cover: Cover;
  readonly walkId: string;
  readonly certificate: Certificate;
  /** The versions of this step's page, which the same statement adds; null if the step has no page. */
  readonly brought: readonly CountedVersion[] | null;
  readonly isSeen: (recordId: string) => boolean;
};

/**
 * The part of a statement that adds the interval that a step proved, and the records landed in it before that are no longer
 * listed.
 */
export const leafPart = async (
  tx: Kysely<DB>,
  to: ListCertificate,
  { cover, walkId, certificate, brought, isSeen }: Leaf,
): Promise<{ readonly part: RawBuilder<unknown>; readonly unlisted: readonly Trouble[] }> => {
  const [from, until] = [cover.from ?? '-infinity', cover.to ?? 'infinity'];
  const landed = cover.proof === 'list' ? [] : await landedIn(tx, to, { from, until });
  const inside = withBrought(landed, cover, brought ?? []);
  const unseen = landed.map(({ recordId }) => recordId).filter((id) => !isSeen(id));
  const fields = {
    walk_id: walkId,
    run_id: to.run.id,
    proof: cover.proof,
    list_total: cover.total ?? null,
    records: cover.proof === 'list' ? certificate.landed : inside.length,
    records_sum: cover.proof === 'list' ? certificate.recordsSum : sumOf(to.scope, inside),
  };
  const seal = leafSeal(certificate.leafSeal, {
    ...fields,
    ...to,
    from,
    until,
    page_seal: certificate.pageSeal,
  });
  certificate.leafSeal = seal;
  const row = tx.insertInto('land.leaves').values({
    ...fields,
    entity_id: to.entity,
    stream: to.stream,
    scope: to.scope,
    request_id: brought ? THIS_REQUEST : lastRequest(to),
    covered: sql<string>`tstzrange(${from}::timestamptz, ${until}::timestamptz)`,
    seal,
  });
  return {
    part: sql`leaf as (${row})`,
    unlisted: await unlistedRecords(tx, { ...to, from, until }, unseen),
  };
};

/** The latest version of each record in an interval, once a page is landed too. */
const withBrought = (
  landed: readonly CountedVersion[],
  { from, to }: Cover,
  brought: readonly CountedVersion[],
): CountedVersion[] => {
  const isInside = (instant: string) =>
    (from === null || order(instant, from) >= 0) && (to === null || order(instant, to) < 0);
  const latest = new Map(landed.map((version) => [version.recordId, version]));
  for (const version of brought)
    if (version.recordAt !== null && isInside(version.recordAt)) latest.set(version.recordId, version);
  return [...latest.values()];
};

/** What was landed in an interval before this step. */
const landedIn = async (
  tx: Kysely<DB>,
  { entity, stream, scope }: ListCertificate,
  { from, until }: { from: string; until: string },
): Promise<CountedVersion[]> => {
  const { rows } = await sql<CountedVersion>`
    select distinct on (record_id) record_id as "recordId", version, encode(digest, 'hex') as digest,
      record_at as "recordAt", landed_at as "landedAt"
    from land.records
    where entity_id = ${entity} and stream = ${stream} and scope = ${scope}
      and record_at >= ${from}::timestamptz and record_at < ${until}::timestamptz
    order by record_id, version desc`.execute(tx);
  return rows;
};

/**
 * Lands a step: the other parts of the statement, and the state of the certificate after them. One statement, because a page
 * needs more time for each statement than for its rows.
 */
export const saveStep = async (
  tx: Kysely<DB>,
  { entity, stream, scope }: ListCertificate,
  { certificate, cover, parts }: SavedStep,
): Promise<void> => {
  const { landed, recordsSum, pageSeal: seal, leafSeal: lastLeaf, newestAt } = certificate;
  const proved = cover
    ? sql`covered + tstzmultirange(tstzrange(${cover.from ?? '-infinity'}::timestamptz, ${cover.to ?? 'infinity'}::timestamptz))`
    : sql`covered`;
  const others = parts.length > 0 ? sql`with ${sql.join(parts)}` : sql``;
  await sql`${others}
    update land.coverage set landed = ${landed}, records_sum = ${recordsSum}, page_seal = ${seal}, leaf_seal = ${lastLeaf},
      newest_at = ${newestAt}::timestamptz, covered = ${proved}
    where entity_id = ${entity} and stream = ${stream} and scope = ${scope}`.execute(tx);
};

type SavedStep = {
  readonly certificate: Certificate;
  readonly cover: Cover | undefined;
  readonly parts: readonly RawBuilder<unknown>[];
};
