// Settings that an entity's books were begun with, and may not be changed after.
import type { Kysely } from 'kysely';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';

/** The environment's values of what books are begun with; `fiscalYearStart` is a month from 1 to 12, January where it is absent. */
export type Settings = {
  readonly timezone: string;
  readonly currency: string;
  readonly fiscalYearStart?: number;
};

export type EntitySettings = Settings & { readonly entity: string };

/** Each of them by its column, with the variable that sets it. */
export const VARIABLES = {
  timezone: 'TIEOUT_TIMEZONE',
  currency: 'TIEOUT_CURRENCY',
  fiscal_year_start: 'TIEOUT_FISCAL_YEAR_START',
} as const;
export type SettingField = keyof typeof VARIABLES;
export const SETTING_FIELDS = Object.keys(VARIABLES) as SettingField[];

const JANUARY = 1;

/** Those of a configuration alone. */
export const settingsOf = ({ timezone, currency, fiscalYearStart }: Required<Settings>): Settings => ({
  timezone,
  currency,
  fiscalYearStart,
});

/** The same by column, as text. */
export const settingTexts = ({ timezone, currency, fiscalYearStart = JANUARY }: Settings) => ({
  timezone,
  currency,
  fiscal_year_start: String(fiscalYearStart),
});

/** What the settings of an entity are, as text; null before its first entry. */
type BookedSettings = Readonly<Record<SettingField, string | null>>;

/** A row of run.entities. Books from before the fiscal year could be chosen have calendar years. */
const bookedSettings = (row: {
  readonly timezone: string | null;
  readonly currency: string | null;
  readonly fiscal_year_start: number | null;
}): BookedSettings => ({
  timezone: row.timezone,
  currency: row.currency,
  fiscal_year_start: row.timezone === null ? null : String(row.fiscal_year_start ?? JANUARY),
});

/**
 * An entity's first entry fixes its settings: months cut elsewhere, years that begin in another month, or values in another
 * currency would contradict the files that finance has. Throws UsageError where one differs; without `entity` every set of
 * books is compared.
 */
export const refuseOtherSettings = async (
  db: Kysely<DB>,
  { entity, ...settings }: Settings & { readonly entity?: string },
): Promise<void> => {
  const all = db.selectFrom('run.entities').select(['entity_id', ...SETTING_FIELDS]);
  const rows = await (entity === undefined ? all : all.where('entity_id', '=', entity)).execute();
  const now = settingTexts(settings);
  for (const field of SETTING_FIELDS)
    for (const row of rows) {
      const [name, was] = [VARIABLES[field], bookedSettings(row)[field]];
      if (was !== null && was !== now[field])
        throw new UsageError(
          `${name} is ${now[field]}, but the books of ${row.entity_id} were begun with ${was}: set ${name}=${was}`,
        );
    }
  if (entity !== undefined && rows.every((row) => row.timezone === null))
    await refuseOtherProfile(db, { entity, ...settings });
};

/** Before the first entry a person may have said what it will be: the books are not begun with anything else. */
const refuseOtherProfile = async (db: Kysely<DB>, { entity, ...settings }: EntitySettings): Promise<void> => {
  const profile = await db
    .selectFrom('decide.profiles')
    .select([...SETTING_FIELDS, 'by_name'])
    .where('entity_id', '=', entity)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!profile) return;
  const now = settingTexts(settings);
  for (const field of SETTING_FIELDS) {
    const [name, wanted] = [VARIABLES[field], profile[field]];
    if (wanted !== null && String(wanted) !== now[field])
      throw new UsageError(
        `${name} is ${now[field]}, but ${profile.by_name} said that the books of ${entity} are in ${wanted}: set ${name}=${wanted}, or say otherwise with tieout entities set`,
      );
  }
};

/** Fixes what an entity's books are begun with, where nothing has done so before. */
export const storeSettings = async (
  db: Kysely<DB>,
  { entity, timezone, currency, fiscalYearStart = JANUARY }: EntitySettings,
): Promise<void> => {
  await db
    .updateTable('run.entities')
    .set({ timezone, currency, fiscal_year_start: fiscalYearStart })
    .where('entity_id', '=', entity)
    .where('timezone', 'is', null)
    .execute();
};
