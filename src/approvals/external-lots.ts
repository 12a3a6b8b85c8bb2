// Externally held lots: our own units outside the platform, bought before they arrive here, with their cost; from a file,
// one lot per line.

import type { Kysely } from 'kysely';
import { counted } from '../base/counted.ts';
import { bytesOf, type CsvRow, parseCsv } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { sign } from '../base/money.ts';
import { readInstant } from '../base/time.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { LotsChange } from './changes.ts';
import type { Enacted } from './enacted.ts';
import { amountOf, currencyOf, positive } from './legs.ts';

const LOT_COLUMNS = ['currency', 'units', 'cost', 'cost_currency', 'acquired_on'] as const;
type ExternalLotRow = CsvRow<(typeof LOT_COLUMNS)[number]>;

type ExternalLot = Readonly<Record<(typeof LOT_COLUMNS)[number], string>> & {
  readonly line: number;
};
export type LotsFile = {
  readonly name: string;
  readonly sha256: string;
  readonly lots: readonly ExternalLot[];
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
  const { acquired_on } = cells;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(acquired_on) || readInstant(`${acquired_on}T00:00:00Z`) === null)
    refuse('acquired_on')(`"${acquired_on.slice(0, 40)}" is not a date: write 2026-10-01`);
  return { line, currency, units, cost, cost_currency, acquired_on };
};

/** A proposal of a file's lots. */
export const lotsChange = ({ name, sha256: digest, lots }: LotsFile): LotsChange => ({
  action: 'lots',
  description: `${counted(lots.length, 'externally held lot')} of ${name}`,
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
});

/** Stores an approved file's lots; importing the same file again adds none, whatever lines its lots were numbered by before. */
export const storeExternalLots = async (tx: Kysely<DB>, enacted: Enacted<LotsChange>): Promise<void> => {
  const { file_name, file_sha256, lots } = enacted.change;
  const known = await tx
    .selectFrom('decide.external_lots')
    .select('line')
    .where('entity_id', '=', enacted.entity)
    .where('file_sha256', '=', file_sha256)
    .limit(1)
    .executeTakeFirst();
  if (known) return;
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
