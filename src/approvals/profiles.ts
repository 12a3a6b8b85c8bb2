// Profiles: to whom an entity's books belong, as a named person states it. Every version is stored; the last one is in
// force.
import { type Kysely, sql } from 'kysely';
import { type CsvRow, readCsvFile } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { isOneLine } from '../base/unseen.ts';
import { isTimezone } from '../config/config.ts';
import type { DB } from '../database/db-types.ts';
import { SETTING_FIELDS, settingTexts, VARIABLES } from '../run/run.ts';
import type { SettingField, Settings } from '../run/settings.ts';
import type { ProfilesChange } from './changes.ts';
import type { Enacted } from './enacted.ts';
import { faultInLotRules, lotRulesText } from './lot-rules.ts';
import { refuseLotSettings } from './lot-settings.ts';
import {
  OPTIONAL_COLUMNS,
  PROFILE_COLUMNS,
  PROFILE_FIELDS,
  type Profile,
  type ProfileField,
  type WantedProfile,
} from './profile.ts';

const TEXT_MAX = 200;

const oneOf =
  (...words: readonly string[]) =>
  (text: string): string | null =>
    words.includes(text) ? null : `write ${words.join(' or ')}`;
const anyText = (text: string): string | null =>
  !isOneLine(text) || text.length > TEXT_MAX
    ? `write one line of at most ${TEXT_MAX} visible characters`
    : null;

/** What is wrong with a value, and what to write instead; null if it is valid. */
const FORMS: Readonly<Record<ProfileField, (text: string) => string | null>> = {
  legal_name: anyText,
  tax_id: anyText,
  taxpayer: anyText,
  owner: oneOf('own', 'client'),
  currency: (text) =>
    /^[A-Z0-9]{2,12}$/.test(text) ? null : 'write 2 to 12 capitals and digits, such as EUR',
  timezone: (text) => (isTimezone(text) ? null : 'write an IANA name, such as Europe/Madrid'),
  cost_method: oneOf('fifo', 'average', 'hifo', 'specific'),
  fiscal_year_start: (text) => (/^([1-9]|1[0-2])$/.test(text) ? null : 'write a month from 1 to 12'),
  lot_rules: faultInLotRules,
  residence: (text) => (/^[A-Z]{2}$/.test(text) ? null : 'write the two letters of a country, such as ES'),
};

/** A value as it is stored; null for an empty one. Throws UsageError if its format is wrong. */
export const profileValue = (field: ProfileField, text: string, where: string): string | null => {
  const value = text.trim();
  const wrong = value === '' ? null : FORMS[field](value);
  if (wrong !== null) throw new UsageError(`${where} "${value.slice(0, 60)}": ${wrong}`);
  const stored = field === 'lot_rules' ? lotRulesText(value) : value;
  return stored === '' ? null : stored;
};

/**
 * Reads a file of profiles, each entity once; an empty cell leaves its field empty. Throws UsageError with line and
 * column.
 */
export const readProfiles = (path: string): WantedProfile[] => {
  const seen = new Map<string, number>();
  return readCsvFile(path, PROFILE_COLUMNS, { optional: OPTIONAL_COLUMNS }).map(
    ({ line, cells }: CsvRow<'entity_id' | ProfileField>) => {
      const where = `${path}: line ${line}`;
      const entity = cells.entity_id;
      if (entity === '')
        throw new UsageError(`${where}, column entity_id: is empty: write the entity of the profile`);
      const twin = seen.get(entity);
      if (twin !== undefined)
        throw new UsageError(
          `${where}, column entity_id: ${entity} is also in line ${twin}: remove one of the lines`,
        );
      seen.set(entity, line);
      const valued = PROFILE_FIELDS.map((field) => [
        field,
        profileValue(field, cells[field], `${where}, column ${field}:`),
      ]);
      return { entity, profile: Object.fromEntries(valued) as Profile, where: `${where}: ` };
    },
  );
};

/** The profile in force of every entity that has one. */
export const profilesOf = async (
  db: Kysely<DB>,
): Promise<ReadonlyMap<string, Profile & { version: number }>> => {
  const { rows } = await sql<Profile & { entity_id: string; version: number }>`
    select distinct on (entity_id) entity_id, version, legal_name, tax_id, taxpayer, owner, currency, timezone, cost_method,
      fiscal_year_start::text as fiscal_year_start, lot_rules, residence
    from decide.profiles order by entity_id, version desc`.execute(db);
  return new Map(rows.map(({ entity_id, ...profile }) => [entity_id, profile]));
};

