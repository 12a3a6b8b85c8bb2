// A profile: whose books an entity's are, as a named person states it.

/** What a profile says, in the order of a file's columns. */
export const PROFILE_FIELDS = [
  'legal_name',
  'tax_id',
  'taxpayer',
  'owner',
  'currency',
  'timezone',
  'cost_method',
  'fiscal_year_start',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

export const PROFILE_COLUMNS = ['entity_id', ...PROFILE_FIELDS] as const;

/** A whole profile; null where nothing is said. */
export type Profile = Readonly<Record<ProfileField, string | null>>;

/** A profile that somebody wants to be in force; `where` names it in errors: the file's line, or nothing. */
export type WantedProfile = { readonly entity: string; readonly profile: Profile; readonly where: string };
