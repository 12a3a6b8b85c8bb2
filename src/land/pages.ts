// Landing: stores what the gateway returns as received, before anything interprets it. One transaction holds a page's
// records, the trace of its request, its coverage and the place to resume, so that a kill at any instant loses nothing.
import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { firstOf } from '../base/counted.ts';
import type { LandedStream, WireRecord } from '../base/streams.ts';
import { isoOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { Landed, Trouble, Walk } from '../extract/step.ts';
import type { Receipt } from '../gateway/client.ts';
import { holdLanded } from '../privacy/privacy.ts';
import type { Run } from '../run/job-run.ts';
import { report } from '../run/run.ts';
import {
  type Certificate,
  leafPart,
  openCertificate,
  pagePart,
  type RequestRow,
  saveStep,
} from './certificate.ts';
import { type NewVersions, NO_VERSIONS, newVersions, peopleIn, versionParts } from './records.ts';
import { type RecordStep, type Watch, watchFor } from './watch.ts';

/** The destination of one walk. `scope` splits a stream into lists (Earn: by wallet). */
export type Destination = {
  readonly db: Kysely<DB>;
  readonly run: Run;
  readonly entity: string;
  readonly stream: LandedStream;
  readonly scope: string;
  readonly key: Buffer;
};

export type LandTally = {
  readonly pages: number;
  readonly rows: number;
  readonly fresh: number;
  readonly changed: number;
};

/** Lands every step of a walk, each in a transaction of its own. */
export const landWalk = async (
  destination: Destination,
  walk: Walk<WireRecord, Receipt>,
  onPage: (tally: LandTally) => void,
): Promise<LandTally> => {
  const walkId = randomUUID();
  const watch = watchFor(destination.stream);
  let tally: LandTally = { pages: 0, rows: 0, fresh: 0, changed: 0 };
  for (let next = await walk.next({ fresh: 0 }); !next.done; ) {
    const step = next.value;
    watch.see(step);
    const landed = await destination.db
      .transaction()
      .execute((tx) => landStep(tx, destination, { step, walkId, watch }));
    watch.settle(step);
    tally = {
      pages: tally.pages + (step.page ? 1 : 0),
      rows: tally.rows + (step.page?.rows.length ?? 0),
      fresh: tally.fresh + landed.fresh,
      changed: tally.changed + landed.changed,
    };
    onPage(tally);
    next = await walk.next(landed);
  }
  return tally;
};

type LandedStep = { readonly step: RecordStep; readonly walkId: string; readonly watch: Watch };

const landStep = async (
  tx: Transaction<DB>,
  to: Destination,
  { step, walkId, watch }: LandedStep,
): Promise<Landed & { readonly changed: number }> => {
  const { page, covers: cover, resume } = step;
  const certificate = await openCertificate(tx, to);
  const landed = page
    ? await newVersions(tx, to, { rows: page.rows, target: page.proof.target })
    : NO_VERSIONS;
  const brought = page ? landed.versions : null;
  const parts = page ? pageParts(tx, to, { page, walkId, certificate, brought: landed.versions }) : [];
  const leaf =
    cover && (await leafPart(tx, to, { cover, walkId, certificate, brought, isSeen: watch.isSeen }));
  if (leaf) parts.push(leaf.part);
  if (resume !== undefined) parts.push(placePart(tx, to, resume));
  await saveStep(tx, to, { certificate, cover, parts });
  await holdLanded(tx, to, peopleIn(landed.versions));
  const troubles = [step.trouble ?? [], leaf?.unlisted ?? [], contradiction(landed)].flat();
  for (const trouble of troubles) {
    await report(tx, to.run, {
      entity: to.entity,
      subject: `${to.stream}: ${trouble.subject}`,
      detail: trouble.detail,
    });
  }
  return landed;
};

const SHOWN_MAX = 5;

const contradiction = ({ contradictory: ids }: NewVersions): readonly Trouble[] => {
  if (ids.length === 0) return [];
  const detail = `shown twice in one page with different content, the last counts: ${firstOf(ids, SHOWN_MAX)}`;
  return [{ subject: 'contradiction', detail }];
};

type LandedPage = {
  readonly page: NonNullable<RecordStep['page']>;
  readonly walkId: string;
  readonly certificate: Certificate;
  readonly brought: NewVersions['versions'];
};

/** The parts of a statement that add a page: its request first, whose number the others take. */
const pageParts = (
  tx: Transaction<DB>,
  to: Destination,
  { page, walkId, certificate, brought }: LandedPage,
) => {
  const request = requestRow(to, { receipt: page.proof, rows: page.rows.length });
  return [
    sql`request as (${tx.insertInto('land.requests').values(request).returning('request_id')})`,
    ...versionParts(to, brought),
    pagePart(tx, to, { page, walkId, certificate, request, brought }),
  ];
};

/** The time of a reading, for proofs: the earliest of the gateway's clock, this machine's and the database's. */
export const landedAt = ({ date, sentAtMs }: Receipt): RawBuilder<string> =>
  sql`least(${date}::timestamptz, ${isoOf(sentAtMs)}::timestamptz, clock_timestamp())`;

type TracedRequest = { readonly receipt: Receipt; readonly rows: number };
type RequestPlace = {
  readonly run: Run;
  readonly entity: string;
  readonly stream: string;
  readonly scope?: string;
};

/** The request of a page and a summary of its answer, never a signature or a secret. Instants as they read back. */
const requestRow = (to: RequestPlace, { receipt, rows }: TracedRequest): RequestRow => ({
  entity_id: to.entity,
  run_id: to.run.id,
  stream: to.stream,
  scope: to.scope ?? '',
  method: receipt.method,
  target: receipt.target,
  status: receipt.status,
  gateway_date: receipt.date,
  gateway_request_id: receipt.requestId,
  body_sha256: receipt.bodySha256,
  rows,
  sent_at: isoOf(receipt.sentAtMs),
});

/** Stores a request, and returns the number that the database gives it. */
export const storeRequest = (
  tx: Kysely<DB>,
  to: RequestPlace,
  page: TracedRequest,
): Promise<{ readonly request_id: string }> =>
  tx
    .insertInto('land.requests')
    .values(requestRow(to, page))
    .returning('request_id')
    .executeTakeFirstOrThrow();

const placePart = (tx: Transaction<DB>, to: Destination, token: string | null): RawBuilder<unknown> => {
  const key = { entity_id: to.entity, stream: to.stream, scope: to.scope };
  if (token === null)
    return sql`place as (${tx.deleteFrom('land.resume_tokens').where((eb) => eb.and(key))})`;
  const saved = { token, saved_at: to.run.startedAt };
  return sql`place as (${tx
    .insertInto('land.resume_tokens')
    .values({ ...key, ...saved })
    .onConflict((c) => c.columns(['entity_id', 'stream', 'scope']).doUpdateSet(saved))})`;
};
