// Lot choices: the lots that a person names for a disposal (specific identification), from a file with one lot per line. A
// disposal is named by its record and asset. A later file replaces the whole choice of each disposal that it names; what no file
// names is used oldest first.
import { type Kysely, sql } from 'kysely';
import { counted } from '../base/counted.ts';
import { bytesOf, type CsvRow, parseCsv } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { compare, subtract, sum } from '../base/money.ts';
import { order } from '../base/time.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { LotChoiceChange } from './changes.ts';
import type { Enacted } from './enacted.ts';
import { currencyOf, positive } from './legs.ts';

const CHOICE_COLUMNS = ['stream', 'record_id', 'currency', 'lot_id', 'units'] as const;

type LotChoice = Readonly<Record<(typeof CHOICE_COLUMNS)[number], string>> & { readonly line: number };

export type LotChoiceFile = {
  readonly name: string;
  readonly sha256: string;
  readonly choices: readonly LotChoice[];
};

/** Reads a whole file. Throws a UsageError with the faulty line, and for a lot that a disposal names twice. */
export const readLotChoices = (path: string): LotChoiceFile => {
  const bytes = bytesOf(path);
  const choices = parseCsv(path, bytes, CHOICE_COLUMNS, { amounts: ['units'] }).map((row) =>
    choiceIn(path, row),
  );
  const lines = new Map<string, number>();
  for (const { line, stream, record_id, currency, lot_id } of choices) {
    const key = [stream, record_id, currency, lot_id].join('\n');
    const twin = lines.get(key);
    if (twin !== undefined)
      throw new UsageError(
        `${path}: line ${line}: ${stream} ${record_id} names lot ${lot_id} in line ${twin} already: write all of its units in one line`,
      );
    lines.set(key, line);
  }
  return { name: path.replace(/^.*[\\/]/, ''), sha256: sha256(bytes), choices };
};

const choiceIn = (path: string, { line, cells }: CsvRow<(typeof CHOICE_COLUMNS)[number]>): LotChoice => {
  const refuse =
    (column: keyof typeof cells) =>
    (why: string): never => {
      throw new UsageError(`${path}: line ${line}, column ${column}: ${why}`);
    };
  for (const column of ['stream', 'record_id', 'lot_id'] as const)
    if (cells[column] === '') refuse(column)('is empty: copy it from realised_gains.csv or open_lots.csv');
  const currency = currencyOf(cells.currency, refuse('currency'));
  const units = positive(cells.units, refuse('units'), 'write how many units of the lot the disposal uses');
  return { ...cells, line, currency, units };
};

/** A proposal of a file's choices for one entity. */
export const lotChoiceChange = async (
  db: Kysely<DB>,
  entity: string,
  { name, sha256: digest, choices }: LotChoiceFile,
): Promise<LotChoiceChange> => {
  const chosen = choices.map(
    (it) => [it.stream, it.record_id, it.currency, it.lot_id, it.units, String(it.line)] as const,
  );
  return {
    action: 'choose',
    description: `${counted(choices.length, 'lot')} chosen in ${name}`,
    base: await choiceInForce(db, entity, chosen),
    file_name: name,
    file_sha256: digest,
    choices: chosen,
  };
};

/** The number of the newest choice for any of these disposals; 0 if there is none. */
export const choiceInForce = async (
  db: Kysely<DB>,
  entity: string,
  choices: LotChoiceChange['choices'],
): Promise<string> => {
  const column = (index: 0 | 1 | 2) => choices.map((choice) => choice[index]);
  const { rows } = await sql<{ newest: string }>`
    select coalesce(max(choice_number), 0)::text as newest from decide.lot_choices
    where entity_id = ${entity} and (stream, record_id, currency)
      in (select * from unnest(${column(0)}::text[], ${column(1)}::text[], ${column(2)}::text[]))`.execute(
    db,
  );
  return rows[0]?.newest ?? '0';
};

type ChoiceFacts = {
  readonly nth: number;
  readonly disposed_at: string | null;
  readonly period: string | null;
  readonly disposed: string | null;
  readonly method: string;
  readonly closed: string;
  readonly closed_by: string | null;
  readonly closed_here: string;
  readonly lot_entity_id: string | null;
  readonly lot_currency: string | null;
  readonly acquired_at: string | null;
  readonly pool: string | null;
  readonly disposal_pool: string | null;
  readonly units: string | null;
  readonly used: string;
  /** When the lot was brought, if that counts after the disposal. */
  readonly later: string | null;
};

/** A line of the file with what the books know about it. */
type CheckedChoice = ChoiceFacts & {
  readonly name: string;
  readonly key: string;
  readonly currency: string;
  readonly lot: string;
  readonly wanted: string;
  readonly line: string;
};

