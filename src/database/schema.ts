// The schema: migrations, roles and logins, the mark of our books, and the dictionary of the views.

export { findBooks, markOf, SCHEMAS, writeMarks } from './books-mark.ts';
export { firstSentence, readDictionary } from './dictionary.ts';
export { makeLogins, openAs, PLACE } from './logins.ts';
export { migrate, requireBooks, schemaStatus } from './migrate.ts';
export { PARTITION_COUNTS, partitioned, partitionsIn } from './partitions.ts';
export { readSchemaFiles } from './schema-files.ts';
