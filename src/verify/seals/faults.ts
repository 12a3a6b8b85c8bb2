// Faults of one seal, found by comparing it with its leaves, its reports, its own text, the calendar and the seal before it.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canonical, parseExact } from '../../base/json.ts';
import { isoOf, monthOf, nowMs } from '../../base/time.ts';
import { treeRoot } from '../../base/tree.ts';
import { leavesOf, sealedValues } from '../../close/seal.ts';
import type { SealedValues } from '../../close/sealed-values.ts';
import type { Books } from '../../database/connection.ts';
import type { ViewRow } from '../../database/view-row.ts';

/** A seal's row; `reopened_to` is the last request at its reopening, `last_request` the last one landed. */
export type SealToVerify = ViewRow<
  'books.seals',
  | 'entity_id'
  | 'period'
  | 'seal_number'
  | 'root'
  | 'entries'
  | 'prepared_by'
  | 'sealed_at'
  | 'seal'
  | 'seal_sha256'
> & {
  readonly status: 'closed' | 'reopened';
  readonly requests_to: string;
  readonly reopened_to: string | null;
  readonly last_request: string;
  readonly timezone: string;
};

type PreviousSeal = { readonly period: string; readonly seal_number: string; readonly seal_sha256: string };

/** The fields read from a seal's text; a forged text may lack any of them. */
type SealText = {
  readonly [field: string]: unknown;
  readonly previous?: PreviousSeal | null;
  readonly manifest?: { readonly files?: readonly { readonly name: string; readonly sha256: string }[] };
};

/** Every seal of every entity, reopened ones included, in the order of periods. */
export const sealRows = async (db: Books): Promise<SealToVerify[]> => {
  const { rows } = await sql<SealToVerify>`
    select s.entity_id, s.period, s.seal_number, s.status, s.root, s.entries, s.prepared_by, s.sealed_at,
      d.requests_to::text as requests_to, o.requests_to::text as reopened_to,
      (select coalesce(max(request_id), 0)::text from land.requests) as last_request, coalesce(n.timezone, 'UTC') as timezone,
      s.seal, s.seal_sha256
    from books.seals s
    join decide.seals d using (entity_id, period, seal_number)
    left join decide.reopenings o using (entity_id, period, seal_number)
    left join books.entities n using (entity_id)
    order by s.entity_id, s.period, s.seal_number`.execute(db);
  return rows;
};

/** All faults of a seal; `all` are the seals of all entities. Other proofs cover the entries of its month. */
export const sealFaults = async (
  db: Books,
  seal: SealToVerify,
  all: readonly SealToVerify[],
): Promise<string[]> => {
  const text = textOf(seal);
  const faults =
    text === null
      ? ['its text is not JSON']
      : [
          ...(await leafFaults(db, seal)),
          ...fieldFaults(seal, text),
          ...(await valueFaults(db, seal, text)),
          ...calendarFaults(seal),
          ...requestFaults(seal, all),
          ...(await fileFaults(db, seal, text)),
          ...chainFaults(seal, text, all),
        ];
  return faults.map((fault) => `seal ${seal.seal_number} of ${seal.period} of ${seal.entity_id}: ${fault}`);
};

const textOf = ({ seal }: SealToVerify): SealText | null => {
  try {
    return parseExact(seal) as SealText | null;
  } catch {
    return null;
  }
};

const keyOf = (seal: SealToVerify) => ({
  entity: seal.entity_id,
  period: seal.period,
  number: seal.seal_number,
});

const leafFaults = async (db: Books, seal: SealToVerify): Promise<string[]> => {
  let count = 0;
  const counted = async function* () {
    for await (const leaf of leavesOf(db, keyOf(seal))) {
      count += 1;
      yield leaf;
    }
  };
  const root = await treeRoot(counted());
  return [
    ...(root === seal.root ? [] : [`its leaves have the root ${root}, it says ${seal.root}`]),
    ...(count === seal.entries ? [] : [`it has ${count} leaves, it says ${seal.entries}`]),
  ];
};

const valueFaults = async (db: Books, seal: SealToVerify, text: SealText): Promise<string[]> => {
  const stored = await sealedValues(db, keyOf(seal));
  return (['values', 'closings'] as const).flatMap((name) => digestFault(name, stored[name], text[name]));
};

const digestFault = (name: string, stored: SealedValues['values'], sealed: unknown): string[] => {
  const [found, stated] = [canonical(stored), canonical(sealed)];
  return found === stated ? [] : [`its ${name} are ${found}, it says ${stated}`];
};

/** The fields of the row must equal those of the sealed text. */
const fieldFaults = (seal: SealToVerify, text: SealText): string[] => {
  const { entity_id: entity, period, root, entries, prepared_by, sealed_at, requests_to } = seal;
  const row = { entity, period, root, entries, prepared_by, sealed_at, requests_to };
  return Object.entries(row).flatMap(([name, stated]) => {
    const sealed = text[name];
    return String(sealed) === String(stated)
      ? []
      : [`its text names the ${name} ${sealed ?? '(none)'}, it says ${stated}`];
  });
};

