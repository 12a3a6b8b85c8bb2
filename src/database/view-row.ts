// The row type of a query on views, from the generated types.
import type { SelectType } from 'kysely';
import type { DB } from './db-types.ts';

/** Some columns of a view. Postgres reports every column of a view as nullable; here only those in `Nullable` are. */
export type ViewRow<
  View extends keyof DB,
  Columns extends keyof DB[View],
  Nullable extends keyof DB[View] = never,
> = { readonly [Name in Columns]: NonNullable<SelectType<DB[View][Name]>> } & {
  readonly [Name in Nullable]: SelectType<DB[View][Name]>;
};
