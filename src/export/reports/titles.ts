// Titles: the name and the description of each report for people. One line of titles.csv is one report.
import { join } from 'node:path';
import { bytesOf, readCsvFile } from '../../base/csv-file.ts';
import { packageRoot } from '../../base/root.ts';
import { LANGUAGES, type Titles } from './headings.ts';

/** A report for people. A title is also the name of a sheet, where room is left for a number: `Libro diario (2)`. */
type ReportTitle = { readonly titles: Titles; readonly descriptions: Titles };

const FILE = join(packageRoot, 'src', 'export', 'reports', 'titles.csv');
const COLUMNS = ['report', ...LANGUAGES, 'description_en', 'description_es', 'description_de'] as const;

/** The bytes behind every title, for the configuration digest. */
export const titleBytes = (): Buffer => bytesOf(FILE);

let loaded: ReadonlyMap<string, ReportTitle> | null = null;

/** Every line, by report. */
export const reportTitles = (): ReadonlyMap<string, ReportTitle> => {
  loaded ??= new Map(
    readCsvFile(FILE, COLUMNS).map(({ cells }) => {
      const { report, en, es, de } = cells;
      const descriptions = {
        en: cells.description_en,
        es: cells.description_es,
        de: cells.description_de,
      };
      return [report, { titles: { en, es, de }, descriptions }];
    }),
  );
  return loaded;
};

/**
 * A report without a line has its own name and no description. Only a month sealed by another version of the program can have
 * one: a test requires a line for each report of today.
 */
export const reportTitleOf = (report: string): ReportTitle =>
  reportTitles().get(report) ?? {
    titles: { en: report, es: report, de: report },
    descriptions: { en: '', es: '', de: '' },
  };
