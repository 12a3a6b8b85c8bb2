// What exported files contain, for those who read them again: formats, folders, packages, journals and the manifest.
export { consolidatedIn } from './consolidated/consolidated-manifest.ts';
export { JOURNALS, writeJournal } from './journals/journals.ts';
export { keyOf, runProgram, versionOf } from './journals/programs.ts';
export { LAKE_SQL, lakeSql } from './lake/lake-sql.ts';
export { type LakeRow, type OpenLake, withLake } from './lake/reading.ts';
export { batchManifest } from './packages/batch-manifest.ts';
export { BATCH_FILES, LINES, LINKS, TOTALS } from './packages/package-files.ts';
export { readStoredBatch, writeStoredBatch } from './packages/stored-batch.ts';
export { booksStateOf } from './reports/books-state.ts';
export { isLitter, namesIn, namesOf, openFolder, placeFolder, writeFileIn } from './reports/folder.ts';
export { formatOf } from './reports/formats.ts';
export { LABEL_COLUMNS } from './reports/labels.ts';
export { MANIFEST, MANIFEST_BYTES_MAX, manifestIn, manifestText } from './reports/manifest.ts';
export { parsePeriod } from './reports/period.ts';
export { profileOf } from './reports/profile.ts';
export { exactName } from './reports/render.ts';
export { inSnapshot, rowsOf } from './reports/snapshot.ts';
export { type TableRows, workbookRows } from './workbook/reading.ts';
