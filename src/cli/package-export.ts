// export --format of an accounting package: its options and its output.

import { join } from 'node:path';
import { ACTIONS } from '../actions/actions.ts';
import type { ExportOutcome } from '../actions/export-batch.ts';
import { UsageError } from '../base/errors.ts';
import { figureSettings } from '../config/config.ts';
import type { Config } from '../config/environment.ts';
import type { Books } from '../database/connection.ts';
import type { Exported, Summary } from '../export/export.ts';
import { PACKAGE_NAMES } from '../export/export.ts';
import type { PackageName } from '../export/packages/packages.ts';
import { settingsOf } from '../run/run.ts';
import { refuseUnfinished } from '../valuation/valuation.ts';
import { runAction } from './action.ts';
import { requiredText } from './attribution.ts';
import { keepNewSpace } from './memory.ts';
import { personName, type Shared } from './options.ts';
import { print, printJson, table } from './print.ts';

export type PackageOptions = Shared & {
  readonly period?: string;
  readonly out?: string;
  readonly entity?: string;
  readonly map?: string;
  readonly datev?: string;
  readonly by?: string;
  readonly again?: string;
  readonly summary?: Summary;
  readonly profile?: string;
};

/** Options of packages have no effect on reports, so they are refused there. */
export const refuseForReports = (options: PackageOptions): void => {
  const packageOnly = (['map', 'by', 'again', 'datev', 'summary'] as const).filter(
    (name) => options[name] !== undefined,
  );
  if (packageOnly.length === 0) return;
  const [verb, object] = packageOnly.length === 1 ? ['works', 'it'] : ['work', 'them'];
  throw new UsageError(
    `--${packageOnly.join(', --')} only ${verb} with --format ${PACKAGE_NAMES.join(', ')}: remove ${object}, or choose one of these formats`,
  );
};

/** Exports the entries that the package has not received, or a batch again; prints where the files are. */
export const exportPackage = async (
  config: Config,
  options: PackageOptions,
  name: PackageName,
): Promise<void> => {
  if (options.profile !== undefined) throw new UsageError(`${name} has a fixed format: remove --profile`);
  if (options.again !== undefined && options.summary !== undefined)
    throw new UsageError('--again writes a batch as it was, in the same summaries: remove --summary');
  keepNewSpace();
  const batches = await ACTIONS.exportBatch();
  const ask = {
    entity: options.entity,
    package: name,
    ...settingsOf(config),
    settings: figureSettings(config),
    by: personName(requiredText(options.by, '--by NAME: your name, kept in the audit trail')),
    period: requiredText(options.period, `--period: the month or year to export to ${name}`),
    outDir: (batch: { entity: string; year: string; number: number }) =>
      options.out ?? join(config.home, 'exports', folderOf(batch, name, options.again !== undefined)),
  };
  const refuse = (db: Books) => refuseUnfinished(db, config, options.entity);
  const shown: ExportOutcome[] = [];
  const showAll = () => {
    for (const { result, exported } of shown) show(options, result.summary, exported);
  };
  await runAction(config, 'export', async (work) => {
    const exported =
      options.again === undefined
        ? await batches.exportNewBatch(work, {
            ...ask,
            mapFile: options.map,
            datev: options.datev,
            summary: options.summary,
            refuse,
          })
        : await batches.exportBatchAgain(work, { ...ask, number: numberOf(options.again) });
    shown.push(exported);
    return exported.result;
  }).finally(showAll); // a batch that is recorded counts as received, however its run ends
};

const folderOf = (
  { entity, year, number }: { entity: string; year: string; number: number },
  name: PackageName,
  isAgain: boolean,
): string => `${entity}-${year}-${String(number).padStart(4, '0')}-${name}${isAgain ? '-again' : ''}`;

const numberOf = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new UsageError(`--again needs the number of a batch, such as 3, not "${text.slice(0, 20)}"`);
  return Number.parseInt(text, 10);
};

const show = (options: Shared, summary: string, exported: ExportOutcome['exported']): void => {
  if (options.json) {
    printJson({ summary, ...exported });
    return;
  }
  print(summary);
  if (exported === null) return;
  print(filesText(exported));
};

/** The files of an export, and its folder. */
export const filesText = ({ files, dir }: Pick<Exported, 'files' | 'dir'>): string => {
  const rows = files.map(({ name, rows, sha256 }) => [name, rows, sha256]);
  return `${table(['file', 'rows', 'sha256'], rows)}\n\n${dir}`;
};
