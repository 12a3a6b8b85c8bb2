// The demo, told to a newcomer on one screen: what was read, what tied, what broke and why, where the files are.
import type { Command } from 'commander';
import type { DemoReport, Found } from '../../jobs/demo.ts';
import { command, demoOf, type Shared, settings } from './options.ts';
import { print, printJson, progress, table } from './print.ts';

type DemoOptions = Shared & { readonly clean?: boolean };

export const demoCommand = (): Command =>
  command(
    'demo',
    'run two nights against a stand-in gateway with planted defects and show what was found',
    'npx tieout demo --clean',
  )
    .option('--clean', 'plant no defects')
    .action(async (options: DemoOptions) => {
      const { demo } = await import('../../jobs/demo.ts'); // the gateway's client and the stand-in: only here
      const shown = progress(options.json ?? false);
      const report = await demo(demoOf(settings(options)), {
        isClean: options.clean ?? false,
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
    'READ  two nights from a stand-in gateway, over HTTP',
    indent(
      table(
        ['entity', 'stream', 'landed', 'booked', 'rejected', 'set aside'],
        report.read.map((r) => [short(r.entity_id), r.stream, r.landed, r.booked, r.rejected, r.set_aside]),
      ),
    ),
    ...report.nights.map((night, at) => `  night ${at + 1}: ${night.summary}`),
    `TIED  ${tied(report)}; ${report.agreeing} booked balances equal the world's truth to the last digit`,
    report.found.length === 0 ? 'BROKE nothing' : 'BROKE',
    ...(report.found.length === 0 ? [] : [indent(findings(report.found))]),
    ...trouble('MISSED (planted, not found)', report.missed),
    ...trouble('SURPLUS (found, not planted)', report.surplus),
    ...report.disagreeing.map((line) => `DIFFERS from the truth: ${line}`),
    `FILES ${report.exports} (a folder for each month: report.html, CSV files, manifest.json)`,
    verdict(report, isRight),
  ].join('\n');

const verdict = (report: DemoReport, isRight: boolean): string => {
  if (!isRight) return 'The demo did not find exactly what was planted: exit 1.';
  if (report.found.length === 0)
    return 'Nothing was planted and nothing was found: exit 0, as a nightly on these books.';
  return 'Found exactly what was planted: exit 0 (a nightly on these books exits 1, since finance has something to look at).';
};

/** How many reported balances tied, of how many; and what became of the others. */
const tied = ({ tieOuts }: DemoReport): string => {
  const all = tieOuts.reduce((sum, { count }) => sum + count, 0);
  const isTied = tieOuts.find(({ status }) => status === 'tied')?.count ?? 0;
  const others = tieOuts.filter(({ status }) => status !== 'tied');
  const rest = others.map(({ status, count }) => `${count} ${status}`).join(', ');
  return `${isTied} of ${all} reported balances${rest && ` (${rest})`}`;
};

/** Each finding on a line, and below it why; those that have one cause stand above it together. */
const findings = (list: readonly Found[]): string =>
  list
    .map((it, at) => {
      const what = `${it.what} ${it.entity} ${it.account} ${it.amount}`;
      return list[at + 1]?.why === it.why ? what : `${what}\n    ${it.why}`;
    })
    .join('\n');

const trouble = (title: string, list: readonly Found[]): string[] =>
  list.length === 0 ? [] : [title, indent(findings(list))];

const short = (entity: string): string => entity.slice(0, 8);

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');