/** A proposal of the profiles that differ from those in force; null if none does. Throws like `refuseProfiles`. */
export const profilesChange = async (
  db: Kysely<DB>,
  { wanted, settings }: { readonly wanted: readonly WantedProfile[]; readonly settings: Settings },
): Promise<ProfilesChange | null> => {
  const inForce = await profilesOf(db);
  await refuseProfiles(db, { wanted, settings });
  const differing = wanted.filter(({ entity, profile }) => {
    const now = inForce.get(entity);
    return PROFILE_FIELDS.some((field) => profile[field] !== (now?.[field] ?? null));
  });
  if (differing.length === 0) return null;
  return {
    action: 'profiles',
    description: `profiles of ${differing.map(({ entity }) => entity).join(', ')}`,
    wanted: differing.map(({ entity, profile }) => ({
      entity,
      profile,
      base: String(inForce.get(entity)?.version ?? 0),
    })),
  };
};

/** Throws UsageError for an unknown entity, and for a change to a setting that the first entry or a close has fixed. */
export const refuseProfiles = async (
  db: Kysely<DB>,
  { wanted, settings }: { readonly wanted: readonly WantedProfile[]; readonly settings: Settings },
): Promise<void> => {
  const inForce = await profilesOf(db);
  const begun = await bookedSettingsOf(db);
  for (const one of wanted) refuseOther(one, begun.get(one.entity), settings);
  refuseLotSettings(wanted, { inForce, begun });
};

/** Puts approved profiles in force, all or none. */
export const storeProfiles = async (tx: Kysely<DB>, enacted: Enacted<ProfilesChange>): Promise<void> => {
  const proposal = { proposal_entity: enacted.entity, proposal_id: enacted.proposalId };
  await tx
    .insertInto('decide.profiles')
    .values(
      enacted.change.wanted.map(({ entity, base, profile }) => ({
        entity_id: entity,
        version: Number.parseInt(base, 10) + 1,
        ...profile,
        fiscal_year_start: monthIn(profile),
        by_name: enacted.by,
        at: enacted.at,
        ...proposal,
      })),
    )
    .execute();
};

const monthIn = ({ fiscal_year_start: month }: Profile): number | null =>
  month === null ? null : Number.parseInt(month, 10);

/** The facts that restrict a profile: whether the books exist, their stored settings, the month of the first entry, the last one closed. */
type BookedSettings = Readonly<Record<SettingField | 'first' | 'closed', string | null>>;

const bookedSettingsOf = async (db: Kysely<DB>): Promise<ReadonlyMap<string, BookedSettings>> => {
  const { rows } = await sql<BookedSettings & { entity_id: string }>`
    select entity_id, n.timezone, n.currency, n.fiscal_year_start::text as fiscal_year_start, c.through as closed,
      (select to_char(e.effective_at at time zone coalesce(n.timezone, 'UTC'), 'YYYY-MM')
        from books.entries e where e.entity_id = known.entity_id order by e.entry_id limit 1) as first -- ids begin with their time
    from (select entity_id from run.entities union select entity_id from books_internal.subaccounts) as known
    left join books.entities n using (entity_id)
    left join books_internal.closed_through c using (entity_id)`.execute(db);
  return new Map(rows.map(({ entity_id, ...begun }) => [entity_id, begun]));
};

const NAMES = {
  timezone: 'timezone',
  currency: 'currency',
  fiscal_year_start: 'first month of fiscal years',
};

const refuseOther = (
  { entity, profile, where }: WantedProfile,
  begun: BookedSettings | undefined,
  settings: Settings,
): void => {
  if (begun === undefined)
    throw new UsageError(
      `${where}no books of entity ${entity}, and the gateway lists none such: check its id`,
    );
  const now = settingTexts(settings);
  for (const field of SETTING_FIELDS) {
    const value = profile[field];
    if (value === null) continue;
    const was = begun[field];
    if (was !== null && was !== value)
      throw new UsageError(
        `${where}the ${NAMES[field]} of ${entity} is ${was} since its first entry${begun.closed === null ? '' : `, and ${begun.closed} is closed`}: it cannot become ${value}`,
      );
    if (was === null && now[field] !== value)
      throw new UsageError(
        `${where}the ${NAMES[field]} of ${entity} cannot be ${value} while ${VARIABLES[field]} is ${now[field]}: its books will use that; set ${VARIABLES[field]}=${value} first`,
      );
  }
};
