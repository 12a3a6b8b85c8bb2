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
  'residence',
] as const;

export type ProfileField = (typeof PROFILE_FIELDS)[number];

/** The columns that a file may lack. */
export const OPTIONAL_COLUMNS = ['lot_rules', 'residence'] as const;
type ProfileColumn = 'entity_id' | Exclude<ProfileField, (typeof OPTIONAL_COLUMNS)[number]>;
const isRequired = (field: ProfileField): field is Exclude<ProfileField, (typeof OPTIONAL_COLUMNS)[number]> =>
  !OPTIONAL_COLUMNS.some((column) => column === field);
export const PROFILE_COLUMNS: readonly ProfileColumn[] = ['entity_id', ...PROFILE_FIELDS.filter(isRequired)];

/** A whole profile; null for empty fields. */
export type Profile = Readonly<Record<ProfileField, string | null>>;

export const EMPTY_PROFILE: Profile = {
  legal_name: null,
  tax_id: null,
  taxpayer: null,
  owner: null,
  currency: null,
  timezone: null,
  cost_method: null,
  fiscal_year_start: null,
  lot_rules: null,
  residence: null,
};

/** A proposed profile; `where` is its place for error messages: the file's line, or empty. */
export type WantedProfile = { readonly entity: string; readonly profile: Profile; readonly where: string };
