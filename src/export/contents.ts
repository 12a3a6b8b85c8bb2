// What exported files contain, for those who read them again: formats, folders, packages, journals and the manifest.
export { JOURNALS, writeJournal } from './journals/journals.ts';
export { keyOf, runProgram, versionOf } from './journals/programs.ts';
export { BATCH_FILES, LINES, LINKS, TOTALS } from './packages/package-files.ts';
export { readStoredBatch, writeStoredBatch } from './packages/stored-batch.ts';
export { LITTER, namesIn, namesOf, openFolder, placeFolder, writeFileIn } from './reports/folder.ts';
export { formatOf } from './reports/formats.ts';
export { MANIFEST, MANIFEST_BYTES_MAX, manifestIn, manifestText } from './reports/manifest.ts';
export { profileOf } from './reports/profile.ts';
export { exactName } from './reports/render.ts';
export { inSnapshot, rowsOf } from './reports/snapshot.ts';
export { sheetRows } from './workbook/reading.ts';
