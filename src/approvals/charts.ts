// Charts of accounts: proposed whole, from a file or a template of the program, and in force from the first month of a
// fiscal year. Every version is stored.
import { type Kysely, sql } from 'kysely';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import type { ChartChange } from './changes.ts';
import { type AssetClass, type ChartLine, lineFor, type Pair } from './chart.ts';
import type { Enacted } from './enacted.ts';

/** What a person asks for; `from` is a month, the first one without a closed fiscal year if null. */
export type WantedChart = {
  readonly chart: string;
  readonly lines: readonly ChartLine[];
  /** Null keeps the classes of the version before. */
  readonly classes: readonly AssetClass[] | null;
  readonly entity: string | null;
  readonly from: string | null;
};

/** Before any month: the first chart applies to the whole history. */
const BEGINNING = '0001-01';

/** The lines of a chart that comes with the program. */
export const templateLines = async (db: Kysely<DB>, template: string): Promise<ChartLine[]> => {
  const { rows } = await sql<ChartLine>`
    select account, class, currency, code, name_en, name_es, name_de, statement, statement_class
    from books.chart_templates where template = ${template} order by line`.execute(db);
  return rows;
};

/** The newest version; 0 if none was approved. */
export const chartInForce = async (db: Kysely<DB>): Promise<string> => {
  const { rows } = await sql<{ version: string }>`
    select coalesce(max(version), 0)::text as version from decide.charts`.execute(db);
  return rows[0]?.version ?? '0';
};

/** A proposal of a chart. Throws UsageError if it changes a closed year, or leaves an account of the books without a line. */
export const chartChange = async (
  db: Kysely<DB>,
  wanted: WantedChart,
  fiscalYearStart: number,
): Promise<ChartChange> => {
  const base = await chartInForce(db);
  const from = await monthFrom(db, wanted, fiscalYearStart);
  const change: ChartChange = {
    action: 'chart',
    description: descriptionOf(wanted, from),
    base,
    for_entity: wanted.entity,
    chart: wanted.chart,
    from_month: from,
    lines: wanted.lines,
    classes: wanted.classes ?? (await classesOf(db, base)),
  };
  const obstacle = await chartObstacle(db, change);
  if (obstacle !== null) throw new UsageError(obstacle);
  return change;
};

const descriptionOf = ({ chart, lines, entity }: WantedChart, from: string): string =>
  `the chart of accounts ${chart}, ${counted(lines.length, 'line')}, for ${entity ?? 'all entities'} ${from === BEGINNING ? 'from the beginning' : `from ${from}`}`;

const classesOf = async (db: Kysely<DB>, version: string): Promise<AssetClass[]> => {
  const { rows } = await sql<AssetClass>`
    select currency, class from decide.chart_classes where version = ${version}::int order by currency collate "C"`.execute(
    db,
  );
  return rows;
};

/** The last closed month of the entities that a chart is for; null if none is closed. */
const lastClosed = async (db: Kysely<DB>, entity: string | null): Promise<string | null> => {
  const { rows } = await sql<{ through: string | null }>`
    select max(through) as through from books_internal.closed_through
    where ${entity}::text is null or entity_id = ${entity}`.execute(db);
  return rows[0]?.through ?? null;
};

const monthFrom = async (
  db: Kysely<DB>,
  { entity, from }: WantedChart,
  fiscalYearStart: number,
): Promise<string> => {
  if (from !== null && Number.parseInt(from.slice(5), 10) !== fiscalYearStart)
    throw new UsageError(
      `a chart of accounts applies from the first month of a fiscal year, and ${from} is not one: write a month such as ${from.slice(0, 4)}-${twoDigits(fiscalYearStart)}`,
    );
  const closed = await lastClosed(db, entity);
  return from ?? (closed === null ? BEGINNING : yearAfter(closed, fiscalYearStart));
};

const twoDigits = (month: number): string => String(month).padStart(2, '0');

/** The first month of the fiscal year after that of a month. */
const yearAfter = (month: string, fiscalYearStart: number): string => {
  const [year, number] = [Number.parseInt(month.slice(0, 4), 10), Number.parseInt(month.slice(5), 10)];
  return `${String(number < fiscalYearStart ? year : year + 1).padStart(4, '0')}-${twoDigits(fiscalYearStart)}`;
};

/** Why a chart cannot take effect now; null if nothing prevents it. */
export const chartObstacle = async (db: Kysely<DB>, change: ChartChange): Promise<string | null> => {
  const closed = await lastClosed(db, change.for_entity);
  if (closed !== null && closed >= change.from_month)
    return `${closed} is closed: a chart of accounts cannot change in a closed year; choose a later one with --from, or reopen the months`;
  const unmapped = await unmappedPairs(db, change);
  if (unmapped.length === 0) return null;
  return [
    `${change.chart} has no line for ${counted(unmapped.length, 'account')} of the books: add them`,
    ...unmapped.map((pair) => `${pair.account} ${pair.currency} (${pair.asset_class})`),
  ].join('\n  ');
};

/** The accounts of the books that no line of a proposed chart matches. */
const unmappedPairs = async (
  db: Kysely<DB>,
  { for_entity: entity, lines, classes }: ChartChange,
): Promise<Pair[]> => {
  const corrected = new Map(classes.map(({ currency, class: assetClass }) => [currency, assetClass]));
  const { rows } = await sql<Pair>`
    select distinct account, currency, asset_class from books.chart_of_accounts
    where ${entity}::text is null or entity_id = ${entity}
    order by account, currency`.execute(db);
  return rows
    .map((pair) => ({ ...pair, asset_class: corrected.get(pair.currency) ?? pair.asset_class }))
    .filter((pair) => lineFor(lines, pair) === undefined);
};

/** Puts an approved chart in force. */
export const importChart = async (tx: Kysely<DB>, enacted: Enacted<ChartChange>): Promise<void> => {
  const { base, chart, for_entity, from_month, lines, classes } = enacted.change;
  const version = Number.parseInt(base, 10) + 1;
  const proposal = { proposal_entity: enacted.entity, proposal_id: enacted.proposalId };
  await tx
    .insertInto('decide.charts')
    .values({ version, for_entity, chart, from_month, by_name: enacted.by, at: enacted.at, ...proposal })
    .execute();
  await tx
    .insertInto('decide.chart_lines')
    .values(lines.map((line, index) => ({ version, line: index + 1, ...line })))
    .execute();
  if (classes.length > 0)
    await tx
      .insertInto('decide.chart_classes')
      .values(classes.map((corrected) => ({ version, ...corrected })))
      .execute();
};
