// Settings that an entity's first entry fixes.
import type { Kysely } from 'kysely';
import { UsageError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';

/**
 * The settings from the environment; `fiscalYearStart` is a month from 1 to 12, January if absent. `platformClass` is the platform's own
 * word for another of its users; null if none is set.
 */
export type Settings = {
  readonly timezone: string;
  readonly currency: string;
  readonly fiscalYearStart?: number;
  readonly platformClass?: string | null;
};

type EntitySettings = Settings & { readonly entity: string };

/** The environment variable of each setting, by column. */
export const VARIABLES = {
  timezone: 'TIEOUT_TIMEZONE',
  currency: 'TIEOUT_CURRENCY',
  fiscal_year_start: 'TIEOUT_FISCAL_YEAR_START',
} as const;
export type SettingField = keyof typeof VARIABLES;
export const SETTING_FIELDS = Object.keys(VARIABLES) as SettingField[];

const JANUARY = 1;

/** Picks these settings from a configuration. */
export const settingsOf = ({
  timezone,
  currency,
  fiscalYearStart,
  platformClass,
}: Required<Settings>): Required<Settings> => ({ timezone, currency, fiscalYearStart, platformClass });

/** The same settings by column, as text. */
export const settingTexts = ({ timezone, currency, fiscalYearStart = JANUARY }: Settings) => ({
  timezone,
  currency,
  fiscal_year_start: String(fiscalYearStart),
});

/** An entity's stored settings, as text; null before its first entry. */
type BookedSettings = Readonly<Record<SettingField, string | null>>;

/** The stored settings of a row of run.entities. */
const bookedSettings = (row: {
  readonly timezone: string | null;
  readonly currency: string | null;
  readonly fiscal_year_start: number;
}): BookedSettings => ({
  timezone: row.timezone,
  currency: row.currency,
  fiscal_year_start: row.timezone === null ? null : String(row.fiscal_year_start),
});

/**
 * Throws UsageError if a setting differs from an entity's stored one; without `entity`, checks every set of books. The
 * first entry fixes the settings: other month boundaries, fiscal years or currencies would contradict files that finance
 * already has. The platform's class is fixed by the first record that is booked by it; without `platformClass` it is not compared.
 */
export const refuseOtherSettings = async (
  db: Kysely<DB>,
  { entity, ...settings }: Settings & { readonly entity?: string },
): Promise<void> => {
  const all = db.selectFrom('run.entities').select(['entity_id', 'platform_class', ...SETTING_FIELDS]);
  const rows = await (entity === undefined ? all : all.where('entity_id', '=', entity)).execute();
  const now = settingTexts(settings);
  for (const field of SETTING_FIELDS)
    for (const row of rows) {
      const [name, was] = [VARIABLES[field], bookedSettings(row)[field]];
      if (was !== null && was !== now[field])
        throw new UsageError(
          `${name} is ${now[field]}, but the books of ${row.entity_id} use ${was}: set ${name}=${was}`,
        );
    }
  if (settings.platformClass !== undefined) refuseOtherClass(rows, settings.platformClass);
  if (entity !== undefined && rows.every((row) => row.timezone === null))
    await refuseOtherProfile(db, { entity, ...settings });
};

const refuseOtherClass = (
  rows: readonly { readonly entity_id: string; readonly platform_class: string | null }[],
  platformClass: string | null,
): void => {
  for (const { entity_id, platform_class: was } of rows)
    if (was !== null && was !== platformClass)
      throw new UsageError(
        `GATEWAY_PLATFORM_CLASS is ${platformClass ?? 'not set'}, but records of ${entity_id} were booked with ${was}: set GATEWAY_PLATFORM_CLASS=${was}, or book these records again by the new setting with npx tieout normalize --restate --entity ${entity_id}`,
      );
};

/** A person may set a profile before the first entry; the books must then start with its settings. */
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
        `${name} is ${now[field]}, but the profile of ${entity} (set by ${profile.by_name}) has ${wanted}: set ${name}=${wanted}, or update the profile with npx tieout entities set`,
      );
  }
};

/** Stores the settings of an entity's books, unless they are stored already. */
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

/** Stores the platform's class with an entity's books: `first` if they have none yet, `another` in place of the one they have. */
export const storePlatformClass = async (
  db: Kysely<DB>,
  { entity, platformClass = null }: Pick<EntitySettings, 'entity' | 'platformClass'>,
  which: 'first' | 'another',
): Promise<void> => {
  await db
    .updateTable('run.entities')
    .set({ platform_class: platformClass })
    .where('entity_id', '=', entity)
    .where('platform_class', which === 'first' ? 'is' : 'is not', null)
    .execute();
};
