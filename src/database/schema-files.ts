// The SQL files that make our schema, as shipped: migrations, views and rights.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FailedError } from '../base/errors.ts';
import { sha256 } from '../base/json.ts';
import { packageRoot } from '../base/root.ts';

/** Where the files are. Default: in this package. */
export type SchemaFiles = { migrationsDir: string; viewsDir: string; rolesFile: string };

/** One migration in dbmate's format: its version is the number at the start of its file name. */
export type Migration = { readonly version: string; readonly name: string; readonly up: string };

/** The schema that a database should have; `digest` covers the versions, since a migration may drop views. */
export type Shipped = {
  readonly migrations: readonly Migration[];
  /** The views, then the rights: both are replaced as a whole. */
  readonly views: string;
  readonly digest: string;
};

const SHIPPED: SchemaFiles = {
  migrationsDir: join(packageRoot, 'migrations'),
  viewsDir: join(packageRoot, 'sql', 'views'),
  rolesFile: join(packageRoot, 'sql', 'roles.sql'),
};

/** File names of migrations and views: a number, which orders them, and a subject. */
const NAME = /^(\d+).*\.sql$/;
/** dbmate's option `transaction:false` is not allowed: every migration must be able to roll back. */
const PARTS = /^-- migrate:up\n([\s\S]*?)^-- migrate:down$/m;

const readMigration = async (folder: string, name: string): Promise<Migration> => {
  const up = PARTS.exec(await readFile(join(folder, name), 'utf8'))?.[1];
  if (up === undefined)
    throw new FailedError(`${join(folder, name)} has no part between "-- migrate:up" and "-- migrate:down"`);
  return { version: NAME.exec(name)?.[1] ?? '', name, up };
};

/** The view files, one per subject, in the order of their numbers: a view comes after those that it reads. */
const viewsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .map((name) => join(folder, name));

let shipped: Promise<Shipped> | null = null;

/**
 * Reads every file; those of this package once, since an update that replaces them does not replace the code that runs. Throws FailedError
 * for a migration that lacks its up or down part.
 */
export const readSchemaFiles = (files?: SchemaFiles): Promise<Shipped> => {
  if (files) return readFiles(files);
  shipped ??= readFiles(SHIPPED);
  return shipped;
};

const readFiles = async (files: SchemaFiles): Promise<Shipped> => {
  const names = (await readdir(files.migrationsDir)).filter((name) => NAME.test(name)).sort();
  const migrations = await Promise.all(names.map((name) => readMigration(files.migrationsDir, name)));
  const paths = [...(await viewsIn(files.viewsDir)), files.rolesFile];
  const texts = paths.map((path) => readFile(path, 'utf8'));
  const views = (await Promise.all(texts)).join('\n');
  const versions = migrations.map(({ version }) => version);
  return { migrations, views, digest: sha256(`${versions.join(' ')}\n${views}`) };
};
