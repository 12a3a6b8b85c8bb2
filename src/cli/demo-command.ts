// The demo on one screen: records read, ties, breaks with their causes, the files, and the next commands.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { DemoReport, Found } from '../actions/demo.ts';
import { command, demoOf, type Shared, settings, whole } from './options.ts';
import { nextText, print, printJson, progress, table } from './print.ts';
import { paint } from './terminal.ts';

type DemoOptions = Shared & { readonly clean?: boolean; readonly writes: string; readonly seed: string };

export const demoCommand = (): Command =>
  command(
    'demo',
    'run two nights against a stand-in gateway with planted defects and show what was found',
    'npx tieout demo --clean',
  )
    .option('--clean', 'plant no defects')
    .option('--writes <n>', 'random writes of a client between the nights, which must tie out too', '0')
    .option('--seed <n>', 'seed of the generated world and of the writes', '1')
    .action(async (options: DemoOptions) => {
      const { demo } = await ACTIONS.demo(); // loaded only here: the gateway client and the stand-in gateway
      const config = demoOf(settings(options));
      const shown = progress(options.json ?? false, config.entity);
      const report = await demo(config, {
        seed: whole('seed', options.seed, [0, 999_999_999]),
        isClean: options.clean ?? false,
        writes: whole('writes', options.writes, [0, 1_000]),
        tell: shown.tell,
      }).finally(shown.stop);
      const isRight =
        report.missed.length + report.surplus.length + report.disagreeing.length === 0 &&
        report.nights.every(({ exitCode }) => exitCode < 2);
      if (options.json) printJson({ exit_code: isRight ? 0 : 1, ...report });
      else print(screen(report, isRight));
      process.exitCode = isRight ? 0 : 1;
    });

const screen = (report: DemoReport, isRight: boolean): string =>
  [
    'Read two nights from a stand-in gateway over HTTP:',
    indent(
      table(
        ['entity', 'stream', 'landed', 'booked', 'rejected', 'set aside'],
        report.read.map((r) => [short(r.entity_id), r.stream, r.landed, r.booked, r.rejected, r.set_aside]),
      ),
    ),
    ...report.nights.map((night, index) => `  night ${index + 1}: ${night.summary}`),
    ...writtenLines(report),
    '',
    `Tied: ${tied(report)}; ${report.agreeing} booked balances equal the true balances to the last digit`,
    ...section('Breaks', report.found.filter(isBreak)),
    ...section(
      'Rejects',
      report.found.filter((one) => !isBreak(one)),
    ),
    ...failures('Missed (planted, not found)', report.missed),
    ...failures('Unexpected (found, not planted)', report.surplus),
    ...report.disagreeing.map((line) => `Differs from the true balance: ${line}`),
    `Files: ${report.exports} (one folder per month: report.html, CSV files, manifest.json)`,
    '',
    paint(isRight ? 'good' : 'bad', verdict(report, isRight)),
    '',
    nextText([
      `open report.html in the newest folder under ${report.exports}`,
      'npx tieout status --demo',
      ...(report.found.some(isBreak) ? ['npx tieout breaks list --demo'] : []),
    ]),
  ].join('\n');

/** What a client wrote between the nights, if it did. */
const writtenLines = ({ written }: DemoReport): string[] => {
  const kinds = Object.entries(written).sort(([a], [b]) => (a < b ? -1 : 1));
  if (kinds.length === 0) return [];
  const count = kinds.reduce((sum, [, made]) => sum + made, 0);
  const list = kinds.map(([kind, made]) => `${made} ${kind}`).join(', ');
  return ['', `A client made ${count} writes between the nights: ${list}`];
};

const verdict = (report: DemoReport, isRight: boolean): string => {
  if (!isRight) return 'The demo did not find exactly the planted defects: exit 1.';
  if (report.found.length === 0) return 'No defects were planted and none were found: exit 0.';
  return 'Found exactly the planted defects: exit 0. (A nightly run on these books exits 1, because breaks are open.)';
};

const isBreak = ({ what }: Found): boolean => what !== 'reject';

const tied = ({ tieOuts }: DemoReport): string => {
  const all = tieOuts.reduce((sum, { count }) => sum + count, 0);
  const isTied = tieOuts.find(({ status }) => status === 'tied')?.count ?? 0;
  const others = tieOuts.filter(({ status }) => status !== 'tied');
  const rest = others.map(({ status, count }) => `${count} ${status}`).join(', ');
  return `${isTied} of ${all} reported balances${rest && ` (${rest})`}`;
};

/** Each finding on a line with its cause below; adjacent findings with the same cause share it. */
const findings = (list: readonly Found[]): string =>
  list
    .map((one, index) => {
      const what = `${one.what} ${one.entity} ${one.account} ${one.amount}`;
      return list[index + 1]?.why === one.why ? what : `${what}\n    ${one.why}`;
    })
    .join('\n');

/** `Breaks (6):` and the findings below it, or `No breaks`. */
const section = (title: string, list: readonly Found[]): string[] =>
  list.length === 0 ? [`No ${title.toLowerCase()}`] : failures(title, list);

const failures = (title: string, list: readonly Found[]): string[] =>
  list.length === 0 ? [] : [`${title} (${list.length}):`, indent(findings(list))];

const short = (entity: string): string => entity.slice(0, 8);

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
