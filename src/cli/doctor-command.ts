// The command doctor: one line for each check of a setup, with what to do.
import type { Command } from 'commander';
import { bookCommand, type Shared } from './options.ts';
import { print, printJson } from './print.ts';
import { oneLine } from './table-layout.ts';
import { paint, type Tone } from './terminal.ts';

const WORDS: Readonly<Record<Tone, string>> = { good: 'ok', warning: 'look', bad: 'FAILED' };
const WORD_WIDTH = 8;
const NAME_WIDTH = 13;

export const doctorCommand = (): Command =>
  bookCommand(
    'doctor',
    'check the setup and say what to do: Node, .env, environment, disk, database, schema, roles, gateway, schedule',
    'npx tieout doctor',
  ).action(async (options: Shared) => {
    const { checksOf, exitCodeOf, findingOf } = await import('./doctor.ts');
    const results = [];
    const failed = new Set<string>();
    for (const check of checksOf(options)) {
      const { tone, detail } = await findingOf(check, failed);
      if (tone === 'bad') failed.add(check.name);
      options.signal?.throwIfAborted(); // what failed then says nothing about the setup
      results.push({
        check: check.name,
        tone,
        detail: oneLine(detail.replace(/:\n\s*/, ': ').replaceAll(/\n\s*/g, '; ')),
      });
      const word = paint(tone, WORDS[tone].padEnd(WORD_WIDTH));
      if (!options.json) print(`${word}${check.name.padEnd(NAME_WIDTH)}${results.at(-1)?.detail}`);
    }
    process.exitCode = exitCodeOf(results);
    if (options.json)
      printJson({
        exit_code: process.exitCode,
        checks: results.map(({ check, tone, detail }) => ({
          check,
          status: WORDS[tone].toLowerCase(),
          detail,
        })),
      });
  });