const checkedChoices = async (
  db: Kysely<DB>,
  entity: string,
  { choices }: LotChoiceChange,
): Promise<CheckedChoice[]> => {
  const column = (index: 0 | 1 | 2 | 3) => choices.map((choice) => choice[index]);
  const names = { streams: column(0), records: column(1), currencies: column(2), lots: column(3) };
  const facts = await readRows<ChoiceFacts>(db, loadSql('valuation/lot_choices.sql', { entity, ...names }));
  return facts.flatMap((fact) => {
    const choice = choices[fact.nth - 1];
    if (!choice) return [];
    const [stream, record, currency, lot, wanted, line] = choice;
    const name = `${stream} ${record}`;
    return [{ ...fact, name, key: `${name} ${currency}`, currency, lot, wanted, line }];
  });
};

/** Why the lots cannot be used so; null if nothing prevents it. */
export const notToChoose = async (
  db: Kysely<DB>,
  entity: string,
  change: LotChoiceChange,
): Promise<string | null> => {
  const checked = await checkedChoices(db, entity, change);
  for (const choice of checked) {
    const fault =
      faultInDisposal(entity, choice) ?? faultInLot(entity, choice) ?? faultInUnits(choice, checked);
    if (fault !== null) return `${change.file_name}: line ${choice.line}: ${fault}`;
  }
  return null;
};

const faultInDisposal = (entity: string, choice: CheckedChoice): string | null => {
  const { name, currency, method, closed, closed_here, period, disposed, disposed_at } = choice;
  if (method !== 'specific')
    return `the cost method of ${entity} is ${method}: named lots count with specific alone (entities set --cost-method specific)`;
  if (disposed_at === null)
    return `no entry of ${name} in the books of ${entity}: copy stream and record_id from realised_gains.csv`;
  if (period === null || disposed === null || compare(disposed, '0') <= 0)
    return `${name} uses no ${currency}: name a disposal of ${currency}`;
  if (period <= closed_here) return `${name} counts in ${period}, which is closed: its lots stay as they are`;
  return period <= closed ? faultElsewhere(choice) : null;
};

/** Entities of one taxpayer share their lots, so a month that one of them has closed is valued for none of them. */
const faultElsewhere = ({ name, period, closed, closed_by: holder }: CheckedChoice): string =>
  `${name} counts in ${period}, and ${holder} of the same taxpayer, which shares the lots, is closed to ${closed}: reopen it there first (npx tieout reopen ${closed} --entity ${holder}), or its lots stay as they are`;

const faultInLot = (entity: string, choice: CheckedChoice): string | null => {
  const { lot, lot_currency, lot_entity_id, pool, disposal_pool, currency, name, acquired_at, disposed_at } =
    choice;
  if (lot_currency === null || acquired_at === null || disposed_at === null)
    return `no lot ${lot} of this taxpayer: copy lot_id from open_lots.csv`;
  if (lot_currency !== currency) return `lot ${lot} is of ${lot_currency}, and ${name} uses ${currency}`;
  if (pool === 'external')
    return `lot ${lot} is held outside the platform: it can be used once its units have arrived`;
  if (pool !== disposal_pool || (pool !== 'held' && lot_entity_id !== entity))
    return `lot ${lot} is in pool ${pool} of ${lot_entity_id}, and ${name} uses pool ${disposal_pool} of ${entity}`;
  if (order(acquired_at, disposed_at) > 0)
    return `lot ${lot} was acquired at ${acquired_at}, after ${name} at ${disposed_at}`;
  return choice.later === null
    ? null
    : `lot ${lot} came by a transfer or a reversal at ${choice.later}, after ${name} at ${disposed_at}: open_lots.csv of a period that ends before has the lots of that time`;
};

const faultInUnits = (choice: CheckedChoice, all: readonly CheckedChoice[]): string | null => {
  const { lot, key, name, units, used, currency, disposed, disposed_at } = choice;
  const ofDisposal = sum(all.filter((other) => other.key === key).map(({ wanted }) => wanted));
  if (compare(ofDisposal, disposed ?? '0') > 0)
    return `${ofDisposal} ${currency} are named for ${name}, which uses ${disposed}`;
  const earlier = all.filter(
    (other) => other.lot === lot && order(other.disposed_at ?? '', disposed_at ?? '') <= 0,
  );
  const left = subtract(units ?? '0', used);
  const taken = sum(earlier.map(({ wanted }) => wanted));
  return compare(taken, left) > 0
    ? `lot ${lot} has ${left} ${currency} left at that time, and ${taken} are named`
    : null;
};

/** Stores approved choices. */
export const storeLotChoices = async (tx: Kysely<DB>, enacted: Enacted<LotChoiceChange>): Promise<void> => {
  const { change, entity, by, reason, proposalId } = enacted;
  const rows = (await checkedChoices(tx, entity, change)).map((choice) => ({
    entity_id: entity,
    stream: change.choices[choice.nth - 1]?.[0] ?? '',
    record_id: change.choices[choice.nth - 1]?.[1] ?? '',
    currency: choice.currency,
    lot_entity_id: choice.lot_entity_id ?? '',
    lot_id: choice.lot,
    acquired_at: choice.acquired_at ?? '',
    units: choice.wanted,
    file_name: change.file_name,
    file_sha256: change.file_sha256,
    line: Number.parseInt(choice.line, 10),
    reason,
    by_name: by,
    at: enacted.at,
    proposal_id: proposalId,
  }));
  await insertRows(tx, 'decide.lot_choices', rows);
};
