// chart: the chart of accounts, which gives every account of the books its code, its name and its line in the statements.
import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { UsageError } from '../base/errors.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import { approvals, proposeAndPrint } from './action.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { print, printJson, printLong, table } from './print.ts';

type ChartOptions = Shared & {
  readonly by: string;
  readonly classes?: string;
  readonly entity?: string;
  readonly from?: string;
};

/** Postgres's oid of text. */
const TEXT_OID = 25;

const listCommand = (): Command =>
  bookCommand(
    'list',
    'list the versions of the chart of accounts, newest first',
    'npx tieout chart list',
  ).action(async (options: Shared) => {
    const rows = await withBooks(settings(options), async ({ db }) => (await ACTIONS.charts()).chartRows(db));
    if (options.json) return printJson(rows);
    const cells = rows.map((row) => [
      row.version,
      row.chart,
      row.for_entity ?? 'all entities',
      row.from_month === '0001-01' ? 'the beginning' : row.from_month,
      row.lines,
      row.imported_by,
    ]);
    printLong(table(['version', 'chart', 'for', 'from', 'lines', 'by'], cells));
  });

const showCommand = (): Command =>
  bookCommand(
    'show',
    'print a chart of accounts as CSV: a file to edit and import',
    'npx tieout chart show ifrs',
  )
    .argument('<chart>', 'ifrs, pgc, skr03, skr04, or the version of an imported chart')
    .action(async (name: string, options: Shared) => {
      const rows = await withBooks(settings(options), async ({ db }) =>
        (await ACTIONS.charts()).chartLineRows(db, name),
      );
      if (options.json) return printJson(rows);
      const { csvHeader, csvRows } = await import('../export/export.ts');
      const names = (await approvals()).CHART_COLUMNS;
      const columns = names.map((column) => ({ name: column, typeId: TEXT_OID }));
      const cells = rows.map((row) => names.map((column) => row[column]));
      print(`${csvHeader(columns)}${csvRows(columns, cells)}`.trimEnd());
    });

const accountsCommand = (): Command =>
  bookCommand(
    'accounts',
    'list the accounts of the books with their code',
    'npx tieout chart accounts --entity main',
  )
    .option('--entity <id>', 'only this entity')
    .action(async (options: Shared & { readonly entity?: string }) => {
      const rows = await withBooks(settings(options), async ({ db }) => {
        await bookedEntities({ db }, options.entity);
        return (await ACTIONS.charts()).accountRows(db, options.entity);
      });
      if (options.json) return printJson(rows);
      const head = ['entity', 'account', 'currency', 'class', 'code', 'name', 'statement line'];
      const cells = rows.map((row) => [
        row.entity_id,
        row.account,
        row.currency,
        row.asset_class,
        row.code ?? 'NO LINE',
        row.name_en,
        row.statement_class,
      ]);
      printLong(rows.length === 0 ? 'no accounts yet' : table(head, cells));
    });

const chartOption = (command: Command): Command =>
  signed(command)
    .option('--classes <file>', 'CSV file of asset classes that corrects the gateway: currency,class')
    .option('--entity <id>', 'apply it to this entity alone')
    .option(
      '--from <month>',
      'first month, which begins a fiscal year (default: the first year without a closed month)',
    );

const useCommand = (): Command =>
  chartOption(
    bookCommand(
      'use',
      'propose a chart of accounts that comes with the program',
      'npx tieout chart use pgc --by "Ada B."',
    ).argument('<template>', 'ifrs, pgc (Spain), skr03 or skr04 (Germany)'),
  ).action(async (template: string, options: ChartOptions) => {
    const { TEMPLATES } = await approvals();
    if (!TEMPLATES.includes(template))
      throw new UsageError(
        `no chart of accounts ${template.slice(0, 60)} comes with the program: write ${TEMPLATES.join(', ')}, or import a file with chart import`,
      );
    await propose(options, template, null);
  });

const importCommand = (): Command =>
  chartOption(
    bookCommand(
      'import',
      'propose a chart of accounts from a CSV file; the first line that matches an account decides',
      'npx tieout chart import chart.csv --by "Ada B."',
    ).argument(
      '<file>',
      'CSV file with the columns account,class,currency,code,name_en,name_es,name_de,statement,statement_class',
    ),
  ).action(async (file: string, options: ChartOptions) => propose(options, file, file));

const propose = async (options: ChartOptions, name: string, file: string | null): Promise<void> => {
  const { readChart, readAssetClasses } = await approvals();
  const from = options.from ?? null;
  if (from !== null && !/^\d{4}-(0[1-9]|1[0-2])$/.test(from))
    throw new UsageError(`--from ${from.slice(0, 20)}: write a month, such as 2027-01`);
  const wanted = {
    chart: name.replace(/^.*[\\/]/, ''),
    lines: file === null ? null : readChart(file),
    classes: options.classes === undefined ? null : readAssetClasses(options.classes),
    entity: options.entity ?? null,
    from,
    by: filled('by', options.by),
  };
  await proposeAndPrint(options, 'chart', async (work) =>
    (await ACTIONS.charts()).proposeChart(work, wanted),
  );
};

export const chartCommands = (): Command =>
  new Command('chart')
    .description('show the chart of accounts, or propose another')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(accountsCommand())
    .addCommand(useCommand())
    .addCommand(importCommand())
    .addHelpText('after', '\nExample:\n  npx tieout chart use pgc --by "Ada B."\n');
