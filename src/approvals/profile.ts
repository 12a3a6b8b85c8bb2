// A profile: to whom an entity's books belong, as a named person states it.

/** The fields of a profile, in the order of a file's columns. */
export const PROFILE_FIELDS = [
  'legal_name',
  'tax_id',
  'taxpayer',
  'owner',
  'currency',
  'timezone',
  'cost_method',
  'fiscal_year_start',
  'lot_rules',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

export const PROFILE_COLUMNS = ['entity_id', ...PROFILE_FIELDS] as const;

/** A whole profile; null for empty fields. */
export type Profile = Readonly<Record<ProfileField, string | null>>;

/** A proposed profile; `where` is its place for error messages: the file's line, or empty. */
export type WantedProfile = { readonly entity: string; readonly profile: Profile; readonly where: string };
