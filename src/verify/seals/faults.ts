// What is wrong with one seal: against its leaves, its reports, its own words, the calendar, and the seal before it.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { canonical, parseExact } from '../../base/json.ts';
import { isoOf, monthOf, nowMs } from '../../base/time.ts';
import { treeRoot } from '../../base/tree.ts';
import { leavesOf } from '../../close/seal.ts';
import { type SealedValues, sealedValues } from '../../close/sealed-values.ts';
import type { Books } from '../../database/database.ts';

/** A seal as its row says, and the requests by which it was opened again. */
export type SealRow = {
  readonly entity_id: string;
  readonly period: string;
  readonly seal_number: number;
  readonly status: 'closed' | 'reopened';
  readonly root: string;
  readonly entries: number;
  readonly prepared_by: string;
  readonly sealed_at: string;
  readonly requests_to: string;
  readonly reopened_to: string | null;
  readonly timezone: string;
  readonly seal: string;
  readonly seal_sha256: string;
};

type Named = { readonly period: string; readonly seal_number: string; readonly seal_sha256: string };

/** What is read of a seal's text; whoever wrote it behind our back may have left out any of it. */
type SealText = {
  readonly [said: string]: unknown;
  readonly previous?: Named | null;
  readonly manifest?: { readonly files?: readonly { readonly name: string; readonly sha256: string }[] };
};

/** Every seal of every entity, reopened ones too, in the order of periods. */
export const sealRows = async (db: Books): Promise<SealRow[]> => {
  const { rows } = await sql<SealRow>`
    select s.entity_id, s.period, s.seal_number, s.status, s.root, s.entries, s.prepared_by, s.sealed_at,
      d.requests_to::text as requests_to, o.requests_to::text as reopened_to, coalesce(n.timezone, 'UTC') as timezone,
      s.seal, s.seal_sha256
    from books.seals s
    join decide.seals d using (entity_id, period, seal_number)
    left join decide.reopenings o using (entity_id, period, seal_number)
    left join books.entities n using (entity_id)
    order by s.entity_id, s.period, s.seal_number`.execute(db);
  return rows;
};

/** Everything that is wrong with a seal, `all` being all there are; the entries of its month are proved apart. */
export const sealFaults = async (db: Books, seal: SealRow, all: readonly SealRow[]): Promise<string[]> => {
  const text = textOf(seal);
  const found =
    text === null
      ? ['its text is no JSON']
      : [
          ...(await leafFaults(db, seal)),
          ...wordFaults(seal, text),
          ...(await valueFaults(db, seal, text)),
          ...calendarFaults(seal),
          ...(await fileFaults(db, seal, text)),
          ...chainFaults(seal, text, all),
        ];
  return found.map((fault) => `seal ${seal.seal_number} of ${seal.period} of ${seal.entity_id}: ${fault}`);
};

const textOf = ({ seal }: SealRow): SealText | null => {
  try {
    return parseExact(seal) as SealText | null;
  } catch {
    return null;
  }
};

const keyOf = (seal: SealRow) => ({
  entity: seal.entity_id,
  period: seal.period,
  number: seal.seal_number,
});

const leafFaults = async (db: Books, seal: SealRow): Promise<string[]> => {
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

/** Months that were sealed before values were say nothing of them. */
const valueFaults = async (db: Books, seal: SealRow, text: SealText): Promise<string[]> => {
  const stored = await sealedValues(db, keyOf(seal));
  return (['values', 'closings'] as const).flatMap((name) =>
    text[name] === undefined ? [] : digestFault(name, stored[name], text[name]),
  );
};

const digestFault = (name: string, stored: SealedValues['values'], sealed: unknown): string[] => {
  const [found, said] = [canonical(stored), canonical(sealed)];
  return found === said ? [] : [`its ${name} are ${found}, it says ${said}`];
};

/** What the row says beside the text that was sealed must be what the text says. */
const wordFaults = (seal: SealRow, text: SealText): string[] => {
  const { entity_id: entity, period, root, entries, prepared_by, sealed_at, requests_to } = seal;
  const row = { entity, period, root, entries, prepared_by, sealed_at, requests_to };
  return Object.entries(row).flatMap(([name, said]) => {
    const sealed = text[name];
    return String(sealed) === String(said)
      ? []
      : [`its text names the ${name} ${sealed ?? '(none)'}, it says ${said}`];
  });
};

/** A month is sealed when it is over, and opened again after that. */
const calendarFaults = ({ period, sealed_at, timezone, requests_to, reopened_to }: SealRow): string[] => {
  const isOver = [sealed_at, isoOf(nowMs())].every((at) => monthOf(at, timezone) > period);
  const isBefore = reopened_to !== null && BigInt(reopened_to) < BigInt(requests_to);
  return [
    ...(isOver ? [] : [`sealed at ${sealed_at}, and the month is not over then`]),
    ...(isBefore
      ? [`reopened as of request ${reopened_to}, before it was closed as of request ${requests_to}`]
      : []),
  ];
};

/** A seal without it froze nothing that an accountant could read. */
const NEEDED = 'journal.csv';

const fileFaults = async (db: Books, seal: SealRow, { manifest }: SealText): Promise<string[]> => {
  const files = Array.isArray(manifest?.files) ? manifest.files : [];
  const faults = files.some(({ name }) => name === NEEDED) ? [] : [`its manifest names no ${NEEDED}`];
  for (const { name, sha256 } of files) {
    const there = await fileDigest(db, seal, name);
    if (there !== sha256) faults.push(`${name} has the SHA-256 ${there}, it was sealed with ${sha256}`);
  }
  const { entity, period, number } = keyOf(seal);
  const { rows } = await sql<{ name: string; parts: number; last: number }>`
    select name, count(*)::int as parts, max(part) as last from decide.seal_files
    where entity_id = ${entity} and period = ${period} and seal_number = ${number}
    group by name order by name`.execute(db);
  for (const { name, parts, last } of rows) {
    if (!files.some((file) => file.name === name)) faults.push(`it holds ${name}, which it does not name`);
    if (parts !== last + 1) faults.push(`${name} has ${parts} parts, and one that is called ${last}`);
  }
  return faults;
};

const fileDigest = async (db: Books, seal: SealRow, name: string): Promise<string> => {
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

/** Each names the seal before it: one that is there, and, of closed months, the last one before; none is sealed twice. */
const chainFaults = (seal: SealRow, { previous }: SealText, all: readonly SealRow[]): string[] => {
  const own = all.filter((it) => it.entity_id === seal.entity_id);
  const named = own.find((it) => it.period === previous?.period && it.seal_sha256 === previous.seal_sha256);
  if (previous && !named)
    return [`the seal of ${previous.period} that it names as the one before it is not there`];
  if (seal.status !== 'closed') return [];
  const closed = own.filter(({ status }) => status === 'closed');
  const twin = closed.find((it) => it.period === seal.period && it.seal_number < seal.seal_number);
  const before = closed.filter(({ period }) => period < seal.period).at(-1);
  return [
    ...(twin ? [`the month was closed by seal ${twin.seal_number}, and not reopened`] : []),
    ...(named === before
      ? []
      : [`names ${named?.period ?? 'none'} as the one before it, which is ${before?.period ?? 'none'}`]),
  ];
};
