// The certificate, written while landing: the request and the records of each page, and the interval that it proves.
// `tieout verify coverage` recomputes all of it from landed rows alone.
import { type Kysely, type Selectable, sql } from 'kysely';
import { storable } from '../base/json.ts';
import { type LandedStream, timeFieldOf } from '../base/streams.ts';
import { order, readInstant } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { Cover, Trouble } from '../extract/step.ts';
import type { Run } from '../run/job-run.ts';
import type { CountedVersion } from './records.ts';
import { addSums, leafSeal, pageSeal, sumOf } from './seals.ts';
import type { RecordStep } from './watch.ts';

export type RequestRow = Selectable<DB['land.requests']>;

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
  /** The request of this step's page, if it has one. */
  requestId: string | null;
  covers: Cover[];
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
        requestId: null,
        covers: [],
      }
    : null;
};

/** The request of the last page of a list. */
const lastPage = async (tx: Kysely<DB>, { entity, stream, scope }: CertificateKey): Promise<string> => {
  const { rows } = await sql<{ request_id: string }>`
    select coalesce(max(request_id), 0) as request_id from land.pages
    where entity_id = ${entity} and stream = ${stream} and scope = ${scope}`.execute(tx);
  return rows[0]?.request_id ?? '0';
};

type Page = {
  readonly page: NonNullable<RecordStep['page']>;
  readonly walkId: string;
  readonly certificate: Certificate;
  readonly request: RequestRow;
  readonly brought: readonly CountedVersion[];
};

/** Adds a page: its place in the walk, and the versions that it was the first to show. */
export const addPage = async (tx: Kysely<DB>, to: ListCertificate, landedPage: Page): Promise<void> => {
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
    oldest_at: times.reduce<string | null>(
      (least, time) => (least === null || order(time, least) < 0 ? time : least),
      null,
    ),
    list_offset: page.offset ?? null,
    list_total: page.total ?? null,
    cursor_in: cursorText(page.cursorIn),
    cursor_out: cursorText(page.cursorOut),
    brought: brought.length,
    fresh: brought.filter(({ version }) => version === 1).length,
    brought_sum: sumOf(to.scope, brought),
  };
  const seal = pageSeal(certificate.pageSeal, { ...request, ...fields });
  await tx
    .insertInto('land.pages')
    .values({ ...fields, request_id: request.request_id, seal })
    .execute();
  certificate.pageSeal = seal;
  certificate.requestId = request.request_id;
  certificate.landed += fields.fresh;
  certificate.recordsSum = addSums(certificate.recordsSum, fields.brought_sum);
  for (const { recordAt } of brought) {
    if (recordAt !== null && (certificate.newestAt === null || order(recordAt, certificate.newestAt) > 0))
      certificate.newestAt = recordAt;
  }
};

const cursorText = (cursor: string | null | undefined): string | null =>
  cursor === null || cursor === undefined ? null : storable(cursor);

type Leaf = {
  readonly cover: Cover;
  readonly walkId: string;
  readonly certificate: Certificate;
  readonly isSeen: (recordId: string) => boolean;
};

/** Adds the interval that a step proved. Returns the records landed in it before that are no longer listed. */
export const addLeaf = async (
  tx: Kysely<DB>,
  to: ListCertificate,
  { cover, walkId, certificate, isSeen }: Leaf,
): Promise<Trouble[]> => {
  const [from, until] = [cover.from ?? '-infinity', cover.to ?? 'infinity'];
  const inside = cover.proof === 'list' ? [] : await landedIn(tx, to, { from, until });
  const fields = {
    walk_id: walkId,
    run_id: to.run.id,
    request_id: certificate.requestId ?? (await lastPage(tx, to)),
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
  const range = sql<string>`tstzrange(${from}::timestamptz, ${until}::timestamptz)`;
  await tx
    .insertInto('land.leaves')
    .values({ ...fields, entity_id: to.entity, stream: to.stream, scope: to.scope, covered: range, seal })
    .execute();
  certificate.leafSeal = seal;
  certificate.covers.push(cover);
  return cover.proof === 'list' ? [] : missingRecords(inside.filter(({ recordId }) => !isSeen(recordId)));
};

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

const SHOWN_MAX = 5;

const missingRecords = (gone: readonly CountedVersion[]): Trouble[] => {
  if (gone.length === 0) return [];
  const shown = gone.slice(0, SHOWN_MAX).map(({ recordId }) => recordId);
  const more = gone.length > shown.length ? ` and ${gone.length - shown.length} more` : '';
  return [
    { subject: 'disappeared', detail: `no longer listed, still in the books: ${shown.join(', ')}${more}` },
  ];
};

/** Saves the state of the certificate after a step. */
export const saveCertificate = async (
  tx: Kysely<DB>,
  { entity, stream, scope }: ListCertificate,
  certificate: Certificate,
): Promise<void> => {
  const [from, until] = [
    (cover: Cover) => cover.from ?? '-infinity',
    (cover: Cover) => cover.to ?? 'infinity',
  ];
  await sql`
    update land.coverage set landed = ${certificate.landed}, records_sum = ${certificate.recordsSum}, page_seal = ${certificate.pageSeal},
      leaf_seal = ${certificate.leafSeal}, newest_at = ${certificate.newestAt}::timestamptz,
      covered = covered + coalesce((
        select range_agg(tstzrange(cover.lower, cover.upper))
        from unnest(${certificate.covers.map(from)}::timestamptz[], ${certificate.covers.map(until)}::timestamptz[]) as cover (lower, upper)
      ), '{}')
    where entity_id = ${entity} and stream = ${stream} and scope = ${scope}`.execute(tx);
};
