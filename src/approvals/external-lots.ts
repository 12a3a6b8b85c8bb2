// Externally held lots: our own units outside the platform, bought before they arrive here, with their cost; from a file,
// one lot per line.

import { type Kysely, type Selectable, sql } from 'kysely';
import { counted } from '../base/counted.ts';
import { bytesOf, type CsvRow, parseCsv } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { sign } from '../base/money.ts';
import { readInstant } from '../base/time.ts';
import { insertRows } from '../database/database.ts';
import type { DB, DecideExternalLots } from '../database/db-types.ts';
import type { LotsChange } from './changes.ts';
import type { Enacted } from './enacted.ts';
import { amountOf, checkOwnCost, currencyOf, positive } from './legs.ts';

const LOT_COLUMNS = ['currency', 'units', 'cost', 'cost_currency', 'acquired_on'] as const;
type ExternalLotRow = CsvRow<(typeof LOT_COLUMNS)[number]>;

type ExternalLot = Readonly<Record<(typeof LOT_COLUMNS)[number], string>> & {
  readonly line: number;
};
export type LotsFile = {
  readonly name: string;
  readonly sha256: string;
  readonly lots: readonly ExternalLot[];
  /** Lots that equal stored ones are added too. */
  readonly allowsEqual?: boolean;
};

/** Reads a whole file. Throws a UsageError with the faulty line. */
export const readExternalLots = (path: string): LotsFile => {
  const bytes = bytesOf(path); // read once, so that the digest is that of the parsed bytes
  const lots = parseCsv(path, bytes, LOT_COLUMNS, { amounts: ['units', 'cost'] }).map((row) =>
    lotOf(path, row),
  );
  return { name: path.replace(/^.*[\\/]/, ''), sha256: sha256(bytes), lots };
};

const lotOf = (path: string, { line, cells }: ExternalLotRow): ExternalLot => {
  const refuse =
    (column: keyof typeof cells) =>
    (why: string): never => {
      throw new UsageError(`${path}: line ${line}, column ${column}: ${why}`);
    };
  const currency = currencyOf(cells.currency, refuse('currency'));
  const units = positive(cells.units, refuse('units'), 'write how many units the lot has');
  const cost = amountOf(cells.cost, refuse('cost'));
  if (sign(cost) < 0) refuse('cost')(`the cost ${cost} is negative: write what was paid`);
  const cost_currency = currencyOf(cells.cost_currency, refuse('cost_currency'));
  checkOwnCost({ units, currency, cost, cost_currency }, refuse('cost'));
  const { acquired_on } = cells;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(acquired_on) || readInstant(`${acquired_on}T00:00:00Z`) === null)
    refuse('acquired_on')(`"${acquired_on.slice(0, 40)}" is not a date: write 2026-10-01`);
  return { line, currency, units, cost, cost_currency, acquired_on };
};

/** A proposal of a file's lots. */
export const lotsChange = ({ name, sha256: digest, lots, allowsEqual = false }: LotsFile): LotsChange => ({
  action: 'lots',
  description: `${counted(lots.length, 'externally held lot')} of ${name}${allowsEqual ? ', also those that equal stored ones' : ''}`,
  file_name: name,
  file_sha256: digest,
  lots: lots.map((lot) => [
    lot.currency,
    lot.units,
    lot.cost,
    lot.cost_currency,
    lot.acquired_on,
    String(lot.line),
  ]),
  ...(allowsEqual && { allows_equal: 'yes' as const }),
});

/** How a file was imported, for messages; null if it was not. */
export const importOf = async (
  db: Kysely<DB>,
  entity: string,
  { file_sha256 }: Pick<LotsChange, 'file_sha256'>,
): Promise<string | null> => {
  const { rows } = await sql<ImportedLot>`
    select file_name, line, by_name, at as imported_at from decide.external_lots
    where entity_id = ${entity} and file_sha256 = ${file_sha256}
    limit 1`.execute(db);
  return rows[0] ? importText(rows[0]) : null;
};

type ImportedLot = Pick<Selectable<DecideExternalLots>, 'file_name' | 'line' | 'by_name'> & {
  readonly imported_at: string;
};

const importText = ({ file_name, by_name, imported_at }: ImportedLot): string =>
  `${file_name}, which ${by_name} imported at ${imported_at}`;

/** Why lots cannot be stored: their file is already, or one of them equals a stored one. Null if nothing prevents it. */
export const notToStore = async (
  db: Kysely<DB>,
  entity: string,
  change: LotsChange,
): Promise<string | null> => {
  const known = await importOf(db, entity, change);
  if (known !== null) return `its lots are those of ${known}: they are stored once`;
  return change.allows_equal === 'yes' ? null : equalLot(db, entity, change);
};

type EqualLot = ImportedLot & { readonly nth: number };

/** A wallet that is exported again has its earlier purchases too. */
const equalLot = async (
  db: Kysely<DB>,
  entity: string,
  { file_name, lots }: LotsChange,
): Promise<string | null> => {
  const column = (index: 0 | 1 | 2 | 3 | 4) => lots.map((lot) => lot[index]);
  const { rows } = await sql<EqualLot>`
    select nth::integer as nth, l.file_name, l.line, l.by_name, l.at as imported_at
    from unnest(${column(0)}::text[], ${column(1)}::numeric[], ${column(2)}::numeric[], ${column(3)}::text[], ${column(4)}::date[])
      with ordinality as new (currency, units, cost, cost_currency, acquired_on, nth)
    join decide.external_lots l using (currency, units, cost, cost_currency, acquired_on)
    where l.entity_id = ${entity}
    order by nth, l.lot_number limit 1`.execute(db);
  const [stored] = rows;
  const lot = stored && lots[stored.nth - 1];
  if (!lot) return null;
  return `line ${lot[5]} of ${file_name} (${lot.slice(0, 5).join(' ')}) equals line ${stored.line} of ${importText(stored)}: leave it out, or add --allow-equal if it is another lot`;
};

/** Stores an approved file's lots. */
export const storeExternalLots = async (tx: Kysely<DB>, enacted: Enacted<LotsChange>): Promise<void> => {
  const { file_name, file_sha256, lots } = enacted.change;
  const rows = lots.map(([currency, units, cost, cost_currency, acquired_on, line]) => ({
    entity_id: enacted.entity,
    currency,
    units,
    cost,
    cost_currency,
    acquired_on,
    file_name,
    file_sha256,
    line: Number.parseInt(line, 10),
    evidence_name: enacted.evidence?.name ?? '',
    evidence_sha256: enacted.evidence?.sha256 ?? '',
    reason: enacted.reason,
    by_name: enacted.by,
    at: enacted.at,
    proposal_id: enacted.proposalId,
  }));
  await insertRows(
    tx,
    'decide.external_lots',
    rows.sort((a, b) => a.line - b.line),
  );
};