/** A month is sealed after its end. */
const calendarFaults = ({ period, sealed_at, timezone }: SealToVerify): string[] => {
  const isOver = [sealed_at, isoOf(nowMs())].every((instant) => monthOf(instant, timezone) > period);
  return isOver ? [] : [`sealed at ${sealed_at}, before the month ended`];
};

/** A month is closed, reopened and closed again in this order, by the number of the last request: of one that landed by then. */
const requestFaults = (
  {
    entity_id,
    period,
    seal_number,
    requests_to: closedTo,
    reopened_to: reopenedTo,
    last_request: last,
  }: SealToVerify,
  all: readonly SealToVerify[],
): string[] => {
  const before = all.findLast(
    (one) => one.entity_id === entity_id && one.period === period && one.seal_number < seal_number,
  );
  const isAfter = (one: string | null | undefined, other: string | null): boolean =>
    one != null && other !== null && BigInt(one) > BigInt(other);
  return [
    ...(isAfter(closedTo, reopenedTo)
      ? [`reopened as of request ${reopenedTo}, before it was closed as of request ${closedTo}`]
      : []),
    ...(isAfter(before?.reopened_to, closedTo)
      ? [
          `closed as of request ${closedTo}, before seal ${before?.seal_number} was reopened as of request ${before?.reopened_to}`,
        ]
      : []),
    ...(isAfter(closedTo, last)
      ? [`closed as of request ${closedTo}, after the last one, request ${last}`]
      : []),
    ...(isAfter(reopenedTo, last)
      ? [`reopened as of request ${reopenedTo}, after the last one, request ${last}`]
      : []),
  ];
};

/** A seal without this file froze nothing that an accountant can read. */
const REQUIRED = 'journal.csv';

const fileFaults = async (db: Books, seal: SealToVerify, { manifest }: SealText): Promise<string[]> => {
  const files = Array.isArray(manifest?.files) ? manifest.files : [];
  const faults = files.some(({ name }) => name === REQUIRED) ? [] : [`its manifest lists no ${REQUIRED}`];
  for (const { name, sha256 } of files) {
    const storedDigest = await fileDigest(db, seal, name);
    if (storedDigest !== sha256)
      faults.push(`${name} has the SHA-256 ${storedDigest}, it was sealed with ${sha256}`);
  }
  const { entity, period, number } = keyOf(seal);
  const { rows } = await sql<{ name: string; parts: number; last: number }>`
    select name, count(*)::int as parts, max(part) as last from decide.seal_files
    where entity_id = ${entity} and period = ${period} and seal_number = ${number}
    group by name order by name`.execute(db);
  for (const { name, parts, last } of rows) {
    if (!files.some((file) => file.name === name))
      faults.push(`it stores ${name}, which its manifest does not list`);
    if (parts !== last + 1)
      faults.push(`${name} has ${parts} parts, but its last part has the number ${last}`);
  }
  return faults;
};

const fileDigest = async (db: Books, seal: SealToVerify, name: string): Promise<string> => {
  const { entity, period, number } = keyOf(seal);
  const hash = createHash('sha256');
  for (let part = 0; ; part += 1) {
    const { rows } = await sql<{ content: string }>`
      select content from decide.seal_files
      where entity_id = ${entity} and period = ${period} and seal_number = ${number} and name = ${name} and part = ${part}`.execute(
      db,
    );
    if (!rows[0]) return hash.digest('hex');
    hash.update(rows[0].content);
  }
};

/**
 * Each seal names the one before it, which must exist and, for closed months, be the latest earlier one; no month is closed twice, or
 * again by the seal that was reopened.
 */
const chainFaults = (seal: SealToVerify, { previous }: SealText, all: readonly SealToVerify[]): string[] => {
  const own = all.filter(({ entity_id }) => entity_id === seal.entity_id);
  const previousSeal = own.findLast(
    ({ period, seal_sha256 }) => period === previous?.period && seal_sha256 === previous.seal_sha256,
  );
  if (previous && !previousSeal)
    return [`it names the seal of ${previous.period} as the one before it, which is missing`];
  if (seal.status !== 'closed') return [];
  const earlier = own.filter(
    ({ period, seal_number }) => period === seal.period && seal_number < seal.seal_number,
  );
  const twin = earlier.find(({ status }) => status === 'closed');
  const repeated = earlier.find(
    ({ status, seal_sha256 }) => status === 'reopened' && seal_sha256 === seal.seal_sha256,
  );
  const before = own.filter(({ status, period }) => status === 'closed' && period < seal.period).at(-1);
  return [
    ...(twin ? [`the month was already closed by seal ${twin.seal_number} and not reopened`] : []),
    ...(repeated ? [`it repeats seal ${repeated.seal_number}, which was reopened`] : []),
    ...(previousSeal === before
      ? []
      : [`it names ${sealName(previousSeal)} as the one before it, but that is ${sealName(before)}`]),
  ];
};

const sealName = (seal: SealToVerify | undefined): string =>
  seal ? `seal ${seal.seal_number} of ${seal.period}` : 'none';
