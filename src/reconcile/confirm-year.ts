// Confirm a year: the platform's own yearly figures for the tax authority beside those of dac8_check.csv, row by row. Units and
// counts are compared to the last digit, money to the cent; what both sides state is stored, also where they agree.
import { type Selectable, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { compare, sign, subtract, unsigned } from '../base/money.ts';
import type { Books } from '../database/connection.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { type ConfirmAsk, type StoredConfirmation, storeConfirmation } from './confirmation-store.ts';
import { readYearly, type YearlyKey, type YearlyLine, yearlyName } from './yearly-statement.ts';

type ConfirmYear = ConfirmAsk & {
  readonly year: string;
  /** The first instant of the year; `asOf` is its end. */
  readonly from: string;
  /** A difference in money up to this is none. */
  readonly tolerance: string;
};

/** What differs in a row that both sides have. */
export type YearlyDifference = 'units' | 'money' | 'count';

type YearStatus = 'agrees' | 'differs' | 'not-in-books' | 'not-in-file';

/** A row of the year: `line` and what is stated are null if the file lacks it. */
type YearLine = Omit<
  Selectable<DB['reconcile.confirmation_year_lines']>,
  'entity_id' | 'confirmation_id' | 'position' | 'status' | 'differing'
> & { readonly status: YearStatus; readonly differing: readonly YearlyDifference[] };

export type ConfirmedYear = StoredConfirmation & {
  readonly entity: string;
  readonly year: string;
  readonly asOf: string;
  readonly currency: string;
  readonly tolerance: string;
  readonly lines: readonly YearLine[];
  /** Entries of the year that are posted in a later one, because their month was closed: they are counted. */
  readonly postedLater: number;
};

/** Compares and stores the result, as `confirm` does for balances. Throws a UsageError if the file cannot be read. */
export const confirmYear = async (db: Books, ask: ConfirmYear): Promise<ConfirmedYear> =>
  db.transaction().execute(async (tx) => {
    const currency = await currencyOf(tx, ask.entity);
    const later = await postedLater(tx, ask);
    const booked = await bookedIn(tx, ask, later.through ?? ask.asOf);
    const stated = readYearly(ask.statement.name, ask.statement.bytes, {
      ...ask,
      currency,
      ...(await codesOf(tx, ask.entity)),
    });
    const lines = compared(stated, booked, ask.tolerance);
    const differing = lines.filter(({ status }) => status !== 'agrees').length;
    const yearly = { year: ask.year, currency, tolerance: ask.tolerance };
    const stored = await storeConfirmation(tx, ask, { lines: lines.length, differing, yearly });
    await insertRows(
      tx,
      'reconcile.confirmation_year_lines',
      lines.map((line) => ({
        entity_id: ask.entity,
        confirmation_id: stored.confirmationId,
        ...line,
        differing: [...line.differing],
      })),
    );
    return { ...stored, ...yearly, entity: ask.entity, asOf: ask.asOf, lines, postedLater: later.entries };
  });

const currencyOf = async (tx: Books, entity: string): Promise<string> => {
  const { rows } = await sql<{ currency: string | null }>`
    select currency from books.profiles where entity_id = ${entity}`.execute(tx);
  const currency = rows[0]?.currency ?? null;
  if (currency === null)
    throw new UsageError(`${entity} has no entry and so no reporting currency yet: run nightly first`);
  return currency;
};

/** The codes that the books or the platform's list of assets know. */
const codesOf = async (tx: Books, entity: string) => {
  const { rows } = await sql<{ code: string; is_fiat: boolean }>`
    select code, coalesce(books_internal.is_fiat(code), false) as is_fiat
    from (
      select symbol as code from books.assets
      union select distinct currency from books_internal.daily where entity_id = ${entity}
    ) as known`.execute(tx);
  const fiat = new Map(rows.map(({ code, is_fiat }) => [code, is_fiat]));
  return { isKnown: (asset: string) => fiat.has(asset), isFiat: (asset: string) => fiat.get(asset) === true };
};

type Booked = YearlyKey & {
  readonly units: string;
  readonly gross_value: string | null;
  readonly valued: string;
  readonly count: string;
  readonly valuation: string | null;
};

/**
 * The rows of the year in dac8_check.csv, so that both are always the same figures: those of the year's own months, and of later ones
 * up to the last in which a record of the year is posted.
 */
const bookedIn = async (
  tx: Books,
  { from, year, entity }: ConfirmYear,
  through: string,
): Promise<Booked[]> => {
  const cut = { from, to: through, by: 'posted_at', entity };
  const rows = await readRows<Booked & { year: string }>(tx, loadSql('reports/dac8_check.sql', cut));
  return rows.filter((row) => row.year === year);
};

/** The entries of the year that are posted after its end, and an instant after the last of them. */
const postedLater = async (
  tx: Books,
  { from, asOf, entity }: ConfirmYear,
): Promise<{ readonly entries: number; readonly through: string | null }> => {
  const { rows } = await sql<{ entries: number; through: string | null }>`
    select (count(*) filter (where not is_returned))::int as entries, max(posted_at) + interval '1 s' as through from books.entries
    where entity_id = ${entity} and is_late and effective_at >= ${from} and effective_at < ${asOf} and posted_at >= ${asOf}`.execute(
    tx,
  );
  return rows[0] ?? { entries: 0, through: null };
};

const compared = (
  stated: readonly YearlyLine[],
  booked: readonly Booked[],
  tolerance: string,
): YearLine[] => {
  const known = new Map(booked.map((row) => [yearlyName(row), row]));
  const names = new Set(stated.map(yearlyName));
  const unstated = booked.filter((row) => !isNothing(row) && !names.has(yearlyName(row)));
  return [
    ...stated.map((line) => statedLine(line, known.get(yearlyName(line)) ?? null, tolerance)),
    ...unstated.map((row) => ({
      ...bookedFigures(row),
      line: null,
      stated_units: null,
      stated_value: null,
      stated_count: null,
      status: 'not-in-file' as const,
      differing: [],
    })),
  ];
};

/** A row that was reversed in full has nothing left to report. */
const isNothing = ({ units, gross_value, count }: Booked): boolean =>
  [units, gross_value ?? '0', count].every((figure) => sign(figure) === 0);

const bookedFigures = ({ asset, what, sub_type, units, gross_value, valued, count, valuation }: Booked) => ({
  asset,
  what,
  sub_type,
  booked_units: units,
  booked_value: gross_value,
  valued,
  booked_count: count,
  valuation,
});

const NOTHING = { units: '0', gross_value: '0', valued: '0', count: '0', valuation: null };

/** A row of zeros that the books do not have is no difference. */
const statedLine = (line: YearlyLine, booked: Booked | null, tolerance: string): YearLine => {
  const { asset, what, sub_type } = line;
  const own = bookedFigures(booked ?? { asset, what, sub_type, ...NOTHING });
  const differing = differencesOf(line, own, tolerance);
  const unequal = booked === null ? 'not-in-books' : 'differs';
  return {
    ...own,
    line: line.line,
    stated_units: line.units,
    stated_value: line.value,
    stated_count: line.count,
    status: differing.length === 0 ? 'agrees' : unequal,
    differing: booked === null ? [] : differing,
  };
};

type OwnFigures = ReturnType<typeof bookedFigures>;

/** Money that the books cannot state agrees with nothing. */
const differencesOf = (stated: YearlyLine, own: OwnFigures, tolerance: string): YearlyDifference[] => {
  const isMoneyEqual =
    own.booked_value !== null && compare(unsigned(subtract(stated.value, own.booked_value)), tolerance) <= 0;
  const isCountEqual = stated.count === null || compare(stated.count, own.booked_count) === 0;
  return [
    ...(compare(stated.units, own.booked_units) === 0 ? [] : (['units'] as const)),
    ...(isMoneyEqual ? [] : (['money'] as const)),
    ...(isCountEqual ? [] : (['count'] as const)),
  ];
};
