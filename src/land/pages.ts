// Landing: stores what the gateway returns as received, before anything interprets it. One transaction holds a page's
// records, the trace of its request, its coverage and the place to resume, so that a kill at any instant loses nothing.
import { randomUUID } from 'node:crypto';
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import type { LandedStream, WireRecord } from '../base/streams.ts';
import { isoOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { Landed, Walk } from '../extract/step.ts';
import type { Receipt } from '../gateway/client.ts';
import type { Run } from '../run/job-run.ts';
import { report } from '../run/run.ts';
import {
  addLeaf,
  addPage,
  type Certificate,
  openCertificate,
  type RequestRow,
  saveCertificate,
} from './certificate.ts';
import { landRecords } from './records.ts';
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
  const certificate = await openCertificate(tx, to);
  const landed = step.page
    ? await landPage(tx, to, { page: step.page, walkId, certificate })
    : { fresh: 0, changed: 0 };
  const gone = step.covers
    ? await addLeaf(tx, to, { cover: step.covers, walkId, certificate, isSeen: watch.isSeen })
    : [];
  await saveCertificate(tx, to, certificate);
  if (step.resume !== undefined) await storePlace(tx, to, step.resume);
  for (const trouble of [...(step.trouble ? [step.trouble] : []), ...gone]) {
    await report(tx, to.run, {
      entity: to.entity,
      subject: `${to.stream}: ${trouble.subject}`,
      detail: trouble.detail,
    });
  }
  return landed;
};

type LandedPage = {
  readonly page: NonNullable<RecordStep['page']>;
  readonly walkId: string;
  readonly certificate: Certificate;
};

const landPage = async (tx: Transaction<DB>, to: Destination, { page, walkId, certificate }: LandedPage) => {
  const request = await storeRequest(tx, to, { receipt: page.proof, rows: page.rows.length });
  const landed = await landRecords(tx, to, { rows: page.rows, requestId: request.request_id });
  await addPage(tx, to, { page, walkId, certificate, request, brought: landed.versions });
  return landed;
};

/** The time of a reading, for proofs: the earliest of the gateway's clock, this machine's and the database's. */
export const landedAt = ({ date, sentAtMs }: Receipt): RawBuilder<string> =>
  sql`least(${date}::timestamptz, ${isoOf(sentAtMs)}::timestamptz, clock_timestamp())`;

/** Stores the request of a page and a summary of its answer, never a signature or a secret. */
export const storeRequest = async (
  tx: Kysely<DB>,
  to: { readonly run: Run; readonly entity: string; readonly stream: string; readonly scope?: string },
  page: { readonly receipt: Receipt; readonly rows: number },
): Promise<RequestRow> => {
  const { receipt } = page;
  return tx
    .insertInto('land.requests')
    .values({
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
      rows: page.rows,
      sent_at: isoOf(receipt.sentAtMs),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
};

const storePlace = async (tx: Transaction<DB>, to: Destination, token: string | null): Promise<void> => {
  const key = { entity_id: to.entity, stream: to.stream, scope: to.scope };
  if (token === null) {
    await tx
      .deleteFrom('land.resume_tokens')
      .where((eb) => eb.and(key))
      .execute();
    return;
  }
  await tx
    .insertInto('land.resume_tokens')
    .values({ ...key, token, saved_at: to.run.startedAt })
    .onConflict((c) =>
      c.columns(['entity_id', 'stream', 'scope']).doUpdateSet({ token, saved_at: to.run.startedAt }),
    )
    .execute();
};
